//! `--malloc`, `--volatile`, `--addresses`, `--assembly`, `--blocks`, `--pointers`, `--undefined`: how
//! everything is read that lies outside of the program.
//! The same on every command; only what holds where nothing is said differs.

use clap::{Args, ValueEnum};
use prova_ir::{Assumption, Pointers, Program, Undefined, World};
use prova_library::{kind, Kind};

use crate::project::file::File;
use crate::status::Rejected;

/// How the world is read.
#[derive(Clone, Debug, Default, Args)]
pub struct WorldArguments {
    /// Whether allocations may fail [default: may-fail; never-fails with --format svcomp, and for
    /// `run` and `validate`].
    #[arg(long, value_enum)]
    malloc: Option<Malloc>,

    /// What `volatile` objects hold [default: arbitrary; plain with --format svcomp, and for `run`
    /// and `validate`].
    #[arg(long, value_enum)]
    volatile: Option<Volatile>,

    /// What a program learns that asks about addresses of different objects, or about an address as
    /// a number: nothing is known (unmodelled), or any answer (arbitrary), where no pointer is made
    /// from answers [default: unmodelled; arbitrary with --format svcomp].
    #[arg(long, value_enum)]
    addresses: Option<Addresses>,

    /// What inline assembly does: nothing is known (unmodelled), or it changes its outputs only
    /// [default: unmodelled; outputs with --format svcomp].
    #[arg(long, value_enum)]
    assembly: Option<Assembly>,

    /// How large blocks may be that are allocated: any size, or at most 128 MB (small), where larger
    /// allocations fail [default: any].
    #[arg(long, value_enum)]
    blocks: Option<Blocks>,

    /// What `--entry` passes where the function takes a pointer to an object: one to an object (valid),
    /// or null as well (nullable), or as well one that points nowhere (arbitrary), or one to an object that
    /// is as large as it is used, not only as its type says (ample) [default: valid; a function with a
    /// contract gets null where the contract allows it].
    #[arg(long, value_enum)]
    pointers: Option<PointersName>,

    /// What functions of your own that have no body do besides returning an arbitrary value: havoc
    /// (write what they reach), pure (change nothing) or forbidden (no verdict passes through a
    /// call). `f=pure` says it of one. May be given several times, or as a list [default: havoc;
    /// pure with --format svcomp, and for `run` and `validate`].
    #[arg(long, value_name = "[FUNCTION=]havoc|pure|forbidden", value_delimiter = ',',
          value_parser = choice)]
    undefined: Vec<Choice>,
}

/// Whether allocations may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Malloc {
    /// Each may; sizes beyond half the address space always do.
    MayFail,
    /// None does, but for such sizes.
    NeverFails,
}

/// What `volatile` objects hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Volatile {
    /// Anything, whenever they are read.
    Arbitrary,
    /// What was stored last.
    Plain,
}

/// What a program learns that asks about addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Addresses {
    /// Nothing is known of it.
    Unmodelled,
    /// Any answer; no pointer is made from answers.
    Arbitrary,
}

/// What inline assembly does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Assembly {
    /// Nothing is known of it.
    Unmodelled,
    /// It changes its outputs, to anything, and nothing else.
    Outputs,
}

/// How large blocks may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Blocks {
    /// As large as memory may be.
    Any,
    /// At most 128 MB: larger allocations fail.
    Small,
}

/// What an entry gets as pointers to objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PointersName {
    /// Objects: null is the caller's fault.
    Valid,
    /// Null, or objects.
    Nullable,
    /// Null, objects, or what points nowhere.
    Arbitrary,
    /// Objects as large as they are used.
    Ample,
}

/// What is said of functions without a body: of one, or of all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    function: Option<String>,
    reading: Undefined,
}

fn choice(text: &str) -> Result<Choice, String> {
    let (function, reading) = match text.split_once('=') {
        Some((function, reading)) => (Some(function.trim().to_owned()), reading),
        None => (None, text),
    };
    if let Some(name) = &function {
        let plain = |c: char| c.is_alphanumeric() || "_$".contains(c);
        if name.is_empty() || !name.chars().all(plain) {
            return Err(format!("`{name}` is no function's name"));
        }
    }
    let reading = reading.trim().parse()?;
    Ok(Choice { function, reading })
}

/// As the competition's rules say: allocations succeed, functions without a body change nothing,
/// `volatile` says nothing, addresses are in no order, assembly does what it says.
pub fn competition() -> World {
    World {
        malloc_never_fails: true,
        volatile_plain: true,
        addresses_arbitrary: true,
        assembly_outputs: true,
        undefined: Undefined::Pure,
        ..World::default()
    }
}

impl WorldArguments {
    /// Takes what the command line leaves open from the project's file.
    pub fn take(&mut self, project: &File) -> Result<(), Rejected> {
        let keys = &project.keys;
        self.malloc = self.malloc.or(project.word(&keys.malloc)?);
        self.volatile = self.volatile.or(project.word(&keys.volatile)?);
        self.addresses = self.addresses.or(project.word(&keys.addresses)?);
        self.assembly = self.assembly.or(project.word(&keys.assembly)?);
        self.blocks = self.blocks.or(project.word(&keys.blocks)?);
        self.pointers = self.pointers.or(project.word(&keys.pointers)?);
        let mut said = Vec::new();
        if let Some(words) = &keys.undefined {
            for word in words.get_ref().words() {
                let read = choice(word);
                said.push(read.map_err(|message| project.wrong(words, message))?);
            }
        }
        // What comes last counts.
        self.undefined.splice(0..0, said);
        Ok(())
    }

    /// The world, with what nobody chose.
    pub fn world(&self, default: World) -> World {
        let mut world = default;
        if let Some(malloc) = self.malloc {
            world.malloc_never_fails = malloc == Malloc::NeverFails;
        }
        if let Some(volatile) = self.volatile {
            world.volatile_plain = volatile == Volatile::Plain;
        }
        if let Some(addresses) = self.addresses {
            world.addresses_arbitrary = addresses == Addresses::Arbitrary;
        }
        if let Some(assembly) = self.assembly {
            world.assembly_outputs = assembly == Assembly::Outputs;
        }
        if let Some(blocks) = self.blocks {
            world.blocks_small = blocks == Blocks::Small;
        }
        if let Some(pointers) = self.pointers {
            world.pointers = match pointers {
                PointersName::Valid => Pointers::Valid,
                PointersName::Nullable => Pointers::Nullable,
                PointersName::Arbitrary => Pointers::Arbitrary,
                PointersName::Ample => Pointers::Ample,
            };
        }
        for choice in &self.undefined {
            match &choice.function {
                None => world.undefined = choice.reading,
                Some(name) => drop(world.undefined_of.insert(name.clone(), choice.reading)),
            }
        }
        world
    }

    /// What was chosen that another world does not have: the choice and what it has.
    pub fn differs_from(&self, world: &World) -> Option<(String, String)> {
        let wanted = self.world(world.clone());
        if wanted.pointers != world.pointers {
            let said = |pointers: Pointers| format!("--pointers {}", pointers.name());
            return Some((said(wanted.pointers), said(world.pointers)));
        }
        let (wanted, had) = (wanted.choices(), world.choices());
        let other = wanted.iter().find(|choice| !had.contains(choice))?;
        let is = had.iter().find(|(keyword, value)| {
            let of = |v: &str| v.split_once('=').map(|(f, _)| f.to_owned());
            *keyword == other.0 && of(value) == of(&other.1)
        });
        let default = ("undefined", world.undefined.name().to_owned());
        let said = |(keyword, value): &(&str, String)| format!("--{keyword} {value}");
        Some((said(other), said(is.unwrap_or(&default))))
    }
}

/// Sees that every function of which something is said is one that may be guessed: it has no body,
/// and is neither the library's nor the compiler's.
pub fn check_names(program: &Program, world: &World) -> Result<(), Rejected> {
    for (name, reading) in &world.undefined_of {
        let mut named = program.procedures.iter().filter(|p| p.c_name == *name);
        let why = match kind(name) {
            Kind::Own => match named.next() {
                Some(procedure) if procedure.body.is_none() => continue,
                Some(_) => format!("`{name}` has a body"),
                None => format!("no function `{name}` is called"),
            },
            Kind::Modelled => format!("`{name}` is a library function, and modelled"),
            Kind::Known => {
                format!("`{name}` is a library function: only functions of your own may be guessed")
            }
        };
        let message = format!("--undefined {name}={}: {why}", reading.name());
        return Err(Rejected::because(message));
    }
    Ok(())
}

/// What a verdict rests on, each in a line for people, functions without a body first.
pub fn lines(assumed: &[Assumption]) -> Vec<String> {
    let functions = |a: &&Assumption| matches!(a, Assumption::Function { .. });
    let first = assumed.iter().filter(functions);
    let rest = assumed.iter().filter(|a| !functions(a));
    first.chain(rest).map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(choices: &[&str]) -> WorldArguments {
        let read = |text: &&str| choice(text).expect("a choice");
        WorldArguments {
            undefined: choices.iter().map(read).collect(),
            ..WorldArguments::default()
        }
    }

    #[test]
    fn what_is_said_of_one_function_counts_for_it_alone() {
        let world = arguments(&["f=forbidden", "pure", "g=havoc"]).world(World::default());
        assert_eq!(world.of("f"), Undefined::Forbidden);
        assert_eq!(world.of("g"), Undefined::Havoc);
        assert_eq!(world.of("h"), Undefined::Pure);
        for wrong in ["f=", "=pure", "f g=pure", "anything", "f=pure=pure"] {
            assert!(choice(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn differences_are_named() {
        let world = arguments(&["havoc", "f=pure"]).world(World::default());
        assert_eq!(arguments(&[]).differs_from(&world), None);
        assert_eq!(arguments(&["f=pure"]).differs_from(&world), None);
        let says = |a: &str, b: &str| Some((a.to_owned(), b.to_owned()));
        assert_eq!(
            arguments(&["pure"]).differs_from(&world),
            says("--undefined pure", "--undefined havoc")
        );
        assert_eq!(
            arguments(&["f=havoc"]).differs_from(&world),
            says("--undefined f=havoc", "--undefined f=pure")
        );
        assert_eq!(
            arguments(&["g=pure"]).differs_from(&world),
            says("--undefined g=pure", "--undefined havoc")
        );
        let malloc = WorldArguments {
            malloc: Some(Malloc::NeverFails),
            ..WorldArguments::default()
        };
        assert_eq!(
            malloc.differs_from(&world),
            says("--malloc never-fails", "--malloc may-fail")
        );
    }
}
