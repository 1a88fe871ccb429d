//! Command lines of the C compiler for a harness and the program's sources.

use crate::Sources;
use prova_ir::DataModel;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What is compiled.
#[derive(Clone, Debug)]
pub struct Build<'a> {
    /// How the sources are read.
    pub sources: &'a Sources,
    /// The harness.
    pub harness: PathBuf,
    /// The sources or their copies; those the harness includes are left out.
    pub files: Vec<PathBuf>,
    /// Functions to wrap.
    pub wraps: Vec<String>,
    /// Uninitialised variables start as zero.
    pub zeroed: bool,
    /// `inline` means what it meant before C99: a definition that others may call.
    pub old_inline: bool,
    /// What the compiler's sanitizers are told to check.
    pub sanitize: Option<&'static str>,
    /// Where the program goes.
    pub output: PathBuf,
}

/// The option that makes uninitialised variables zero; compilers have it since about 2022.
pub const ZEROED: &str = "-ftrivial-auto-var-init=zero";

/// Why there is no native run of files that the compiler must be told different things about: all
/// are compiled by one command.
pub const DIFFERENT: &str = "the files are compiled with different flags";

/// The C compiler: what `CC` names, or `gcc`.
pub fn compiler() -> Vec<OsString> {
    let named = std::env::var("CC").ok().filter(|c| !c.trim().is_empty());
    let named = named.unwrap_or_else(|| "gcc".into());
    named.split_whitespace().map(OsString::from).collect()
}

/// The option for a data model.
pub fn model_option(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    }
}

impl Build<'_> {
    /// The command, compiler first.
    pub fn command(&self) -> Vec<OsString> {
        let options = &self.sources.options;
        let mut words = compiler();
        let mut add = |word: &str| words.push(word.into());
        add(model_option(options.model));
        if options.model == DataModel::Ilp32 {
            // The x87 rounds to 64 bits; floats here are IEEE's.
            add("-msse2");
            add("-mfpmath=sse");
        }
        add(&format!(
            "-std={}",
            options.std.as_deref().unwrap_or("gnu17")
        ));
        // Without optimisation, and with overflow that wraps: undefined behaviour is as mild as
        // it can be, and every call is made.
        for word in ["-w", "-O0", "-fcommon", "-no-pie"] {
            add(word);
        }
        if let Some(checks) = self.sanitize {
            add(&format!("-fsanitize={checks}"));
            add("-fno-sanitize-recover=all");
        }
        // Where overflow is looked for, nothing may be computed as if there were none.
        add(match self.sanitize {
            Some(checks) if checks.contains("overflow") => "-ftrapv",
            _ => "-fwrapv",
        });
        if self.zeroed {
            add(ZEROED);
        }
        if self.old_inline {
            add("-fgnu89-inline");
        }
        for word in &options.words {
            add(word);
        }
        for define in &options.defines {
            add(&format!("-D{define}"));
        }
        // The harness comes first, so that its error functions replace the program's own; what
        // nothing defines is not called.
        add("-Wl,-z,muldefs,--unresolved-symbols=ignore-all");
        for name in &self.wraps {
            add(&format!("-Wl,--wrap={name}"));
        }
        for dir in &options.include_dirs {
            words.push("-I".into());
            words.push(dir.into());
        }
        words.push("-o".into());
        words.push(self.output.clone().into());
        words.push(plain(&self.harness));
        words.extend(self.files.iter().map(|f| plain(f)));
        words.push("-lm".into());
        words
    }

    /// The command as one line for a shell.
    pub fn line(&self) -> String {
        let words: Vec<String> = self.command().iter().map(|w| quoted(w)).collect();
        words.join(" ")
    }
}

/// A path that is not taken for an option.
fn plain(path: &Path) -> OsString {
    if path.to_string_lossy().starts_with('-') {
        let mut name = OsString::from("./");
        name.push(path);
        return name;
    }
    path.into()
}

/// A word as a shell reads it back.
pub fn quoted(word: &std::ffi::OsStr) -> String {
    let text = word.to_string_lossy();
    let simple = |c: char| c.is_ascii_alphanumeric() || "-_=+,./:@%^".contains(c);
    if !text.is_empty() && text.chars().all(simple) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}
