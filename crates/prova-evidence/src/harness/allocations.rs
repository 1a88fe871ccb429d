//! The part of a harness that wraps the library's allocations: calls that failed fail again, blocks
//! hold what they held, and blocks that are left at the end are found.

use crate::supply::{supply, Allocation, Shape, Supply, ALLOCATIONS};
use prova_ir::{Program, Statement};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Which blocks at the end of a program are an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// All that were not freed.
    Any,
    /// Those that no global variable leads to.
    Lost,
}

/// What a harness does about allocations.
#[derive(Clone, Debug, Default)]
pub struct Allocations {
    /// Functions that may fail; whether a call does is among the recorded values.
    pub fail: BTreeSet<&'static str>,
    /// Whether the first contents of blocks are recorded.
    pub contents: bool,
    /// What is an error at the end.
    pub left: Option<Left>,
}

impl Left {
    /// The functions at whose call what is left is looked at. `exit` runs what comes at the end of
    /// a program, and after that every block is looked for; but which ones are lost has to be asked
    /// while the calls that lead there are still active.
    fn ends(self) -> impl Iterator<Item = (&'static str, usize)> {
        let exit = (self == Left::Lost).then_some(("exit", 1));
        ENDS.iter().copied().chain(exit)
    }
}

/// Functions that end the program without returning from `main`: name, parameters.
const ENDS: &[(&str, usize)] = &[
    ("abort", 0),
    ("_exit", 1),
    ("_Exit", 1),
    ("quick_exit", 1),
    ("__assert_fail", 4),
];

/// The allocations that may fail: all, if the program asks of any whether it does. Which of them a
/// model asks about is its business.
pub fn may_fail(program: &Program) -> BTreeSet<&'static str> {
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    let asks = bodies.flat_map(|b| &b.edges).any(|e| {
        matches!(&e.statement, Statement::Nondet { origin, .. } if supply(origin) == Supply::Fails)
    });
    let all = ALLOCATIONS.iter().map(|a| a.name);
    all.filter(|_| asks).collect()
}

impl Allocations {
    fn wraps_any(&self) -> bool {
        !self.fail.is_empty() || self.contents || self.left.is_some()
    }

    fn wrapped(&self) -> impl Iterator<Item = &'static Allocation> + '_ {
        ALLOCATIONS.iter().filter(|a| {
            let filled = self.contents && ["malloc", "calloc"].contains(&a.name);
            filled || self.left.is_some() || self.fail.contains(a.name)
        })
    }

    /// The functions that the linker has to wrap.
    pub fn wraps(&self) -> Vec<String> {
        let mut names: Vec<String> = self.wrapped().map(|a| a.name.to_owned()).collect();
        if self.left.is_some() {
            names.push("free".into());
        }
        if let Some(left) = self.left {
            names.extend(left.ends().map(|(n, _)| n.to_owned()));
        }
        names
    }

    /// The name of the function that ends a run of the harness itself.
    pub fn exit(&self) -> &'static str {
        match self.left {
            Some(_) => "__real__exit",
            None => "_exit",
        }
    }

    /// Their definitions.
    pub fn text(&self) -> String {
        if !self.wraps_any() {
            return String::new();
        }
        let mut text = String::from("\n/* --- Blocks of the heap. --- */\n\n");
        if self.contents {
            text.push_str(include_str!("blocks.c"));
        }
        if let Some(left) = self.left {
            text.push_str(include_str!("kept.c"));
            text.push_str(match left {
                Left::Any => include_str!("kept_any.c"),
                Left::Lost => include_str!("kept_lost.c"),
            });
            text.push_str(include_str!("kept_end.c"));
        }
        for allocation in self.wrapped() {
            text.push_str(&self.wrapper(allocation));
        }
        if let Some(left) = self.left {
            for (name, parameters) in left.ends() {
                text.push_str(&end(name, parameters));
            }
        }
        text
    }

    fn wrapper(&self, of: &Allocation) -> String {
        let name = of.name;
        let (mut types, mut named, given) = parameters(of.parameters);
        // What stands behind the dots goes to the function that takes a list.
        let variadic = name == "asprintf";
        if variadic {
            types.push_str(", ...");
            named.push_str(", ...");
        }
        let result = match of.shape {
            Shape::Returns | Shape::Replaces => "void *",
            Shape::Stores | Shape::StoresText => "int ",
            Shape::ReplacesText => "long ",
        };
        let mut text = format!(
            "\nextern {result}prova_real_{name}({types}) __asm__(\"__real_{name}\");\n\
             {result}prova_{name}({types}) __asm__(\"__wrap_{name}\");\n\
             {result}prova_{name}({named})\n{{\n"
        );
        if self.fail.contains(name) {
            let failed = match of.shape {
                Shape::Returns | Shape::Replaces => "0",
                Shape::Stores => "12", // ENOMEM
                Shape::StoresText | Shape::ReplacesText => "-1",
            };
            let _ = writeln!(
                text,
                "    if (prova_fails(\"{name}\", 12 /* ENOMEM */))\n        return {failed};"
            );
        }
        let kept = self.left.is_some();
        if kept && of.shape == Shape::ReplacesText {
            text.push_str("    void *old = *(void **)a0;\n");
        }
        let _ = match variadic {
            false => writeln!(text, "    {result}result = prova_real_{name}({given});"),
            true => writeln!(
                text,
                "    __builtin_va_list list;\n    __builtin_va_start(list, a1);\n    \
                 int result = prova_real_vasprintf({given}, (__UINTPTR_TYPE__)list);\n    \
                 __builtin_va_end(list);"
            ),
        };
        match name {
            "malloc" if self.contents => {
                text.push_str("    prova_fill(result, (unsigned long)a0);\n");
            }
            // It has an entry of its own, and is zero.
            "calloc" if self.contents => text.push_str("    prova_fill(0, 1);\n"),
            _ => {}
        }
        if kept {
            text.push_str(match of.shape {
                Shape::Returns => "    prova_keep(result);\n",
                Shape::Replaces => {
                    "    if (result)\n        prova_forget((void *)a0);\n    prova_keep(result);\n"
                }
                Shape::Stores => "    if (result == 0)\n        prova_keep(*(void **)a0);\n",
                Shape::StoresText => "    if (result >= 0)\n        prova_keep(*(void **)a0);\n",
                Shape::ReplacesText => {
                    "    if (*(void **)a0 != old) {\n        prova_forget(old);\n        \
                     prova_keep(*(void **)a0);\n    }\n"
                }
            });
        }
        text.push_str("    return result;\n}\n");
        text
    }
}

/// Parameters as types, with names, and as arguments.
fn parameters(count: usize) -> (String, String, String) {
    if count == 0 {
        return ("void".into(), "void".into(), String::new());
    }
    let all = |one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().join(", ");
    (
        all(&|_| "__UINTPTR_TYPE__".into()),
        all(&|i| format!("__UINTPTR_TYPE__ a{i}")),
        all(&|i| format!("a{i}")),
    )
}

/// A function that ends the program: what is left is looked at first.
fn end(name: &str, count: usize) -> String {
    let (types, named, given) = parameters(count);
    format!(
        "\nextern void prova_real_{name}({types}) __asm__(\"__real_{name}\");\n\
         void prova_end_{name}({types}) __asm__(\"__wrap_{name}\");\n\
         void prova_end_{name}({named})\n{{\n    prova_ends(__builtin_frame_address(0));\n    \
         prova_real_{name}({given});\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_wrapped_only_where_something_depends_on_them() {
        let none = Allocations::default();
        assert!(none.text().is_empty() && none.wraps().is_empty());
        let fails = Allocations {
            fail: BTreeSet::from(["strdup"]),
            ..Allocations::default()
        };
        assert_eq!(fails.wraps(), ["strdup"]);
        assert!(fails.text().contains("__wrap_strdup"));
        let left = Allocations {
            left: Some(Left::Lost),
            ..Allocations::default()
        };
        assert!(left.wraps().contains(&"free".to_owned()));
        assert!(left.wraps().contains(&"exit".to_owned()));
    }
}
