//! The C harness: it gives a native run of the original program what a recorded run was given,
//! and makes it unmistakable whether the error was reached.
//!
//! | file | what it holds |
//! |---|---|
//! | `functions` | functions the program calls and does not define; inputs; functions that are errors |
//! | `allocations` | wrapped allocations: which fail, what blocks hold, which are left at the end |
//! | `data` | the recorded values as C tables |
//! | `*.c` | the fixed parts |
//!
//! All C names start with `prova_`; what the linker has to see under another name gets it by an
//! assembler label. No header is used. So a harness can be a file of its own or include the
//! program's source, which is how `static` entry functions are called.

mod allocations;
mod data;
mod functions;
mod names;

use crate::recording::{Argument, Recording, Returned};
use crate::supply::{supply, Supply};
use crate::Sources;
pub use allocations::Left;
use allocations::{may_fail, Allocations};
pub use data::unset_name;
pub use functions::{always_errors, Function, Functions};
use names::Named;
use prova_ir::{Program, Statement};
use prova_spec::Spec;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

/// Exit status of a native run that reached the error.
pub const REACHED: i32 = 99;
/// Of one in which an assumption does not hold.
pub const ASSUMED: i32 = 98;
/// Of one that asked for something else than what was recorded.
pub const DIVERGED: i32 = 97;
/// Of one that asked for more than what was recorded.
pub const EXHAUSTED: i32 = 96;

/// A harness.
#[derive(Clone, Debug)]
pub struct Harness {
    /// The C text.
    pub text: String,
    /// Which source it includes, so that this is not to be compiled by itself.
    pub includes: Option<usize>,
    /// Functions that the linker has to wrap.
    pub wraps: Vec<String>,
    /// What is printed in brackets behind the message that the error was reached.
    pub token: String,
}

/// What a harness is made for.
pub struct Made<'a> {
    /// The program with its errors woven in.
    pub program: &'a Program,
    /// The files.
    pub sources: &'a Sources,
    /// What the harness shows as an error; nothing if a sanitizer of the compiler does.
    pub errors: Option<&'a Spec>,
    /// Which blocks that are left at the end are an error.
    pub left: Option<Left>,
    /// Whether a sanitizer looks at every access.
    pub accesses: bool,
    /// The paths under which they are compiled: their own, or those of copies.
    pub paths: &'a [PathBuf],
    /// How to build and run it, for the comment on top.
    pub how: &'a [String],
}

/// What some of several runs depend on, so that their harness has a part for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sections {
    /// Uninitialised variables.
    pub unset: bool,
    /// Blocks from `malloc`.
    pub blocks: bool,
    /// Unknown objects.
    pub unknown: bool,
    /// Arguments, of `main` or of an entry function.
    pub arguments: bool,
    /// Functions without a body that write.
    pub effects: bool,
    /// Files that are opened.
    pub files: bool,
}

impl Sections {
    /// What these runs depend on.
    pub fn of<'a>(recordings: impl IntoIterator<Item = &'a Recording>) -> Sections {
        let mut found = Sections::default();
        for r in recordings {
            found.effects |= r.writes();
            found.files |= opens_files(&r.program);
            found.unset |= !r.unset.is_empty();
            found.blocks |= !r.blocks.is_empty();
            found.unknown |= !r.unknown_pages.is_empty();
            found.arguments |= r.entry.is_some() || !r.arguments.is_empty();
        }
        found
    }
}

/// What a harness defines.
struct Parts {
    sections: Sections,
    functions: Functions,
    allocations: Allocations,
    /// Whether a sanitizer looks at every access.
    accesses: bool,
}

impl Parts {
    fn of(made: &Made, sections: Sections, recordings: &[&Recording]) -> Parts {
        let each = recordings.iter();
        let returned: Vec<Returned> = each.flat_map(|r| r.returned.iter().cloned()).collect();
        let absent = recordings.iter().flat_map(|r| r.absent.iter().cloned());
        let absent: BTreeSet<String> = absent.collect();
        Parts {
            sections,
            accesses: made.accesses,
            functions: Functions::of(made.program, made.errors, &returned, &absent),
            allocations: Allocations {
                fail: may_fail(made.program),
                contents: sections.blocks,
                left: made.left,
            },
        }
    }

    /// Functions that the linker has to wrap.
    fn wraps(&self) -> Vec<String> {
        let main = self.sections.arguments.then(|| "main".to_owned());
        let mut all: Vec<String> = main.into_iter().collect();
        all.extend(self.allocations.wraps());
        all.extend(self.functions.wraps());
        if self.accesses {
            all.push("fgets".into());
        }
        if self.sections.files {
            all.extend(["fopen".to_owned(), "fopen64".to_owned()]);
        }
        all
    }

    /// What every harness has.
    fn runtime(&self) -> String {
        let exit = format!("__asm__(\"{}\")", self.allocations.exit());
        include_str!("runtime.c").replace("__asm__(\"_exit\")", &exit)
    }
}

/// Makes the harness of a recorded run.
pub fn harness(made: &Made, recording: &Recording) -> Harness {
    let sections = Sections::of([recording]);
    let parts = Parts::of(made, sections, &[recording]);
    let data = data::tables(recording, sections) + &externals(recording);
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    recording.message.hash(&mut hasher);
    let token = format!("{:016x}", hasher.finish());
    let mut text = head(made, recording, &token);
    text.push_str(&parts.runtime());
    text.push_str("\n/* --- The test. --- */\n\n");
    text.push_str(&data);
    text.push('\n');
    text.push_str(&fixed_parts(&parts));
    text.push_str(&start(made, recording));
    Harness {
        text,
        includes: included(made, recording),
        wraps: parts.wraps(),
        token,
    }
}

/// Makes the harness of several runs, whose values stand in files of their own.
pub fn suite_harness(made: &Made, recordings: &[&Recording]) -> Harness {
    let sections = Sections::of(recordings.iter().copied());
    let parts = Parts::of(made, sections, recordings);
    let token = "suite".to_owned();
    let mut text = format!(
        "/* The tests of {}. Each is a file of its own, named by PROVA_TEST:\n\n",
        comment(&made.sources.names().join(", "))
    );
    for line in made.how {
        let _ = writeln!(text, "     {}", comment(line));
    }
    let _ = write!(
        text,
        "\n   Exit status {REACHED}: an error was reached. {ASSUMED}: an assumption does not hold. \
         {DIVERGED}: the run\n   asked for something else than what was recorded. {EXHAUSTED}: it \
         asked for more.\n   Anything else is the program's own. */\n\n#define PROVA_TOKEN \"{token}\"\n\n"
    );
    text.push_str(&parts.runtime());
    text.push_str("\n/* --- The test: its values. --- */\n\n#include PROVA_TEST\n\n");
    text.push_str(&fixed_parts(&parts));
    if sections.arguments {
        text.push_str("\n/* --- The test: how it starts. --- */\n\n");
        text.push_str("#define PROVA_START\n#include PROVA_TEST\n");
    }
    Harness {
        text,
        includes: recordings.first().and_then(|r| included(made, r)),
        wraps: parts.wraps(),
        token,
    }
}

/// The values of one run, as a file for the harness of several.
pub fn suite_test(made: &Made, recording: &Recording, sections: Sections) -> String {
    let data = data::tables(recording, sections) + &externals(recording);
    let start = start(made, recording);
    format!("#ifndef PROVA_START\n{data}#else\n{start}#endif\n")
}

fn included(made: &Made, recording: &Recording) -> Option<usize> {
    let entry = recording.entry.as_ref()?;
    Some(made.sources.holding(&recording.program, entry.span))
}

/// Whether a program opens files that the world has.
fn opens_files(program: &Program) -> bool {
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    bodies.flat_map(|b| &b.edges).any(|e| {
        matches!(&e.statement, Statement::Nondet { origin, .. } if supply(origin) == Supply::Opens)
    })
}

/// The parts that do not depend on values.
fn fixed_parts(parts: &Parts) -> String {
    let sections = parts.sections;
    let mut text = String::from(include_str!("inputs.c"));
    if sections.effects {
        text.push('\n');
        text.push_str(include_str!("effects.c"));
    }
    text.push_str(&parts.functions.text());
    if sections.files || !parts.allocations.fail.is_empty() {
        text.push('\n');
        text.push_str(include_str!("fails.c"));
    }
    text.push_str(&parts.allocations.text());
    if sections.files {
        text.push('\n');
        text.push_str(include_str!("files.c"));
    }
    if parts.accesses {
        text.push('\n');
        text.push_str(include_str!("fgets.c"));
    }
    for (wanted, part) in [
        (sections.unset, include_str!("uninitialised.c")),
        (sections.unknown, include_str!("unknown.c")),
    ] {
        if wanted {
            text.push('\n');
            text.push_str(part);
        }
    }
    text
}

fn head(made: &Made, recording: &Recording, token: &str) -> String {
    let mut text = String::from("/* A failing test");
    let names: Vec<String> = made.sources.names();
    let _ = write!(
        text,
        " of {}: {}\n   at {}.\n\n",
        names.join(", "),
        comment(&recording.message),
        comment(&crate::place(&recording.program, recording.span)),
    );
    if let Some(bytes) = &recording.stdin {
        let literal = crate::c_types::readable_literal(bytes);
        let _ = write!(text, "   Standard input: {}\n\n", comment(&literal));
    }
    text.push_str("   Build it and run it; nothing but a C compiler is needed:\n\n");
    for line in made.how {
        let _ = writeln!(text, "     {}", comment(line));
    }
    let _ = match made.errors.is_some() || made.left.is_some() {
        _ if recording.again.is_some() => write!(
            text,
            "\n   It does not end. If a round asks for values, it is stopped when it has gone round a\n   \
             million times: the last line on standard error is then `prova: error reached: … [{token}]`\n   \
             and the exit status is {REACHED}. */\n\n"
        ),
        true => write!(
            text,
            "\n   The error happened if the last line on standard error is\n   `prova: error reached: \
             … [{token}]` and the exit status is {REACHED}. */\n\n"
        ),
        false => text.write_str(
            "\n   The error happened if the compiler's sanitizer complains on standard error. */\n\n",
        ),
    };
    let _ = write!(text, "#define PROVA_TOKEN \"{token}\"\n\n");
    text
}

/// Text that does not end a comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /")
}

/// Variables that are declared and defined nowhere.
fn externals(recording: &Recording) -> String {
    let mut text = String::new();
    let defined: Vec<_> = recording
        .externals
        .iter()
        .filter(|v| v.size > 0 && v.size <= data::LARGEST)
        .collect();
    if !defined.is_empty() {
        text.push_str("\n/* --- Variables that are declared and defined nowhere. --- */\n\n");
    }
    for (i, variable) in defined.iter().enumerate() {
        let bytes = data::dense(&variable.bytes, variable.size);
        let _ = writeln!(
            text,
            "char prova_variable_{i}[{}] __asm__(\"{}\") __attribute__((aligned({}))) = {};",
            variable.size,
            variable.name,
            variable.align.max(1),
            crate::c_types::string_literal(&bytes),
        );
    }
    text
}

/// What runs instead of `main`: the entry function, or `main` with recorded arguments.
fn start(made: &Made, recording: &Recording) -> String {
    let mut text = String::new();
    let opening = "int prova_start() __asm__(\"__wrap_main\");\nint prova_start()\n{\n";
    if let Some(entry) = &recording.entry {
        let index = made.sources.holding(&recording.program, entry.span);
        text.push_str(
            "\n/* --- The program, and a call of the function that was checked. --- */\n\n",
        );
        let _ = writeln!(text, "#include \"{}\"\n", made.paths[index].display());
        let own = |span| made.sources.holding(&recording.program, span) == index;
        let named = Named::of(entry, own);
        text.push_str(&named.declarations);
        text.push_str(opening);
        for variable in &entry.globals {
            let contents = data::piece(&variable.name, variable.size, &variable.bytes);
            let at = named.address(&variable.name);
            let _ = writeln!(
                text,
                "    {{ static const struct prova_bytes contents = {contents};\n      \
                 prova_copy({at}, &contents, {}); }}",
                variable.size
            );
        }
        for (variable, place) in &entry.pointers {
            let at = named.address(&variable.name);
            let to = named.place(place);
            let _ = writeln!(text, "    *(void **){at} = {to};");
        }
        let mut names = Vec::new();
        for (i, argument) in entry.arguments.iter().enumerate() {
            names.push(format!("prova_argument_{i}"));
            let (ty, size, bytes) = match argument {
                Argument::Scalar(scalar, bits) => {
                    let size = scalar.bits(recording.program.model).div_ceil(8);
                    let bytes = crate::recording::non_zero(&bits.to_le_bytes()[..size as usize]);
                    let _ = writeln!(text, "    /* {} */", scalar.show(*bits));
                    (scalar.name().to_owned(), u64::from(size), bytes)
                }
                Argument::Structure(name, size, bytes) => (name.clone(), *size, bytes.clone()),
                Argument::Own(place) => {
                    let at = named.place(place);
                    let _ = writeln!(text, "    void *prova_argument_{i} = {at};");
                    continue;
                }
            };
            let contents = data::piece(&format!("argument {}", i + 1), size, &bytes);
            let _ = writeln!(
                text,
                "    {ty} prova_argument_{i};\n    \
                 {{ static const struct prova_bytes contents = {contents};\n      \
                 prova_copy(&prova_argument_{i}, &contents, sizeof prova_argument_{i}); }}"
            );
        }
        let _ = writeln!(
            text,
            "    {}({});\n    return 0;\n}}",
            entry.function,
            names.join(", ")
        );
    } else if !recording.arguments.is_empty() {
        text.push_str("\n/* --- The arguments of main. --- */\n\n");
        text.push_str("extern int prova_main() __asm__(\"__real_main\");\n");
        text.push_str(opening);
        let arguments: Vec<String> = recording
            .arguments
            .iter()
            .map(|(scalar, bits)| match scalar {
                crate::c_types::Scalar::Pointer => format!("(void *){:#x}", bits),
                _ => format!("({}){}", scalar.name(), scalar.low_constant(*bits)),
            })
            .collect();
        let _ = writeln!(text, "    return prova_main({});\n}}", arguments.join(", "));
    }
    let first = recording
        .program
        .entry
        .filter(|_| recording.entry.is_none());
    let first = first.map(|e| recording.program.procedure(e).c_name.as_str());
    if let Some(first) = first.filter(|name| !name.is_empty() && *name != "main") {
        text.push_str("\n/* --- Where the program starts. --- */\n\n");
        let _ = writeln!(
            text,
            "extern void prova_first() __asm__(\"{first}\");\nint main()\n{{\n    \
             prova_first();\n    return 0;\n}}"
        );
    }
    text
}
