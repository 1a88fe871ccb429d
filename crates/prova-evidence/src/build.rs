//! Command lines of the C compiler for a harness and the program's sources.

use crate::Sources;
use prova_ir::DataModel;
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What is compiled.
#[derive(Clone, Debug)]
pub struct Build<'a> {
    /// How the sources are read.
    pub sources: &'a Sources,
    /// The harness.
    pub harness: PathBuf,
    /// The sources or their copies, each with its number; the one that the harness includes is left
    /// out.
    pub files: Vec<(usize, PathBuf)>,
    /// The source that the harness includes.
    pub includes: Option<usize>,
    /// Functions to wrap.
    pub wraps: Vec<String>,
    /// Uninitialised variables start as zero.
    pub zeroed: bool,
    /// `inline` means what it meant before C99: a definition that others may call.
    pub old_inline: bool,
    /// Functions with a name of the library's that are called all the same, not computed by the
    /// compiler.
    pub called: Vec<String>,
    /// What the compiler's sanitizers are told to check.
    pub sanitize: Option<&'static str>,
    /// Where the program goes.
    pub output: PathBuf,
}

/// The option that makes uninitialised variables zero; compilers have it since about 2022.
pub const ZEROED: &str = "-ftrivial-auto-var-init=zero";

/// Words of other verifiers, as macros: what they mean in a native run. Where a run depends on more
/// than this says, the native run goes another way, and nothing is confirmed.
const WORDS: &[&str] = &[
    "__CPROVER_size_t=__SIZE_TYPE__",
    "__CPROVER_ssize_t=__PTRDIFF_TYPE__",
    "__CPROVER_bool=_Bool",
    "__CPROVER_assume(c)=__VERIFIER_assume(!!(c))",
    "__CPROVER_assert(c,...)=((c)?(void)0:(void)__prova_assert_fail(#c))",
    "__CPROVER_precondition(c,...)=((c)?(void)0:(void)__prova_assert_fail(#c))",
    "__CPROVER_postcondition(c,...)=((c)?(void)0:(void)__prova_assert_fail(#c))",
    "__CPROVER_r_ok(p,...)=((p)!=0)",
    "__CPROVER_w_ok(p,...)=((p)!=0)",
    "__CPROVER_rw_ok(p,...)=((p)!=0)",
    "__CPROVER_overflow_plus(a,b)=__builtin_add_overflow_p(a,b,(__typeof__((a)+(b)))0)",
    "__CPROVER_overflow_minus(a,b)=__builtin_sub_overflow_p(a,b,(__typeof__((a)+(b)))0)",
    "__CPROVER_overflow_mult(a,b)=__builtin_mul_overflow_p(a,b,(__typeof__((a)+(b)))0)",
    "klee_assume(c)=__VERIFIER_assume(!!(c))",
    "klee_assert(c)=((c)?(void)0:(void)__prova_assert_fail(#c))",
];

/// Functions whose arguments a sanitizer looks at, if they are called.
const COPIES: &[&str] = &[
    "memcpy", "memmove", "memset", "mempcpy", "memcmp", "memchr", "strlen", "strcpy", "strncpy",
    "stpcpy", "strcat", "strncat", "strcmp", "strncmp", "strchr", "strrchr", "strstr", "strdup",
];

/// Why there is no test suite of files that the compiler must be told different things about: all
/// tests are compiled by one command each.
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
    /// The commands, compiler first: one, unless files have flags of their own.
    pub fn commands(&self) -> Vec<Vec<OsString>> {
        let options = &self.sources.options;
        if options.per_file.is_empty() {
            return vec![self.command()];
        }
        let of = |index: usize| options.of_file(&self.sources.files[index]);
        let base = self.includes.map_or(Cow::Borrowed(options), of);
        let mut parts = vec![(base, &self.harness)];
        parts.extend(self.files.iter().map(|(i, path)| (of(*i), path)));
        let object = |n: usize| {
            let mut name = self.output.clone().into_os_string();
            name.push(format!(".{n}.o"));
            name
        };
        let mut commands = Vec::new();
        for (n, (options, path)) in parts.iter().enumerate() {
            let mut words = self.compile(options);
            words.extend(["-c".into(), "-o".into(), object(n), plain(path)]);
            commands.push(words);
        }
        let mut words = self.compile(options);
        words.extend(self.link());
        words.extend((0..parts.len()).map(object));
        words.push("-lm".into());
        commands.push(words);
        commands
    }

    /// The command, compiler first, for files that share their flags.
    pub fn command(&self) -> Vec<OsString> {
        let mut words = self.compile(&self.sources.options);
        words.extend(self.link());
        words.push(plain(&self.harness));
        words.extend(self.files.iter().map(|(_, f)| plain(f)));
        words.push("-lm".into());
        words
    }

    /// The compiler and what it is told about a file.
    fn compile(&self, options: &prova_c::Options) -> Vec<OsString> {
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
        let copies = self
            .sanitize
            .filter(|c| c.contains("address"))
            .map(|_| COPIES);
        let called = self.called.iter().map(String::as_str);
        for name in called.chain(copies.into_iter().flatten().copied()) {
            add(&format!("-fno-builtin-{name}"));
        }
        if self.zeroed {
            add(ZEROED);
        }
        if self.old_inline {
            add("-fgnu89-inline");
        }
        if self.in_other_words() {
            for word in WORDS {
                add(&format!("-D{word}"));
            }
        }
        for word in &options.words {
            add(word);
        }
        for define in &options.defines {
            add(&format!("-D{define}"));
        }
        for dir in &options.include_dirs {
            words.push("-I".into());
            words.push(dir.into());
        }
        words
    }

    /// Whether a source is written in the words of another verifier.
    fn in_other_words(&self) -> bool {
        let files = self.sources.files.iter();
        let mut texts = files.filter_map(|file| std::fs::read(file).ok());
        texts.any(|text| {
            let text = String::from_utf8_lossy(&text);
            text.contains("__CPROVER_") || text.contains("klee_")
        })
    }

    /// What the linker is told.
    fn link(&self) -> Vec<OsString> {
        // The harness comes first, so that its error functions replace the program's own; what
        // nothing defines is not called.
        let mut words: Vec<OsString> =
            vec!["-Wl,-z,muldefs,--unresolved-symbols=ignore-all".into()];
        for name in &self.wraps {
            words.push(format!("-Wl,--wrap={name}").into());
        }
        words.push("-o".into());
        words.push(self.output.clone().into());
        words
    }

    /// The commands as lines for a shell.
    pub fn lines(&self) -> Vec<String> {
        let line = |words: &Vec<OsString>| {
            let words: Vec<String> = words.iter().map(|w| quoted(w)).collect();
            words.join(" ")
        };
        self.commands().iter().map(line).collect()
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
