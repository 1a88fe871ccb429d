//! What lies outside of a C program: every function that a program may call without defining it is
//! of one of three kinds, and this crate alone decides which.
//!
//! | kind | what a call means |
//! |---|---|
//! | [`Kind::Modelled`] | what the model says: C text of ours ([`MODELS`]), or a statement that the front end puts in its place ([`DIRECT`]) |
//! | [`Kind::Known`] | a function of C's library, of POSIX, of glibc or of the compiler that nobody modelled: no verdict passes through it |
//! | [`Kind::Own`] | a function of the user's own that is not at hand: what it does is told by `--undefined` |
//!
//! Only the last may be guessed, and only with the assumption said. What would be unsound: a
//! function of the library that this table takes for the user's own. `known.txt` therefore lists
//! all that glibc exports or declares, whether anybody calls it or not.
//!
//! The models are tested against the real library (`tests/` of `prova-c`).

mod models;
mod variables;

pub use models::{Model, MODELS};
use std::collections::HashSet;
use std::sync::LazyLock;
pub use variables::{is_linker_symbol, is_variable};

/// What a function without a body in the program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// There is a model of it.
    Modelled,
    /// It is the library's or the compiler's, and there is none.
    Known,
    /// It is the user's.
    Own,
}

/// Functions for which the front end puts statements in the place of a call.
pub const DIRECT: &[&str] = &[
    "malloc",
    "calloc",
    "alloca",
    "free",
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "memcpy",
    "memmove",
    "memset",
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "signal",
];

/// What models call with bytes that leave the program; only the machine knows it.
pub const PRINT: &str = "__prova_print";

/// The same with a format and the slots of its arguments.
pub const PRINTF: &str = "__prova_printf";

/// Whether this is what models call to print: it changes nothing that a program can see.
pub fn only_prints(name: &str) -> bool {
    name == PRINT || name == PRINTF
}

/// What a failed assertion in another verifier's words calls; its argument is the text.
pub const FAILED_ASSERTION: &str = "__prova_assert_fail";

/// Whether so many bytes from a pointer on may be read. The weaving of properties answers this and
/// the next ones; nobody defines them.
pub const READABLE: &str = "__prova_ask_readable";
/// The same for writing.
pub const WRITABLE: &str = "__prova_ask_writable";
/// Whether two pointers lead to one object.
pub const SAME_OBJECT: &str = "__prova_ask_same_object";
/// How far from the start of its object a pointer leads.
pub const OFFSET: &str = "__prova_ask_offset";
/// How large the object is that a pointer leads to.
pub const OBJECT_SIZE: &str = "__prova_ask_object_size";

/// What programs may ask about pointers in the words of other verifiers.
pub const ASKED: &[&str] = &[READABLE, WRITABLE, SAME_OBJECT, OFFSET, OBJECT_SIZE];

/// Whether a function only asks something, in another verifier's words: it changes nothing.
pub fn is_question(name: &str) -> bool {
    const WORDS: [&str; 7] = [
        "r_ok",
        "w_ok",
        "rw_ok",
        "same_object",
        "POINTER_OBJECT",
        "POINTER_OFFSET",
        "OBJECT_SIZE",
    ];
    let word = name.strip_prefix("__CPROVER_");
    word.is_some_and(|w| WORDS.contains(&w) || w.starts_with("overflow_"))
}

/// Whether a name is one that another verifier gives a meaning, and that no program defines.
fn is_word(name: &str) -> bool {
    let own = ["__CPROVER_uninterpreted_", "__CPROVER_file_local_"];
    let word = name.starts_with("__CPROVER_") || name.starts_with("klee_");
    word && !own.iter().any(|prefix| name.starts_with(prefix))
}

/// What failed assertions call: the end of the program, or the error that is looked for.
pub const ASSERTIONS: &[&str] = &[
    FAILED_ASSERTION,
    "__assert_fail",
    "__assert_perror_fail",
    "__assert",
    "_assert",
    "__assert_c99",
    "__assert_func",
    "__assert_rtn",
];

static KNOWN: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("../known.txt").lines().collect());

static MODELLED: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let models = MODELS.iter().flat_map(|m| m.functions);
    models
        .chain(DIRECT)
        .chain(ASSERTIONS)
        .chain(&[PRINT, PRINTF])
        .copied()
        .collect()
});

/// What a function is that the program calls and does not define, by its C name.
pub fn kind(name: &str) -> Kind {
    let plain = plain_name(name);
    if MODELLED.contains(name) || MODELLED.contains(plain) || is_competition(name) {
        return Kind::Modelled;
    }
    let compiler = ["__builtin_", "__sync_", "__atomic_"];
    let known = KNOWN.contains(name) || KNOWN.contains(plain) || is_word(name);
    match known || compiler.iter().any(|prefix| name.starts_with(prefix)) {
        true => Kind::Known,
        false => Kind::Own,
    }
}

/// Functions whose checked forms (`__memcpy_chk`) take the same arguments and then the size of the
/// target, or whose calls the front end takes apart itself.
const CHECKED: &[&str] = &[
    "memcpy", "memmove", "mempcpy", "memset", "strcpy", "stpcpy", "strncpy", "stpncpy", "strcat",
    "strncat", "wcscpy", "wcpcpy", "wcsncpy", "wcscat", "wcsncat", "wmemcpy", "wmemmove",
    "wmempcpy", "wmemset", "read", "printf", "fprintf", "sprintf", "snprintf",
];

/// Whether a function is one that the competition's rules define: inputs, and what says how a run
/// goes on. Other names that look like theirs are the user's own.
pub fn is_competition(name: &str) -> bool {
    const OTHERS: [&str; 4] = ["assume", "error", "atomic_begin", "atomic_end"];
    let word = name.strip_prefix("__VERIFIER_");
    word.is_some_and(|w| w.starts_with("nondet_") || OTHERS.contains(&w))
}

/// The library function that a compiler's name for it stands for: `__builtin_memcpy` and
/// `__memcpy_chk` are `memcpy`.
pub fn plain_name(name: &str) -> &str {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    name.strip_prefix("__")
        .and_then(|inner| inner.strip_suffix("_chk"))
        .filter(|inner| CHECKED.contains(inner))
        .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_has_one_kind() {
        for name in ["strlen", "malloc", "__builtin_strlen", "__memcpy_chk"] {
            assert_eq!(kind(name), Kind::Modelled, "{name}");
        }
        for name in [
            "pthread_create",
            "longjmp",
            "fork",
            "__builtin_frame_address",
            // Its arguments come in another order than those of `fgets`.
            "__fgets_chk",
            "__vsnprintf_chk",
        ] {
            assert_eq!(kind(name), Kind::Known, "{name}");
        }
        for name in ["frobnicate", "kmalloc", "reach_error"] {
            assert_eq!(kind(name), Kind::Own, "{name}");
        }
    }

    #[test]
    fn the_table_is_sorted_and_says_nothing_twice() {
        let names: Vec<&str> = include_str!("../known.txt").lines().collect();
        for pair in names.windows(2) {
            assert!(pair[0] < pair[1], "{} and {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn what_is_modelled_is_in_the_table_of_what_is_known() {
        let all = MODELS.iter().flat_map(|m| m.functions).chain(DIRECT);
        let own = |f: &str| f.starts_with("__prova_") || is_word(f);
        let missing: Vec<&&str> = all.filter(|f| !KNOWN.contains(**f) && !own(f)).collect();
        assert_eq!(missing, Vec::<&&str>::new());
    }
}
