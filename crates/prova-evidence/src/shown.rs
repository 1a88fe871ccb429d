//! How a compiled program shows that a property is violated: by a function of the harness that is
//! called, or by a sanitizer of the compiler that complains.

use prova_spec::{Property, Spec};

/// How a violation shows.
#[derive(Clone, Debug)]
pub enum Shown {
    /// The harness's error functions are called; these are errors.
    Harness(Spec),
    /// A sanitizer complains.
    Sanitizer(&'static Sanitizer),
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
}

impl Sanitizer {
    /// Whether it complains in what a program wrote: a line of its own form with one of its marks.
    pub fn complains(&self, errors: &str) -> bool {
        let form = ["runtime error: ", "AddressSanitizer: ", "LeakSanitizer: "];
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
};
const DIVISION: Sanitizer = Sanitizer {
    checks: "integer-divide-by-zero,float-divide-by-zero",
    marks: &["runtime error: division by zero"],
};
const SHIFT: Sanitizer = Sanitizer {
    checks: "shift",
    marks: &["shift exponent", "left shift of"],
};
const NULL: Sanitizer = Sanitizer {
    checks: "null",
    marks: &["null pointer"],
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
        "AddressSanitizer: SEGV",
        "AddressSanitizer: unknown-crash",
        "out of bounds",
        "null pointer",
    ],
};
const FREE: Sanitizer = Sanitizer {
    checks: "address",
    marks: &["attempting free on", "attempting double-free"],
};
const LEAK: Sanitizer = Sanitizer {
    checks: "address",
    marks: &["LeakSanitizer: detected memory leaks"],
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
        Property::ValidMemtrack | Property::ValidMemcleanup => &LEAK,
        // The compiler has no sanitizer for these.
        _ => return Shown::Nothing,
    })
}

/// A property as the competition's files say it, for a program that starts at a function.
pub fn specification(property: &str, entry: &str) -> String {
    let formula = match property {
        "unreach-call" => "G ! call(reach_error())",
        "no-overflow" => "G ! overflow",
        "valid-deref" => "G valid-deref",
        "valid-free" => "G valid-free",
        "valid-memtrack" => "G valid-memtrack",
        "valid-memcleanup" => "G valid-memcleanup",
        other => return format!("CHECK( init({entry}()), LTL(G {other}) )"),
    };
    format!("CHECK( init({entry}()), LTL({formula}) )")
}
