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
    Check(Box<commands::check::Arguments>),
    /// Check the certificate of a proof.
    Certify(commands::certify::Arguments),
    /// Run the program on given or random inputs.
    Run(commands::run::Arguments),
    /// Print the program that the C files stand for.
    Show(commands::show::Arguments),
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
