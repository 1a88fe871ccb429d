//! How a compiled program shows that a property is violated: by a function of the harness that is
//! called, by blocks that the harness finds at the end, or by a sanitizer of the compiler that
//! complains.

use crate::harness::Left;
use prova_spec::{Property, Spec};

/// How a violation shows.
#[derive(Clone, Debug)]
pub enum Shown {
    /// The harness's error functions are called; these are errors.
    Harness(Spec),
    /// The harness finds such blocks when the program ends.
    Blocks(Left),
    /// A sanitizer complains.
    Sanitizer(&'static Sanitizer),
    /// It does not end.
    Forever,
    /// It does not.
    Nothing,
}

/// A sanitizer of the compiler.
#[derive(Debug, PartialEq, Eq)]
pub struct Sanitizer {
    /// What `-fsanitize=` is told.
    pub checks: &'static str,
    /// One of these is part of a complaint.
    pub marks: &'static [&'static str],
    /// A signal that says the same where a library function does what is looked for.
    pub signal: Option<i32>,
}

impl Sanitizer {
    /// What its library is told, by the environment; the first one is enough most of the time, the
    /// others see what the first steps over. Leaks are the harness's business: to look for them a
    /// sanitizer would need another process; limits cannot be changed behind the wall.
    pub fn environments(&self) -> &'static [&'static [(&'static str, &'static str)]] {
        match self.is_large() {
            true => &[
                &[(
                    "ASAN_OPTIONS",
                    "detect_leaks=0:disable_coredump=0:symbolize=0:allocator_may_return_null=1:\
                     detect_stack_use_after_return=1",
                )],
                &[(
                    "ASAN_OPTIONS",
                    "detect_leaks=0:disable_coredump=0:symbolize=0:allocator_may_return_null=1:\
                     detect_stack_use_after_return=1:redzone=2048:max_redzone=2048",
                )],
            ],
            false => &[&[]],
        }
    }

    /// Whether it complains in what a program wrote: a line of its own form with one of its marks.
    pub fn complains(&self, errors: &str) -> bool {
        let form = ["runtime error: ", "AddressSanitizer: "];
        let own = |line: &&str| form.iter().any(|f| line.contains(f));
        let marked = |line: &str| self.marks.iter().any(|mark| line.contains(mark));
        errors.lines().filter(own).any(marked)
    }

    /// Whether it needs more address space than a limit would leave it.
    pub fn is_large(&self) -> bool {
        self.checks.contains("address")
    }
}

const OVERFLOW: Sanitizer = Sanitizer {
    checks: "signed-integer-overflow,shift",
    marks: &[
        "signed integer overflow",
        "cannot be represented in type",
        "left shift of",
    ],
    signal: None,
};
const DIVISION: Sanitizer = Sanitizer {
    checks: "integer-divide-by-zero,float-divide-by-zero",
    marks: &["runtime error: division by zero"],
    signal: Some(libc::SIGFPE),
};
const SHIFT: Sanitizer = Sanitizer {
    checks: "shift",
    marks: &["shift exponent", "left shift of"],
    signal: None,
};
const NULL: Sanitizer = Sanitizer {
    checks: "null,nonnull-attribute",
    marks: &["null pointer"],
    signal: None,
};
const ACCESS: Sanitizer = Sanitizer {
    checks: "address,null,bounds",
    marks: &[
        "AddressSanitizer: stack-buffer",
        "AddressSanitizer: heap-buffer-overflow",
        "AddressSanitizer: global-buffer-overflow",
        "AddressSanitizer: dynamic-stack-buffer-overflow",
        "AddressSanitizer: heap-use-after-free",
        "AddressSanitizer: stack-use-after",
        "AddressSanitizer: memcpy-param-overlap",
        "AddressSanitizer: strcpy-param-overlap",
        "AddressSanitizer: strncpy-param-overlap",
        "AddressSanitizer: strcat-param-overlap",
        "AddressSanitizer: strncat-param-overlap",
        "AddressSanitizer: negative-size-param",
        "AddressSanitizer: use-after-poison",
        "AddressSanitizer: SEGV",
        "AddressSanitizer: unknown-crash",
        "out of bounds",
        "null pointer",
    ],
    signal: None,
};
const FREE: Sanitizer = Sanitizer {
    checks: "address",
    marks: &["attempting free on", "attempting double-free"],
    signal: None,
};
/// How the violation of a property shows; `calls` says what is an error of `unreach-call`.
pub fn shown(property: &str, calls: &Spec) -> Shown {
    let Some(property) = Property::named(property) else {
        return Shown::Nothing;
    };
    Shown::Sanitizer(match property {
        Property::UnreachCall => return Shown::Harness(calls.clone()),
        Property::Assert => {
            return Shown::Harness(Spec {
                calls: false,
                assertions: true,
                ..Spec::default()
            })
        }
        Property::NoOverflow => &OVERFLOW,
        Property::NoDivZero => &DIVISION,
        Property::NoShiftError => &SHIFT,
        Property::NoNullDeref => &NULL,
        Property::ValidDeref => &ACCESS,
        Property::ValidFree => &FREE,
        Property::Termination => return Shown::Forever,
        Property::ValidMemtrack => return Shown::Blocks(Left::Lost),
        Property::ValidMemcleanup => return Shown::Blocks(Left::Any),
        // No compiled program shows these.
        _ => return Shown::Nothing,
    })
}

/// A property as the competition's files say it, for a program that starts at a function.
pub fn specification(property: &str, entry: &str) -> String {
    let formula = match property {
        "unreach-call" => "G ! call(reach_error())",
        "termination" => "F end",
        "no-overflow" => "G ! overflow",
        "valid-deref" => "G valid-deref",
        "valid-free" => "G valid-free",
        "valid-memtrack" => "G valid-memtrack",
        "valid-memcleanup" => "G valid-memcleanup",
        other => return format!("CHECK( init({entry}()), LTL(G {other}) )"),
    };
    format!("CHECK( init({entry}()), LTL({formula}) )")
}
