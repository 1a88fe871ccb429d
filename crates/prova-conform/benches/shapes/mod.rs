//! Components of any length, of several shapes, and a machine for each that it conforms to.

use std::fmt::Write;

/// Actions; a state of a machine allows one or two of them.
const ACTIONS: usize = 8;

/// A shape's name, and what makes one of so many lines.
pub type Maker = (&'static str, fn(usize) -> Shape);

/// What components look like.
pub const SHAPES: [Maker; 6] = [
    ("calls", calls),
    ("constants", constants),
    ("counter", counter),
    ("one branch", one_branch),
    ("switch", switch),
    ("long cases", long_cases),
];

/// The lines of a component, and the states of its machine.
pub struct Shape {
    /// The lines of the component.
    pub lines: Vec<String>,
    /// The states of the machine.
    pub states: Vec<String>,
}

impl Shape {
    fn new() -> Shape {
        Shape {
            lines: Vec::new(),
            states: Vec::new(),
        }
    }
}

/// The component's text.
pub fn component(shape: &Shape) -> String {
    let mut text = String::new();
    for action in 0..ACTIONS {
        let _ = writeln!(text, "void a{action}(void);");
    }
    let lines = shape.lines.join("\n    ");
    let _ = writeln!(
        text,
        "int f(int n)\n{{\n    int x = 0;\n    {lines}\n    return 0;\n}}"
    );
    text
}

/// The machine's.
pub fn specification(shape: &Shape) -> String {
    let mut text = String::new();
    for action in 0..ACTIONS {
        let _ = writeln!(
            text,
            "machine A{action} {{ s: a{action} -> d; d: return void; }}\n\
             assume void a{action}(void) : A{action};"
        );
    }
    let states = shape.states.join("\n    ");
    let _ = writeln!(
        text,
        "machine M {{\n    {states}\n}}\ntarget int f(int n) : M;"
    );
    text
}

fn act(number: usize) -> String {
    format!("a{}", number % ACTIONS)
}

/// One call after another.
fn calls(size: usize) -> Shape {
    let mut shape = Shape::new();
    for i in 0..size {
        shape.lines.push(format!("{}();", act(i)));
        shape
            .states
            .push(format!("s{i}: {} -> s{};", act(i), i + 1));
    }
    shape.states.push(format!("s{size}: return 0;"));
    shape
}

/// A variable is set and asked for, all the way down.
fn constants(size: usize) -> Shape {
    asked(size, |i| {
        (format!("x = {};", i % 7), format!("x == {}", i % 7))
    })
}

/// A counter is counted up and asked for.
fn counter(size: usize) -> Shape {
    asked(size, |i| ("x = x + 1;".into(), format!("x == {}", i + 1)))
}

fn asked(size: usize, line: impl Fn(usize) -> (String, String)) -> Shape {
    let mut shape = Shape::new();
    let pairs = size / 2;
    for i in 0..pairs {
        let (sets, holds) = line(i);
        shape.lines.push(sets);
        let asks = format!("if ({holds}) {}(); else {}();", act(i), act(i + 1));
        shape.lines.push(asks);
        shape
            .states
            .push(format!("s{i}: {} -> s{};", act(i), i + 1));
    }
    shape.states.push(format!("s{pairs}: return 0;"));
    shape
}

/// What was decided at first is asked for in every line; the machine has a way for each answer.
fn one_branch(size: usize) -> Shape {
    let mut shape = Shape::new();
    shape.lines.push("x = n > 0;".into());
    shape.states.push("start: tau -> p0 | tau -> q0;".into());
    for i in 0..size {
        let line = format!("if (x) {}(); else {}();", act(i), act(i + 1));
        shape.lines.push(line);
        shape
            .states
            .push(format!("p{i}: {} -> p{};", act(i), i + 1));
        shape
            .states
            .push(format!("q{i}: {} -> q{};", act(i + 1), i + 1));
    }
    shape
        .states
        .push(format!("p{size}: return 0; q{size}: return 0;"));
    shape
}

/// A loop round a switch, with four lines for each of its cases.
fn switch(size: usize) -> Shape {
    let mut shape = Shape::new();
    let cases = size / 4;
    shape
        .lines
        .push(format!("while (x != {cases}) {{\n    switch (x) {{"));
    for i in 0..cases {
        let (action, next) = (act(i), i + 1);
        let case = format!("case {i}:\n        {action}();\n        x = {next};\n        break;");
        shape.lines.push(case);
        shape.states.push(format!("s{i}: {action} -> s{next};"));
    }
    shape
        .lines
        .push("default: a0(); return 1;\n    }\n    }".into());
    shape.states.push(format!("s{cases}: return 0;"));
    shape
}

/// The same with an action in each line: as many states as lines.
fn long_cases(size: usize) -> Shape {
    let mut shape = Shape::new();
    let cases = size / 4;
    shape
        .lines
        .push(format!("while (x != {cases}) {{\n    switch (x) {{"));
    for i in 0..cases {
        let mut case = format!("case {i}:");
        for line in 0..4 {
            let action = act(i + line);
            let (here, next) = (4 * i + line, 4 * i + line + 1);
            case.push_str(&format!(" {action}();"));
            case.push_str(if line == 3 { "" } else { "\n       " });
            shape.states.push(format!("s{here}: {action} -> s{next};"));
        }
        case.push_str(&format!(" x = {}; break;", i + 1));
        shape.lines.push(case);
    }
    shape
        .lines
        .push("default: a0(); return 1;\n    }\n    }".into());
    shape.states.push(format!("s{}: return 0;", 4 * cases));
    shape
}
