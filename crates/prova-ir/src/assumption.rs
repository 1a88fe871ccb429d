//! What a verdict rests on that neither C nor a tested model says: assumptions that the user chose,
//! or left as they are. Each is data: a keyword and a value for machines, a sentence for people, and
//! the switch that changes it. `docs/assumptions.md` tells of each with a program.
//!
//! What would be unsound: to assume something that is not one of these.

use crate::source::Span;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// What a function of the user's own does that has no body, besides returning an arbitrary value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Undefined {
    /// It may write what it reaches.
    #[default]
    Havoc,
    /// It changes nothing.
    Pure,
    /// Nothing is known of it: no verdict passes through a call.
    Forbidden,
}

impl Undefined {
    /// All of them.
    pub const EACH: [Undefined; 3] = [Undefined::Havoc, Undefined::Pure, Undefined::Forbidden];

    /// Its name on the command line and in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Undefined::Havoc => "havoc",
            Undefined::Pure => "pure",
            Undefined::Forbidden => "forbidden",
        }
    }

    /// What is assumed, for people.
    pub fn effect(self) -> &'static str {
        match self {
            Undefined::Havoc => {
                "it returns an arbitrary value and may write what it reaches by what it was given"
            }
            Undefined::Pure => "it returns an arbitrary value and changes nothing",
            Undefined::Forbidden => "no verdict passes through a call of it",
        }
    }
}

impl FromStr for Undefined {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let found = Undefined::EACH.into_iter().find(|u| u.name() == word);
        found.ok_or_else(|| format!("`{word}` is not one of `havoc`, `pure`, `forbidden`"))
    }
}

/// What a function gets that is checked by itself, where it takes pointers to objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pointers {
    /// Each points to an object: null is a mistake of the caller's.
    #[default]
    Valid,
    /// Each is null or points to an object.
    Nullable,
    /// Each is null, points to an object, or points nowhere: it may be used for nothing.
    Arbitrary,
    /// Each points to an object, and it and those behind it are as large as they are used.
    Ample,
}

impl Pointers {
    /// All of them.
    pub const EACH: [Pointers; 4] = [
        Pointers::Valid,
        Pointers::Nullable,
        Pointers::Arbitrary,
        Pointers::Ample,
    ];

    /// Its name on the command line and in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Pointers::Valid => "valid",
            Pointers::Nullable => "nullable",
            Pointers::Arbitrary => "arbitrary",
            Pointers::Ample => "ample",
        }
    }
}

impl FromStr for Pointers {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let found = Pointers::EACH.into_iter().find(|p| p.name() == word);
        found.ok_or_else(|| {
            format!("`{word}` is not one of `valid`, `nullable`, `arbitrary`, `ample`")
        })
    }
}

/// How everything is read that lies outside of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct World {
    /// What functions get that are checked by themselves.
    pub pointers: Pointers,
    /// Allocations never fail.
    pub malloc_never_fails: bool,
    /// Objects that are `volatile` are read as plain memory.
    pub volatile_plain: bool,
    /// What a program asks about addresses has an arbitrary answer, and no pointer is put together
    /// from such answers.
    pub addresses_arbitrary: bool,
    /// Inline assembly changes its outputs and nothing else.
    pub assembly_outputs: bool,
    /// Allocations of more than 128 MB fail.
    pub blocks_small: bool,
    /// What functions of the user's own do that have no body.
    pub undefined: Undefined,
    /// What single ones do.
    pub undefined_of: BTreeMap<String, Undefined>,
}

impl World {
    /// What a function of the user's own does that has no body.
    pub fn of(&self, function: &str) -> Undefined {
        let own = self.undefined_of.get(function);
        own.copied().unwrap_or(self.undefined)
    }

    /// The choices as keywords and values: those of [`Assumption`]s, whether they matter or not. What
    /// pointers are passed is among them only if it is not what holds unless told: most programs
    /// start with `main`, and [`Assumption::Pointers`] says it of the others.
    pub fn choices(&self) -> Vec<(&'static str, String)> {
        let malloc = Assumption::Malloc {
            never_fails: self.malloc_never_fails,
        };
        let volatile = Assumption::Volatile {
            plain: self.volatile_plain,
        };
        let addresses = match self.addresses_arbitrary {
            true => Assumption::Addresses.value(),
            false => "unmodelled".to_owned(),
        };
        let assembly = match self.assembly_outputs {
            true => Assumption::Assembly.value(),
            false => "unmodelled".to_owned(),
        };
        let undefined = ("undefined", self.undefined.name().to_owned());
        let single = self.undefined_of.iter();
        let single = single.map(|(f, u)| ("undefined", format!("{f}={}", u.name())));
        [malloc, volatile]
            .iter()
            .map(|a| (a.keyword(), a.value()))
            .chain([("addresses", addresses), ("assembly", assembly), undefined])
            .chain(self.blocks_small.then(|| ("blocks", "small".to_owned())))
            .chain(
                (self.pointers != Pointers::default())
                    .then(|| ("pointers", self.pointers.name().to_owned())),
            )
            .chain(single)
            .collect()
    }

    /// Takes one choice, as [`World::choices`] tells it.
    pub fn choose(&mut self, keyword: &str, value: &str) -> Result<(), String> {
        let two = |yes: &str, no: &str| match value {
            v if v == yes => Ok(true),
            v if v == no => Ok(false),
            _ => Err(format!("`{value}` is not one of `{yes}`, `{no}`")),
        };
        match keyword {
            "malloc" => self.malloc_never_fails = two("never-fails", "may-fail")?,
            "volatile" => self.volatile_plain = two("plain", "arbitrary")?,
            "addresses" => self.addresses_arbitrary = two("arbitrary", "unmodelled")?,
            "blocks" => self.blocks_small = two("small", "any")?,
            "pointers" => self.pointers = value.parse()?,
            "assembly" => self.assembly_outputs = two("outputs", "unmodelled")?,
            "undefined" => match value.split_once('=') {
                None => self.undefined = value.parse()?,
                Some((function, reading)) => {
                    let reading = reading.parse()?;
                    self.undefined_of.insert(function.to_owned(), reading);
                }
            },
            _ => return Err(format!("there is no assumption `{keyword}`")),
        }
        Ok(())
    }
}

/// An assumption that a verdict rests on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assumption {
    /// Allocations may fail, or never do; the program allocates.
    Malloc {
        /// They never do.
        never_fails: bool,
    },
    /// Objects that are `volatile` hold what the world puts there, or what was stored; the program
    /// has some.
    Volatile {
        /// They hold what was stored.
        plain: bool,
    },
    /// What the program asks about addresses has an arbitrary answer.
    Addresses,
    /// The program's inline assembly changes its outputs and nothing else.
    Assembly,
    /// A function of the user's own has no body.
    Function {
        /// Its name.
        name: String,
        /// What it does.
        reading: Undefined,
        /// Where it is called.
        calls: Vec<Span>,
    },
    /// A variable is declared and defined nowhere: it holds anything at first.
    Variable(String),
    /// What functions that write what they reach are taken not to do.
    Limit(Limit),
    /// Floating-point numbers are computed in the width of their types, though x87 code may not.
    Sse,
    /// The arguments and globals that a function is checked with, which no program calls like that.
    Entry(String),
    /// What that function gets as pointers to objects; it takes some.
    Pointers(Pointers),
    /// What holds where a function is checked that is called by nobody: an invariant of its module.
    Invariant {
        /// The function.
        function: String,
        /// C over global variables and its parameters.
        text: String,
    },
    /// No signed operation overflows: C does not say how a run goes on in which one does.
    Overflow,
    /// A loop need not end: the function it is in and its line.
    Forever(String, u32),
    /// Allocations of more than 128 MB fail; the program allocates.
    Blocks,
    /// A function is called as its contract requires.
    Required(String),
    /// Calls of a function do what its contract says.
    Contract(String),
    /// Every access stays inside an object that lives: another property asks that.
    Accesses,
}

/// What functions that may write what they reach do not do all the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// This one writes nothing through a parameter that points to `const`, and does not keep it.
    Constant(String),
    /// This one frees nothing.
    Freed(String),
    /// Pointers in what this one reaches stay, become null or lead to objects of its own.
    Pointers(String),
    /// A pointer that this one returns leads to an object of its own, or is null.
    Returned(String),
    /// Of memory without a name this one changes one object of its parameter's type.
    Nameless(String),
    /// Memory without a name that this one gets without a type does not change.
    Untyped(String),
    /// This one is called in a shape that it is not declared in, and changes nothing.
    Shape(String),
    /// This object is treated like memory without a name.
    Untracked(String),
    /// This object of earlier activations is treated like memory without a name.
    Earlier(String),
    /// The pointers in this object all change or none does, and none is followed.
    ManyPointers(String),
    /// Pointers that lead in circles are followed so many steps.
    Circles(usize),
}

impl Limit {
    fn keyword(&self) -> &'static str {
        match self {
            Limit::Constant(_) => "const",
            Limit::Freed(_) => "no-free",
            Limit::Pointers(_) => "pointers",
            Limit::Returned(_) => "returned",
            Limit::Nameless(_) => "nameless",
            Limit::Untyped(_) => "untyped",
            Limit::Shape(_) => "shape",
            Limit::Untracked(_) => "untracked",
            Limit::Earlier(_) => "earlier",
            Limit::ManyPointers(_) => "many-pointers",
            Limit::Circles(_) => "circles",
        }
    }

    fn about(&self) -> String {
        match self {
            Limit::Constant(what)
            | Limit::Freed(what)
            | Limit::Pointers(what)
            | Limit::Returned(what)
            | Limit::Nameless(what)
            | Limit::Untyped(what)
            | Limit::Shape(what)
            | Limit::Untracked(what)
            | Limit::Earlier(what)
            | Limit::ManyPointers(what) => what.clone(),
            Limit::Circles(steps) => steps.to_string(),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Constant(name) => write!(
                f,
                "`{name}` writes nothing through its parameters that point to `const`, and keeps none"
            ),
            Limit::Freed(name) => write!(f, "`{name}` frees nothing"),
            Limit::Pointers(name) => write!(
                f,
                "pointers in what `{name}` reaches stay, become null or lead to objects of its own"
            ),
            Limit::Returned(name) => write!(
                f,
                "a pointer that `{name}` returns is null or leads to an object of its own"
            ),
            Limit::Nameless(name) => write!(
                f,
                "of memory without a name, `{name}` changes one object of its parameter's type"
            ),
            Limit::Untyped(name) => write!(
                f,
                "memory without a name that `{name}` gets without a type does not change"
            ),
            Limit::Shape(name) => write!(
                f,
                "`{name}` is called in a shape that it is not declared in, and changes nothing"
            ),
            Limit::Untracked(what) => write!(
                f,
                "to functions without a body, {what} is like memory without a name"
            ),
            Limit::Earlier(what) => write!(
                f,
                "to functions without a body, {what} of earlier activations is like memory without a name"
            ),
            Limit::ManyPointers(what) => write!(
                f,
                "functions without a body change all pointers in {what} or none, and do not follow them"
            ),
            Limit::Circles(steps) => write!(
                f,
                "functions without a body follow pointers that lead in circles {steps} steps"
            ),
        }
    }
}

impl Assumption {
    /// One word for machines.
    pub fn keyword(&self) -> &'static str {
        match self {
            Assumption::Malloc { .. } => "malloc",
            Assumption::Volatile { .. } => "volatile",
            Assumption::Addresses => "addresses",
            Assumption::Assembly => "assembly",
            Assumption::Function { .. } => "function",
            Assumption::Variable(_) => "variable",
            Assumption::Limit(_) => "limit",
            Assumption::Sse => "float",
            Assumption::Entry(_) => "entry",
            Assumption::Pointers(_) => "pointers",
            Assumption::Invariant { .. } => "invariant",
            Assumption::Overflow => "overflow",
            Assumption::Forever(..) => "forever",
            Assumption::Blocks => "blocks",
            Assumption::Required(_) => "required",
            Assumption::Contract(_) => "contract",
            Assumption::Accesses => "accesses",
        }
    }

    /// What is assumed of that, for machines.
    pub fn value(&self) -> String {
        match self {
            Assumption::Malloc { never_fails: true } => "never-fails".into(),
            Assumption::Malloc { never_fails: false } => "may-fail".into(),
            Assumption::Volatile { plain: true } => "plain".into(),
            Assumption::Volatile { plain: false } => "arbitrary".into(),
            Assumption::Addresses => "arbitrary".into(),
            Assumption::Assembly => "outputs".into(),
            Assumption::Function { name, reading, .. } => format!("{name}={}", reading.name()),
            Assumption::Variable(name)
            | Assumption::Entry(name)
            | Assumption::Required(name)
            | Assumption::Contract(name) => name.clone(),
            Assumption::Invariant { function, text } => format!("{function}: {text}"),
            Assumption::Forever(function, line) => format!("{function}:{line}"),
            Assumption::Limit(limit) => format!("{}={}", limit.keyword(), limit.about()),
            Assumption::Sse => "sse".into(),
            Assumption::Pointers(pointers) => pointers.name().into(),
            Assumption::Overflow => "never".into(),
            Assumption::Blocks => "small".into(),
            Assumption::Accesses => "valid".into(),
        }
    }

    /// What a user writes who wants to assume something else, if there is such a switch.
    pub fn switch(&self) -> Option<String> {
        Some(match self {
            Assumption::Malloc { never_fails: true } => "--malloc may-fail".into(),
            Assumption::Malloc { never_fails: false } => "--malloc never-fails".into(),
            Assumption::Volatile { plain: true } => "--volatile arbitrary".into(),
            Assumption::Volatile { plain: false } => "--volatile plain".into(),
            Assumption::Addresses => "--addresses unmodelled".into(),
            Assumption::Assembly => "--assembly unmodelled".into(),
            Assumption::Function { name, reading, .. } => {
                let other = match reading {
                    Undefined::Havoc => Undefined::Pure,
                    Undefined::Pure | Undefined::Forbidden => Undefined::Havoc,
                };
                format!("--undefined {name}={}", other.name())
            }
            Assumption::Limit(limit) => match limit {
                Limit::Untracked(_)
                | Limit::Earlier(_)
                | Limit::ManyPointers(_)
                | Limit::Circles(_) => "--undefined forbidden".into(),
                of_one => format!("--undefined {}=forbidden", of_one.about()),
            },
            Assumption::Blocks => "--blocks any".into(),
            Assumption::Pointers(Pointers::Valid) => "--pointers nullable".into(),
            Assumption::Pointers(_) => "--pointers valid".into(),
            Assumption::Accesses => "--property valid-memsafety".into(),
            Assumption::Variable(_)
            | Assumption::Sse
            | Assumption::Entry(_)
            | Assumption::Invariant { .. }
            | Assumption::Required(_)
            | Assumption::Contract(_)
            | Assumption::Overflow
            | Assumption::Forever(..) => return None,
        })
    }

    /// Whether a violation rests on it, too. What such functions do *not* do only matters to proofs.
    pub fn concerns_violations(&self) -> bool {
        !matches!(self, Assumption::Limit(_) | Assumption::Accesses)
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::Malloc { never_fails: true } => write!(f, "allocations never fail"),
            Assumption::Malloc { never_fails: false } => write!(f, "allocations may fail"),
            Assumption::Volatile { plain: true } => {
                write!(f, "`volatile` objects are plain memory")
            }
            Assumption::Volatile { plain: false } => {
                write!(f, "`volatile` objects hold anything whenever they are read")
            }
            Assumption::Addresses => write!(
                f,
                "what is asked about addresses has any answer, no pointer is made from answers, \
                 and pointers become numbers by casts only"
            ),
            Assumption::Assembly => write!(
                f,
                "inline assembly goes on behind itself and changes its outputs only, to anything"
            ),
            Assumption::Function { name, reading, .. } => {
                write!(f, "`{name}` has no body; {}", reading.effect())
            }
            Assumption::Variable(name) => write!(
                f,
                "`{name}` is declared and defined nowhere; it holds arbitrary values at first"
            ),
            Assumption::Limit(limit) => write!(f, "{limit}"),
            Assumption::Invariant { function, text } => {
                write!(f, "where `{function}` is called, the invariant `{text}` holds")
            }
            Assumption::Overflow => write!(f, "no signed operation overflows"),
            Assumption::Forever(function, line) => {
                write!(f, "the loop of `{function}` at line {line} may run for ever")
            }
            Assumption::Blocks => write!(f, "allocations of more than 128 MB fail"),
            Assumption::Accesses => write!(
                f,
                "accesses stay inside of objects that live, which is for `valid-memsafety` to ask"
            ),
            Assumption::Required(name) => {
                write!(f, "`{name}` is called as its contract requires")
            }
            Assumption::Contract(name) => write!(
                f,
                "calls of `{name}` do what its contract says, which `--modular` checks by itself"
            ),
            Assumption::Pointers(Pointers::Valid) => write!(
                f,
                "no argument that points to objects is null: that is left to the caller"
            ),
            Assumption::Pointers(Pointers::Ample) => write!(
                f,
                "no argument that points to objects is null, and the caller's objects are as large \
                 as they are used"
            ),
            Assumption::Pointers(Pointers::Nullable) => {
                write!(f, "arguments that point to objects may be null")
            }
            Assumption::Pointers(Pointers::Arbitrary) => write!(
                f,
                "arguments that point to objects may be null, or point nowhere"
            ),
            Assumption::Sse => write!(
                f,
                "floating-point numbers have the width of their types, as with `-msse2 -mfpmath=sse`"
            ),
            Assumption::Entry(name) => write!(
                f,
                "`{name}` may be called with any arguments, and with any values in global variables; \
                 pointers in what these point to lead to objects of the caller's"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_read_as_they_are_told() {
        let mut world = World {
            malloc_never_fails: true,
            undefined: Undefined::Pure,
            ..World::default()
        };
        world.choose("undefined", "f=forbidden").expect("a choice");
        let mut again = World::default();
        for (keyword, value) in world.choices() {
            again.choose(keyword, &value).expect("a choice");
        }
        assert_eq!(world, again);
        assert_eq!(again.of("f"), Undefined::Forbidden);
        assert_eq!(again.of("g"), Undefined::Pure);
    }

    #[test]
    fn other_choices_are_refused() {
        let mut world = World::default();
        for (keyword, value) in [
            ("malloc", "sometimes"),
            ("volatile", ""),
            ("undefined", "f=nothing"),
            ("weather", "fine"),
        ] {
            assert!(world.choose(keyword, value).is_err(), "{keyword} {value}");
        }
        assert_eq!(world, World::default());
    }
}
