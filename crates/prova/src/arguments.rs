//! The command line as clap reads it, and what all commands share.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use prova_c::{Assembly, Diagnostic, FileOptions, Malloc, Options, Volatile};
use prova_ir::{DataModel, World};

use crate::commands;
use crate::project::database::Database;
use crate::project::file::File;
use crate::project::ProjectArguments;
use crate::status::Rejected;

/// A verifier for C: a test that fails, or a proof that none can.
#[derive(Debug, Parser)]
#[command(
    version,
    arg_required_else_help = true,
    after_help = "Exit status: 0 fine or proved, 1 violated, 2 bad usage or input, 3 unknown."
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find a test that fails, or prove that none can.
    #[command(
        after_help = "Examples:\n  prova check lock.c\n  prova check lock.c --entry release --timeout 60\n  prova check lock.c --report lock.html --sarif lock.sarif\n  prova check lock.c --certificate lock.certificate --witness lock.yml\n  prova check --compile-commands build\n\nExit status: 0 proved, 1 violated, 2 bad usage or input, 3 unknown."
    )]
    Check(Box<commands::check::Arguments>),
    /// Look for a test that fails by fuzzing, until one is found or the time is over.
    ///
    /// Takes what `check` takes. Tests are changed at random and by what runs compared, and kept if
    /// they go where none went; a violation is run natively and told as `check` tells it.
    #[command(
        after_help = "Examples:\n  prova fuzz parser.c --property valid-deref --timeout 60\n  prova fuzz parser.c --seeds inputs --corpus corpus\n\nExit status: 1 violated, 2 bad usage or input, 3 none found."
    )]
    Fuzz(Box<commands::check::Arguments>),
    /// Say whether tests are enough: which abstract states they miss, and which of these are real.
    #[command(
        after_help = "Examples:\n  prova adequacy lock.c\n  prova adequacy lock.c --seed 7 --page lock.html\n\nExit status: 0 adequate, 1 a test is missing, 2 bad usage or input, 3 open."
    )]
    Adequacy(Box<commands::adequacy::Arguments>),
    /// Say for each loop how many rounds it makes at most, if that can be proved.
    #[command(
        after_help = "Examples:\n  prova bounds lock.c\n  prova bounds lock.c --entry release\n\nExit status: 0 every loop has a bound, 2 bad usage or input, 3 some have none."
    )]
    Bounds(Box<commands::bounds::Arguments>),
    /// Propose a contract for a function: what it needs of its callers, and what it does.
    ///
    /// Failing runs are excluded by conditions on parameters, one after the other, until the function is
    /// proved under them; what it ensures and assigns is proved as well. The clauses can be pasted
    /// (`include/prova.h`).
    #[command(
        after_help = "Examples:\n  prova contract find lookup.c\n  prova contract find lookup.c --property valid-deref --format json\n\nExit status: 0 proved under the clauses, 2 bad usage or input, 3 open."
    )]
    Contract(Box<commands::contract::Arguments>),
    /// Cover goals with tests, or prove that nothing can.
    #[command(
        after_help = "Examples:\n  prova cover lock.c\n  prova cover lock.c --goals branches,mcdc --suite tests --page lock.html\n  prova cover lock.c --goals all --certificates proofs --format json\n\nExit status: 0 every goal is covered or impossible, 2 bad usage or input, 3 some are open."
    )]
    Cover(Box<commands::cover::Arguments>),
    /// Make many checks: resume them, remember them, spread them, report on them.
    #[command(
        after_help = "Examples:\n  prova batch init src -o batch.toml\n  prova batch batch.toml --jobs 4\n  prova batch report --markdown\n  prova batch export --sarif all.sarif\n\nExit status: 0 nothing new and nothing open, 1 something new is violated, 2 bad usage or input, 3 something is open."
    )]
    Batch(Box<commands::batch::Arguments>),
    /// Check the certificate of a proof.
    #[command(
        after_help = "Example:\n  prova certify lock.c lock.certificate\n\nExit status: 0 certified, 2 bad usage or input, 3 not certified."
    )]
    Certify(commands::certify::Arguments),
    /// Show that a function does what a state machine allows, or a run in which it does not.
    #[command(
        after_help = "Example:\n  prova conform lock.c --spec lock.lts\n\nExit status: 0 conforms, 1 does not conform, 2 bad usage or input, 3 unknown."
    )]
    Conform(Box<commands::conform::Arguments>),
    /// Print the state machine that a function itself is.
    #[command(after_help = "Example:\n  prova model lock.c --spec lock.lts --as dot | dot -Tsvg")]
    Model(commands::model::Arguments),
    /// Write a project's file from what another tool was told about a proof.
    #[command(after_help = "Example:\n  prova import cbmc verification/cbmc/proofs/queue_push")]
    Import(commands::import::Arguments),
    /// Run the program on given or random inputs.
    #[command(
        after_help = "Examples:\n  prova run lock.c --seed 7 --trace\n  prova run lock.c --inputs values.txt"
    )]
    Run(commands::run::Arguments),
    /// Print the program that the C files stand for.
    #[command(
        after_help = "Examples:\n  prova show lock.c --stats\n  prova show lock.c --dot main | dot -Tsvg > main.svg"
    )]
    Show(commands::show::Arguments),
    /// Say what is installed, what is missing, and how to get it.
    Doctor(commands::doctor::Arguments),
    /// List the algorithms that `check --engine` takes, and where they come from.
    Engines(commands::engines::Arguments),
    /// Say what a verdict, a reason or a word of ours means.
    #[command(after_help = "Examples:\n  prova explain\n  prova explain unknown:timeout")]
    Explain(commands::explain::Arguments),
    /// Print completions for a shell.
    #[command(
        after_help = "Example:\n  prova completions bash > ~/.local/share/bash-completion/completions/prova"
    )]
    Completions(commands::generate::Completions),
    /// Write man pages.
    #[command(after_help = "Example:\n  prova man ~/.local/share/man/man1")]
    Man(commands::generate::Man),
    /// Say whether a witness, from whatever tool, is right about a program.
    Validate(commands::validate::ValidateArguments),
}

/// The C files and how to read them; the same on every command.
#[derive(Clone, Debug, Args)]
pub struct Sources {
    /// C files, linked into one program; files that end in .i are already preprocessed. Those of
    /// the project, if none is named.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    project: ProjectArguments,

    /// Data model: 32 (int, long and pointers have 32 bits) or 64 (long and pointers have 64)
    /// [default: 64].
    #[arg(long, value_name = "32|64", hide_possible_values = true)]
    bits: Option<Bits>,

    /// Look for headers in this folder, too.
    #[arg(short = 'I', value_name = "DIR")]
    include_dirs: Vec<PathBuf>,

    /// Define a macro.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    defines: Vec<String>,

    /// Language standard for the preprocessor, such as gnu11.
    #[arg(long, value_name = "STD")]
    std: Option<String>,

    /// Runs start at this function, as they would at `main`: globals hold what they are initialised
    /// with. Without it, and without a `main`, at the only function `harness` or `…_harness`.
    #[arg(long, value_name = "FUNCTION")]
    start: Option<String>,

    /// Largest preprocessed file that is taken, in MB.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=4095))]
    max_source: Option<u64>,

    /// What a compilation database says, the same for every file.
    #[arg(skip)]
    shared: FileOptions,

    /// What it says of single files, where that is not the same.
    #[arg(skip)]
    per_file: BTreeMap<PathBuf, FileOptions>,

    /// Definitions that do not count, by the file that they stand in.
    #[arg(skip)]
    removed: Vec<(PathBuf, String)>,

    /// Clauses that are tried on functions.
    #[arg(skip)]
    pub tried: Vec<(String, String)>,

    /// How the world outside of the program is read.
    #[arg(skip)]
    pub world: World,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Bits {
    #[value(name = "32")]
    ThirtyTwo,
    #[value(name = "64")]
    SixtyFour,
}

impl Sources {
    /// The data model, if the command line, the project or its database says one.
    pub fn model(&self) -> Option<DataModel> {
        Some(match self.bits? {
            Bits::ThirtyTwo => DataModel::Ilp32,
            Bits::SixtyFour => DataModel::Lp64,
        })
    }

    /// Takes the data model from elsewhere than the command line.
    pub fn set_model(&mut self, model: DataModel) {
        self.bits = Some(match model {
            DataModel::Ilp32 => Bits::ThirtyTwo,
            DataModel::Lp64 => Bits::SixtyFour,
        });
    }

    /// Takes what the command line leaves open from the project's file and the compilation
    /// database. Comes before anything else that uses the sources.
    pub fn settle(&mut self) -> Result<Option<File>, Rejected> {
        let found = match &self.project {
            ProjectArguments {
                config: Some(path), ..
            } => Some(path.clone()),
            ProjectArguments {
                no_config: true, ..
            } => None,
            _ => File::find(),
        };
        let file = found.map(|path| File::read(&path)).transpose()?;
        let mut database = self.project.compile_commands.clone();
        if let Some(file) = &file {
            self.take(file)?;
            let keys = &file.keys;
            database = database.or(keys.compile_commands.as_ref().map(|d| file.path(d)));
        }
        if let Some(path) = database {
            self.consult(&Database::read(&path)?)?;
        }
        if self.files.is_empty() {
            let why = match &file {
                Some(file) => format!("{} names no `sources`", file.path.display()),
                None => "there is no prova.toml here or above".into(),
            };
            return Err(
                Diagnostic::error(format!("no FILE is given, and {why}"), None)
                    .with_note("`prova check FILE` checks a file", None)
                    .into(),
            );
        }
        Ok(file)
    }

    /// What the project's file says of the sources.
    fn take(&mut self, file: &File) -> Result<(), Rejected> {
        let keys = &file.keys;
        if self.files.is_empty() {
            self.files = file.sources()?;
        }
        self.include_dirs
            .extend(keys.include.iter().map(|d| file.path(d)));
        // The last definition of a macro counts.
        self.defines.splice(0..0, file.defines());
        self.std = self.std.take().or_else(|| keys.std.clone());
        self.start = self.start.take().or_else(|| keys.start.clone());
        for (source, functions) in &keys.remove_bodies {
            let source = file.path(std::path::Path::new(source));
            let each = functions.iter().map(|f| (source.clone(), f.clone()));
            self.removed.extend(each);
        }
        if let (None, Some(bits)) = (self.bits, &keys.bits) {
            self.bits = match bits.get_ref() {
                32 => Some(Bits::ThirtyTwo),
                64 => Some(Bits::SixtyFour),
                _ => return Err(file.wrong(bits, "`bits` is 32 or 64")),
            };
        }
        if let (None, Some(size)) = (self.max_source, &keys.budget.max_source) {
            if !(1..=4095).contains(size.get_ref()) {
                return Err(file.wrong(size, "`max-source` is a number from 1 to 4095"));
            }
            self.max_source = Some(*size.get_ref());
        }
        Ok(())
    }

    /// What a compilation database says of the sources.
    fn consult(&mut self, database: &Database) -> Result<(), Rejected> {
        let name = database.name();
        if self.files.is_empty() {
            self.files = database.files();
            if self.files.is_empty() {
                return Err(Rejected::because(format!("{name} names no C file")));
            }
        }
        let mut told: Vec<FileOptions> = Vec::new();
        let mut model = None;
        for file in &self.files {
            let shown = file.display();
            let Some((flags, others)) = database.flags(file) else {
                Diagnostic::warning(format!("{name} does not mention `{shown}`"), None).print();
                told.push(FileOptions::default());
                continue;
            };
            if others {
                let what = format!("{name} compiles `{shown}` in several ways");
                Diagnostic::warning(what, None)
                    .with_note("the first one is taken", None)
                    .print();
            }
            if let Some(flag) = flags.refused.first() {
                let what = format!("`{flag}`, which {name} gives for `{shown}`, is not supported");
                return Err(Diagnostic::error(what, None)
                    .with_note("a verdict would be about another program", None)
                    .into());
            }
            if let (Some(one), Some(other)) = (model, flags.model) {
                if one != other {
                    let what = format!("{name} mixes -m32 and -m64");
                    return Err(Rejected::because(what));
                }
            }
            model = model.or(flags.model);
            told.push(flags.options.clone());
        }
        if let (None, Some(model)) = (self.bits, model) {
            self.set_model(model);
        }
        if told.windows(2).all(|w| w[0] == w[1]) {
            self.shared = told.pop().unwrap_or_default();
        } else {
            self.per_file = self.files.iter().cloned().zip(told).collect();
        }
        Ok(())
    }

    /// What the front end is told.
    pub fn options(&self) -> Options {
        let mut options = Options {
            include_dirs: self.include_dirs.clone(),
            defines: self.defines.clone(),
            std: self.std.clone(),
            model: match self.bits {
                Some(Bits::ThirtyTwo) => DataModel::Ilp32,
                Some(Bits::SixtyFour) | None => DataModel::Lp64,
            },
            max_source: self.max_source,
            start: self.start.clone(),
            removed: self.removed.clone(),
            contracts: self.tried.clone(),
            per_file: self.per_file.clone(),
            malloc: match self.world.malloc_never_fails {
                true => Malloc::NeverFails,
                false => Malloc::MayFail,
            },
            volatile: match self.world.volatile_plain {
                true => Volatile::Plain,
                false => Volatile::Arbitrary,
            },
            small_blocks: self.world.blocks_small,
            assembly: match self.world.assembly_outputs {
                true => Assembly::Outputs,
                false => Assembly::Unmodelled,
            },
            ..Options::default()
        };
        options.tell(&self.shared);
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn shared_options_reach_the_front_end() {
        let line = "prova show a.c b.i --bits 32 -Iinc -I other -DX=1 -D Y --std gnu11";
        let Command::Show(show) = Arguments::parse_from(line.split(' ')).command else {
            panic!("another command was parsed")
        };
        let options = show.sources.options();
        assert_eq!(show.sources.files.len(), 2);
        assert_eq!(options.model, DataModel::Ilp32);
        assert_eq!(options.include_dirs, [PathBuf::from("inc"), "other".into()]);
        assert_eq!(options.defines, ["X=1", "Y"]);
        assert_eq!(options.std.as_deref(), Some("gnu11"));
    }
}
