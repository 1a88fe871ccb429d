//! How a native run gets what a recorded run was given by the world: decided here, by name.
//!
//! | what was recorded | how the native run gets it |
//! |---|---|
//! | a value of `__VERIFIER_nondet_…` or of the user's own missing function | the harness defines the function |
//! | what `rand`, `time`, … returned | the linker wraps the function, the wrapper returns it |
//! | whether `malloc`, `strdup`, … fails | the linker wraps the function; the wrapper fails, or calls it |
//! | a byte of standard input | the real standard input, a pipe |
//! | whether `fopen` fails, and the bytes of what it opens | the linker wraps `fopen`; it fails, or opens a real file with these bytes |
//!
//! Everything else that has no body in the program is the C library's, and runs for real.

use prova_ir::Origin;
use prova_library::Kind;

/// The name under which bytes of standard input are recorded: 0 to 255, and -1 at its end.
pub const STANDARD_INPUT: &str = "stdin";
/// As before, for files that the program opens.
pub const FILE: &str = "file";
/// The name under which it is recorded whether a file cannot be opened.
pub const OPENS: &str = "fopen";

/// How a value gets into a native run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
    /// A function that the harness defines returns it.
    Defined,
    /// A function of the library, wrapped, returns it.
    Wrapped,
    /// It says whether an allocation fails.
    Fails,
    /// It is a byte of standard input.
    StandardInput,
    /// It says whether a file cannot be opened.
    Opens,
    /// It is a byte of a file.
    File,
    /// The native run makes its own.
    Own,
}

/// How a value of this origin gets into a native run.
pub fn supply(origin: &Origin) -> Supply {
    match origin {
        Origin::Input(name) if name == STANDARD_INPUT => Supply::StandardInput,
        Origin::Input(name) if name == FILE => Supply::File,
        Origin::Input(name) if name == OPENS => Supply::Opens,
        Origin::Input(name) if allocation(name).is_some() => Supply::Fails,
        Origin::Input(name) if is_defined(name) => Supply::Defined,
        Origin::Input(name) if RETURNED.contains(&name.as_str()) => Supply::Wrapped,
        Origin::Undefined(name) if is_defined(name) => Supply::Defined,
        _ => Supply::Own,
    }
}

/// Whether the harness defines a function that the program does not: the user's own, and those of
/// verifiers. All others are the library's.
pub fn is_defined(name: &str) -> bool {
    name.starts_with("__VERIFIER_") || prova_library::kind(name) == Kind::Own
}

/// Functions of the library whose results are inputs: what was recorded is what they return.
const RETURNED: &[&str] = &[
    "clock", "drand48", "getegid", "geteuid", "getgid", "getpid", "getppid", "getuid", "isatty",
    "lrand48", "mrand48", "rand", "rand_r", "random", "sleep", "time", "usleep",
];

/// A function that gives a block of memory.
#[derive(Debug, PartialEq, Eq)]
pub struct Allocation {
    /// Its name.
    pub name: &'static str,
    /// How many parameters it has, each as large as a pointer.
    pub parameters: usize,
    /// Where the block comes from and goes.
    pub shape: Shape,
}

/// How an allocation takes and gives blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// It returns the block, or null.
    Returns,
    /// It returns the block and takes an old one, its first argument.
    Replaces,
    /// It stores the block where its first argument points to, and returns zero or an error.
    Stores,
    /// As before, and returns a length or -1.
    StoresText,
    /// It replaces the block that its first argument points to, and returns a length or -1.
    ReplacesText,
}

/// Functions of the library that give a block which `free` takes back.
pub const ALLOCATIONS: &[Allocation] = &[
    of("malloc", 1, Shape::Returns),
    of("calloc", 2, Shape::Returns),
    of("realloc", 2, Shape::Replaces),
    of("reallocarray", 3, Shape::Replaces),
    of("aligned_alloc", 2, Shape::Returns),
    of("memalign", 2, Shape::Returns),
    of("valloc", 1, Shape::Returns),
    of("pvalloc", 1, Shape::Returns),
    of("posix_memalign", 3, Shape::Stores),
    of("strdup", 1, Shape::Returns),
    of("strndup", 2, Shape::Returns),
    of("wcsdup", 1, Shape::Returns),
    of("vasprintf", 3, Shape::StoresText),
    of("asprintf", 2, Shape::StoresText),
    of("getline", 3, Shape::ReplacesText),
    of("getdelim", 4, Shape::ReplacesText),
];

const fn of(name: &'static str, parameters: usize, shape: Shape) -> Allocation {
    Allocation {
        name,
        parameters,
        shape,
    }
}

/// The allocation with this name.
pub fn allocation(name: &str) -> Option<&'static Allocation> {
    ALLOCATIONS.iter().find(|a| a.name == name)
}

/// Variables that the C library defines.
const OBJECTS: &[&str] = &[
    "stdin",
    "stdout",
    "stderr",
    "optarg",
    "optind",
    "opterr",
    "optopt",
    "environ",
    "__environ",
    "errno",
    "signgam",
    "timezone",
    "daylight",
    "tzname",
    "program_invocation_name",
    "program_invocation_short_name",
];

/// Whether a variable is the C library's.
pub fn is_object(name: &str) -> bool {
    OBJECTS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_inputs_and_the_user_s_own_functions_are_supplied() {
        let input = |name: &str| supply(&Origin::Input(name.into()));
        assert_eq!(input("__VERIFIER_nondet_int"), Supply::Defined);
        assert_eq!(input("rand"), Supply::Wrapped);
        assert_eq!(input("strdup"), Supply::Fails);
        assert_eq!(input("opendir"), Supply::Own);
        assert_eq!(input("stdin"), Supply::StandardInput);
        assert_eq!(input("file"), Supply::File);
        assert_eq!(input("fopen"), Supply::Opens);
        let undefined = |name: &str| supply(&Origin::Undefined(name.into()));
        assert_eq!(undefined("frobnicate"), Supply::Defined);
        for library in ["pthread_create", "setjmp", "getchar", "modfl", "printf"] {
            assert_eq!(undefined(library), Supply::Own, "{library}");
            assert!(!is_defined(library));
        }
        assert_eq!(supply(&Origin::Choice("order".into())), Supply::Own);
    }
}
