//! The command line as clap reads it, and what all commands share.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use prova_c::Options;
use prova_ir::DataModel;

use crate::commands;

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
        after_help = "Examples:\n  prova check lock.c\n  prova check lock.c --entry release --timeout 60\n  prova check lock.c --report lock.html --sarif lock.sarif\n\nExit status: 0 proved, 1 violated, 2 bad usage or input, 3 unknown."
    )]
    Check(Box<commands::check::Arguments>),
    /// Check the certificate of a proof.
    Certify(commands::certify::Arguments),
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
#[derive(Debug, Args)]
pub struct Sources {
    /// C files, linked into one program; files that end in .i are already preprocessed.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Data model: 32 (int, long and pointers have 32 bits) or 64 (long and pointers have 64).
    #[arg(
        long,
        value_name = "32|64",
        default_value = "64",
        hide_possible_values = true
    )]
    bits: Bits,

    /// Look for headers in this folder, too.
    #[arg(short = 'I', value_name = "DIR")]
    include_dirs: Vec<PathBuf>,

    /// Define a macro.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    defines: Vec<String>,

    /// Language standard for the preprocessor, such as gnu11.
    #[arg(long, value_name = "STD")]
    std: Option<String>,

    /// Largest preprocessed file that is taken, in MB.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=4095))]
    max_source: Option<u64>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Bits {
    #[value(name = "32")]
    ThirtyTwo,
    #[value(name = "64")]
    SixtyFour,
}

impl Sources {
    /// Takes the data model from elsewhere than the command line.
    pub fn set_model(&mut self, model: DataModel) {
        self.bits = match model {
            DataModel::Ilp32 => Bits::ThirtyTwo,
            DataModel::Lp64 => Bits::SixtyFour,
        };
    }

    /// What the front end is told.
    pub fn options(&self) -> Options {
        Options {
            include_dirs: self.include_dirs.clone(),
            defines: self.defines.clone(),
            std: self.std.clone(),
            model: match self.bits {
                Bits::ThirtyTwo => DataModel::Ilp32,
                Bits::SixtyFour => DataModel::Lp64,
            },
            max_source: self.max_source,
            checks: false,
            watchers: Vec::new(),
        }
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
