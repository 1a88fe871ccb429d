//! From a C file to preprocessed text, through the system's C compiler.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use prova_ir::DataModel;

use crate::diagnostic::Diagnostic;

/// What the preprocessor is told.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folders to look for headers in (`-I`).
    pub include_dirs: Vec<PathBuf>,
    /// Macros, `NAME` or `NAME=VALUE` (`-D`).
    pub defines: Vec<String>,
    /// The language standard, such as `gnu11` (`--std`).
    pub std: Option<String>,
    /// The data model: which `-m` switch the compiler gets, and how types are laid out.
    pub model: DataModel,
    /// The largest preprocessed text that is taken, in MB; [`LARGEST`] unless told.
    pub max_source: Option<u64>,
    /// Gives every operation that C restricts (sums that overflow, divisors that are zero, …) a
    /// branch to an error location that names its property.
    pub checks: bool,
    /// More words for the preprocessor, before the macros: `-U`, `-include` and the like. Paths
    /// in them are absolute.
    pub words: Vec<String>,
    /// What single files are told besides, where they do not all get the same.
    pub per_file: BTreeMap<PathBuf, FileOptions>,
    /// Whether allocations may fail.
    pub malloc: Malloc,
    /// Whether allocations of more than 128 MB fail.
    pub small_blocks: bool,
    /// What a read of a `volatile` variable gives.
    pub volatile: Volatile,
    /// What inline assembly does.
    pub assembly: Assembly,
    /// Code that is called when functions of the program are.
    pub watchers: Vec<crate::interpose::Watcher>,
    /// The function that runs start at, instead of `main`.
    pub start: Option<String>,
    /// Functions whose definition in a file is taken out: they have no body, or another file's.
    pub removed: Vec<(PathBuf, String)>,
    /// Clauses that are tried on functions: a name, and calls of `__prova_requires` and the like.
    pub contracts: Vec<(String, String)>,
}

/// What the preprocessor is always told: that it is us, and names of types that CBMC knows without
/// a declaration.
const ALWAYS: [&str; 4] = [
    "-D__PROVA__=1",
    "-D__CPROVER_size_t=__SIZE_TYPE__",
    "-D__CPROVER_ssize_t=__PTRDIFF_TYPE__",
    "-D__CPROVER_bool=_Bool",
];

/// Whether the allocation of a block may fail. More than half the address space always does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Malloc {
    /// Each may.
    #[default]
    MayFail,
    /// None does.
    NeverFails,
}

/// What a read of something `volatile` gives. It may change by means that the program does not
/// show: hardware, another process, a signal handler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Volatile {
    /// Any value of its type, each time.
    #[default]
    Arbitrary,
    /// What the program wrote.
    Plain,
}

/// What inline assembly does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Assembly {
    /// Nobody knows: it is not modelled where it is reached.
    #[default]
    Unmodelled,
    /// It changes what it names as its outputs, to anything, and goes on behind itself.
    Outputs,
}

/// What the preprocessor is told about one file; comes behind what it is told about all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileOptions {
    /// Folders to look for headers in, after the others.
    pub include_dirs: Vec<PathBuf>,
    /// The language standard, unless all files have one.
    pub std: Option<String>,
    /// More words, as in [`Options::words`].
    pub words: Vec<String>,
}

impl Options {
    /// The same for one file alone: what it is told besides is told as if it were all there is.
    pub fn of_file(&self, path: &Path) -> Cow<'_, Options> {
        if self.per_file.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut options = self.clone();
        if let Some(file) = self.per_file.get(path) {
            options.tell(file);
        }
        options.per_file.clear();
        Cow::Owned(options)
    }

    /// Tells all files this.
    pub fn tell(&mut self, file: &FileOptions) {
        self.include_dirs.extend(file.include_dirs.iter().cloned());
        self.std = self.std.take().or_else(|| file.std.clone());
        self.words.extend(file.words.iter().cloned());
    }
}

/// Larger texts are refused, in MB. Parsing takes about 100 bytes of memory per byte of text.
pub const LARGEST: u64 = 16;

/// The text of a file: as it is for `.i`, preprocessed otherwise.
pub fn read(path: &Path, options: &Options) -> Result<String, Diagnostic> {
    let shown = path.display();
    let refuse = |why: String| Diagnostic::error(why, None);
    let metadata = std::fs::metadata(path)
        .map_err(|e| refuse(format!("cannot read `{shown}`: {}", plain(&e))))?;
    if metadata.is_dir() {
        return Err(refuse(format!("`{shown}` is a folder, not a C file")));
    }
    if !metadata.is_file() {
        return Err(refuse(format!("`{shown}` is not a regular file")));
    }
    let largest = options.max_source.unwrap_or(LARGEST);
    let check = |size: u64| {
        if size <= largest << 20 {
            return Ok(());
        }
        let size = size as f64 / f64::from(1 << 20);
        let why =
            format!("`{shown}` is too large: {size:.1} MB, where at most {largest} are taken");
        Err(refuse(why).with_note("`--max-source MB` raises the limit", None))
    };
    check(metadata.len())?;
    let bytes = if path.extension().is_some_and(|e| e == "i") {
        std::fs::read(path).map_err(|e| refuse(format!("cannot read `{shown}`: {}", plain(&e))))?
    } else {
        run(path, &options.of_file(path))?
    };
    check(bytes.len() as u64)?;
    Ok(text_of(bytes))
}

/// An I/O error without Rust's error number.
fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error")
        .next()
        .unwrap_or(&text)
        .to_lowercase()
}

fn run(path: &Path, options: &Options) -> Result<Vec<u8>, Diagnostic> {
    let compiler = std::env::var("CC").ok().filter(|c| !c.trim().is_empty());
    let compiler = compiler.unwrap_or_else(|| "cc".into());
    let mut words = compiler.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words).arg("-E");
    if cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
        command.arg(match options.model {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        });
    }
    if let Some(std) = &options.std {
        command.arg(format!("-std={std}"));
    }
    for dir in &options.include_dirs {
        command.arg("-I").arg(dir);
    }
    command.args(ALWAYS);
    command.args(&options.words);
    for define in &options.defines {
        command.arg(format!("-D{define}"));
    }
    // Whatever the file is called, it is C; and a name must not be taken for an option.
    let mut name = OsString::new();
    if path.to_string_lossy().starts_with('-') {
        name.push("./");
    }
    name.push(path);
    command.args(["-x", "c"]).arg(name).stdin(Stdio::null());
    // Ctrl-C is for us: a compiler that it ended would look like one that failed.
    command.process_group(0);

    let output = command.output().map_err(|e| {
        Diagnostic::error(
            format!("cannot run the C compiler `{compiler}`: {}", plain(&e)),
            None,
        )
        .with_note(
            "install one, or name one in the environment variable CC",
            None,
        )
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let mut diagnostic = Diagnostic::error(
        format!("`{compiler} -E` cannot preprocess `{}`", path.display()),
        None,
    )
    .with_note(format!("the compiler says:\n{}", said.trim_end()), None);
    if options.model == DataModel::Ilp32 && said.contains("No such file") {
        diagnostic = diagnostic.with_note(
            "for 32 bits the system's headers come with the package `gcc-multilib`",
            None,
        );
    }
    Err(diagnostic)
}

/// Bytes that are not UTF-8 become octal escapes: right inside literals, where old files have
/// them, harmless in comments, and refused anywhere else.
fn text_of(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let bytes = error.into_bytes();
            let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
            for chunk in bytes.utf8_chunks() {
                text.push_str(chunk.valid());
                for byte in chunk.invalid() {
                    text.push_str(&format!("\\{byte:03o}"));
                }
            }
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_beyond_ascii_become_escapes() {
        assert_eq!(text_of(b"\"caf\xe9\"".to_vec()), "\"caf\\351\"");
        assert_eq!(text_of("é".as_bytes().to_vec()), "é");
    }
}
