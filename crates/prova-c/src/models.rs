//! The library in C: models of functions that programs call but do not define. They are parsed
//! and linked only when needed, and lowered like any other code.

use crate::diagnostic::Diagnostic;
use crate::parse::{parse_text, Unit};
use crate::preprocess::Options;
use crate::scan::{declared_name, Names};
use lang_c::ast::ExternalDeclaration;
use lang_c::visit::Visit;
use prova_ir::DataModel;
use rustc_hash::FxHashSet;

/// Name of a group of models, its functions, its source.
struct Group {
    name: &'static str,
    functions: &'static [&'static str],
    source: &'static str,
}

const GROUPS: &[Group] = &[
    Group {
        name: "<string models>",
        functions: &[
            "memcpy",
            "memmove",
            "memset",
            "memcmp",
            "memchr",
            "mempcpy",
            "strlen",
            "strnlen",
            "strcmp",
            "strncmp",
            "strcpy",
            "strncpy",
            "stpcpy",
            "strcat",
            "strncat",
            "strchr",
            "strrchr",
            "strstr",
            "strdup",
            "strndup",
            "strspn",
            "strcspn",
            "strpbrk",
            "strcasecmp",
            "strncasecmp",
            "bzero",
            "index",
            "rindex",
            "tolower",
        ],
        source: include_str!("models/string.c"),
    },
    Group {
        name: "<ctype models>",
        functions: &[
            "isalpha",
            "isdigit",
            "isalnum",
            "isspace",
            "isupper",
            "islower",
            "isxdigit",
            "ispunct",
            "isprint",
            "isgraph",
            "iscntrl",
            "isblank",
            "isascii",
            "__ctype_b_loc",
            "toascii",
            "tolower",
            "toupper",
        ],
        source: include_str!("models/ctype.c"),
    },
    Group {
        name: "<stdlib models>",
        functions: &[
            "abs",
            "labs",
            "llabs",
            "atoi",
            "atol",
            "atoll",
            "strtol",
            "strtoul",
            "strtoll",
            "strtoull",
            "rand",
            "srand",
            "random",
            "qsort",
            "bsearch",
            "calloc",
            "realloc",
            "reallocarray",
            "__errno_location",
            "div",
            "ldiv",
        ],
        source: include_str!("models/stdlib.c"),
    },
    Group {
        name: "<math models>",
        functions: &[
            "fabs",
            "fabsf",
            "fabsl",
            "copysign",
            "copysignf",
            "floor",
            "floorf",
            "ceil",
            "ceilf",
            "trunc",
            "truncf",
            "round",
            "roundf",
            "fmin",
            "fmax",
            "fminf",
            "fmaxf",
            "fdim",
            "isnan",
            "isinf",
            "__isnan",
            "__isinf",
            "__finite",
            "finite",
            "__signbit",
            "__signbitf",
            "__fpclassify",
            "__fpclassifyf",
        ],
        source: include_str!("models/math.c"),
    },
];

/// Other functions of the library that may be called as `__builtin_…`.
const OTHERS: &[&str] = &[
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "vprintf",
    "vsprintf",
    "vsnprintf",
    "puts",
    "putchar",
    "fputs",
    "fputc",
    "fwrite",
    "malloc",
    "free",
    "abort",
    "exit",
    "_exit",
    "sqrt",
    "sin",
    "cos",
    "pow",
    "exp",
    "log",
    "sqrtf",
];

/// Whether this is a library function.
pub(crate) fn is_library(name: &str) -> bool {
    OTHERS.contains(&name) || GROUPS.iter().any(|g| g.functions.contains(&name))
}

/// The models a program needs: a parsed unit per group with a function that is mentioned and
/// not defined.
pub(crate) fn needed(units: &[Unit], options: &Options) -> Result<Vec<Unit>, Diagnostic> {
    let mut mentioned: FxHashSet<String> = FxHashSet::default();
    let mut defined: FxHashSet<String> = FxHashSet::default();
    for unit in units {
        look_over(unit, &mut mentioned, &mut defined);
    }
    let mut found: Vec<Unit> = Vec::new();
    let mut taken = [false; GROUPS.len()];
    loop {
        let next = GROUPS.iter().enumerate().find(|(index, group)| {
            !taken[*index]
                && group
                    .functions
                    .iter()
                    .any(|f| mentioned.contains(*f) && !defined.contains(*f))
        });
        let Some((index, group)) = next else {
            return Ok(found);
        };
        taken[index] = true;
        let head = match options.model {
            DataModel::Ilp32 => "typedef unsigned int size_t; ",
            DataModel::Lp64 => "typedef unsigned long size_t; ",
        };
        let unit = parse_text(group.name, format!("{head}{}", group.source), options)?;
        let mut own = FxHashSet::default();
        let mut uses = FxHashSet::default();
        look_over(&unit, &mut uses, &mut own);
        mentioned.extend(uses);
        found.push(unit);
    }
}

fn look_over(unit: &Unit, mentioned: &mut FxHashSet<String>, defined: &mut FxHashSet<String>) {
    let mut names = Names::default();
    names.visit_translation_unit(unit.ast());
    for name in names.mentioned {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let plain = plain
            .strip_prefix("__")
            .and_then(|p| p.strip_suffix("_chk"))
            .unwrap_or(plain);
        mentioned.insert(plain.to_string());
        mentioned.insert(name.to_string());
    }
    for external in &unit.ast().0 {
        if let ExternalDeclaration::FunctionDefinition(f) = &external.node {
            if let Some(name) = declared_name(&f.node.declarator.node) {
                defined.insert(name.node.name.clone());
            }
        }
    }
}
