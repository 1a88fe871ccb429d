//! A C text that shows its actions: the component's own text, a routine for each assumption that
//! does what its machine does, and a caller that says what the component returned.
//!
//! Everything behind this (the front end, the model, tests, native runs, the checker) works on one
//! and the same text. What is appended depends on what the text is for ([`Purpose`]): for the model
//! an action is an assignment to one variable; for evidence, a step of a small monitor that says
//! when something happened that the specification cannot follow.

use crate::lts::syntax::{Abstraction, Role};
use crate::lts::{Action, ActionId, Lts, Value, TAU};
use crate::plan::Plan;
use std::fmt::Write;

/// What names of ours begin with.
pub const OWN: &str = "conform__";
/// The variable that actions are assigned to.
pub const SHOWN: &str = "conform__shown";
/// The function that calls the component.
pub const CALLER: &str = "conform__caller";

/// What a text is for.
pub enum Purpose<'a> {
    /// For the model: actions are assignments.
    Model,
    /// To show that the specification cannot follow: an error happens then.
    Follow(&'a Lts),
    /// To show that exactly these actions happen, one after another: an error happens then.
    Sequence(&'a [ActionId]),
    /// To see whether guards exclude each other and leave nothing out: an error happens where not.
    Guards(&'a Abstraction),
}

/// Whether the component is `main`: then it starts as programs do.
pub fn is_main(plan: &Plan) -> bool {
    plan.target.name.text == "main"
}

/// What comes before the component's text.
pub fn before(plan: &Plan) -> String {
    let mut text = String::new();
    for (_, action) in &plan.labels {
        if !plan.hidden.contains(action) {
            let _ = writeln!(text, "void {OWN}act_{action}(void);");
        }
    }
    if is_main(plan) {
        let _ = writeln!(text, "#define main {OWN}main");
    }
    text
}

/// What comes behind it.
pub fn behind(plan: &Plan, purpose: &Purpose) -> String {
    let mut out = Out {
        plan,
        text: String::new(),
    };
    if is_main(plan) {
        out.line("#undef main");
    }
    out.line("# 1 \"conform.c\"");
    out.line("extern int __VERIFIER_nondet_int(void);");
    out.line("extern void conform__wrong(void);");
    if let Purpose::Guards(abstraction) = purpose {
        out.guards(abstraction);
        return out.text;
    }
    out.actions(purpose);
    for (abstraction, machines) in &plan.assumed {
        out.routine(abstraction, machines);
    }
    out.caller(purpose);
    out.text
}

struct Out<'p, 'f> {
    plan: &'p Plan<'f>,
    text: String,
}

impl Out<'_, '_> {
    fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    /// A text of the user's at its place, so that messages show it there.
    fn own(&mut self, range: &std::ops::Range<usize>) {
        let file = self.plan.file;
        let name = file.source.name.replace(['"', '\\'], "_");
        let line = file.line(range.start);
        let column = file.text(&(0..range.start)).rfind('\n');
        let column = range.start - column.map_or(0, |n| n + 1);
        let text = file.text(range).replace('\n', " ");
        let _ = write!(self.text, "# {line} \"{name}\"\n{:column$}{text}\n", "");
    }

    /// The line markers back to our own text.
    fn ours(&mut self) {
        self.line("# 1 \"conform.c\"");
    }

    /// A function for each action.
    fn actions(&mut self, purpose: &Purpose) {
        self.line(format!("static int {SHOWN};"));
        match purpose {
            Purpose::Model | Purpose::Guards(_) => {}
            Purpose::Follow(lts) => self.follow(lts),
            Purpose::Sequence(actions) => self.sequence(actions),
        }
        for (number, action) in self.plan.alphabet.all() {
            if number == TAU || self.plan.hidden.contains(&number) {
                continue;
            }
            let body = match purpose {
                Purpose::Model | Purpose::Guards(_) => format!("{SHOWN} = {number};"),
                Purpose::Follow(_) | Purpose::Sequence(_) => {
                    format!("printf(\"{action}\\n\"); {OWN}happens({number});")
                }
            };
            self.line(format!("void {OWN}act_{number}(void) {{ {body} }}"));
        }
    }

    /// The specification as a monitor: all states in which it may be.
    fn follow(&mut self, lts: &Lts) {
        let n = lts.states.len();
        let mut rows = String::new();
        let mut count = 0;
        for (from, moves) in lts.moves.iter().enumerate() {
            for (action, to) in moves.iter().filter(|m| m.0 != TAU) {
                let _ = write!(rows, "{{{from}, {action}, {to}}}, ");
                count += 1;
            }
        }
        self.line("extern int printf(const char *, ...);");
        self.line(format!(
            "static unsigned char {OWN}now[{n}], {OWN}next[{n}];"
        ));
        let size = count.max(1);
        self.line(format!(
            "static const int {OWN}moves[{size}][3] = {{ {rows} }};"
        ));
        self.line(format!(
            "static void {OWN}begin(void) {{ int i; for (i = 0; i < {n}; i++) {OWN}now[i] = 0; \
             {OWN}now[{}] = 1; }}",
            lts.initial
        ));
        self.line(format!(
            "static void {OWN}happens(int action) {{\n\
             \x20 int i, any = 0;\n\
             \x20 for (i = 0; i < {n}; i++) {OWN}next[i] = 0;\n\
             \x20 for (i = 0; i < {count}; i++)\n\
             \x20   if ({OWN}moves[i][1] == action && {OWN}now[{OWN}moves[i][0]])\n\
             \x20     {OWN}next[{OWN}moves[i][2]] = any = 1;\n\
             \x20 for (i = 0; i < {n}; i++) {OWN}now[i] = {OWN}next[i];\n\
             \x20 if (!any) {{ printf(\"which the specification does not allow\\n\"); conform__wrong(); }}\n\
             }}"
        ));
    }

    /// A monitor that waits for one sequence of actions.
    fn sequence(&mut self, actions: &[ActionId]) {
        let numbers: Vec<String> = actions.iter().map(|a| a.to_string()).collect();
        let n = actions.len();
        self.line("extern int printf(const char *, ...);");
        self.line(format!("static int {OWN}at;"));
        self.line(format!(
            "static const int {OWN}wanted[{}] = {{ {} }};",
            n.max(1),
            numbers.join(", ")
        ));
        self.line(format!("static void {OWN}begin(void) {{ {OWN}at = 0; }}"));
        self.line(format!(
            "static void {OWN}happens(int action) {{\n\
             \x20 if ({OWN}at < {n} && {OWN}wanted[{OWN}at] == action) {{\n\
             \x20   {OWN}at++;\n\
             \x20   if ({OWN}at == {n}) conform__wrong();\n\
             \x20 }} else {OWN}at = {n} + 1;\n\
             }}"
        ));
    }

    /// `guard 0`, `guard 1`, … as C conditions; the last may be whatever is left.
    fn guarded(&mut self, abstraction: &Abstraction, then: impl Fn(usize) -> String) {
        for (number, case) in abstraction.cases.iter().enumerate() {
            if let Some(guard) = &case.guard {
                self.line("if (");
                self.own(guard);
                self.ours();
                self.line(")");
            }
            self.line(then(number));
            if case.guard.is_some() {
                self.line("else");
            }
        }
        if abstraction.cases.last().is_some_and(|c| c.guard.is_some()) {
            self.line(";");
        }
    }

    /// A routine that does what its machines do.
    fn routine(&mut self, abstraction: &Abstraction, machines: &[Lts]) {
        let file = self.plan.file;
        let void = abstraction.is_void(file);
        let name = &abstraction.name.text;
        let result = file.text(&abstraction.result).replace('\n', " ");
        let plain: Vec<&str> = result
            .split_whitespace()
            .filter(|w| !["extern", "static", "inline"].contains(w))
            .collect();
        let result = plain.join(" ");
        let parameters = file.text(&abstraction.parameters).replace('\n', " ");
        let arguments = abstraction.names.join(", ");
        let havoc = matches!(abstraction.role, Role::Assumption { havoc: true });
        if havoc {
            self.line(format!("extern void {OWN}writes_{name}({parameters});"));
        }
        if !void {
            self.line(format!("extern {result} {OWN}any_{name}(void);"));
        }
        self.own(&abstraction.result);
        self.line(format!("{name}({parameters})"));
        self.ours();
        self.line("{");
        if havoc {
            self.line(format!("{OWN}writes_{name}({arguments});"));
        }
        self.guarded(abstraction, |n| {
            format!("goto {OWN}m{n}_{};", machines[n].initial)
        });
        // Guards are known to leave nothing out, but compilers are not told.
        self.line("for (;;) ;");
        for (number, lts) in machines.iter().enumerate() {
            for state in lts.reach(lts.initial, |_| true) {
                let moves = &lts.moves[state as usize];
                let stops = moves.is_empty() && lts.states[state as usize] == "STOP";
                if stops {
                    continue;
                }
                self.line(format!("{OWN}m{number}_{state}: ;"));
                let steps: Vec<String> = moves
                    .iter()
                    .map(|&(action, to)| self.step(name, number, action, to))
                    .collect();
                match steps.as_slice() {
                    [] => self.line("for (;;) ;"),
                    [only] => self.line(only),
                    [most @ .., last] => {
                        self.line("switch (__VERIFIER_nondet_int()) {");
                        for (i, step) in most.iter().enumerate() {
                            self.line(format!("case {i}: {step}"));
                        }
                        self.line(format!("default: {last}"));
                        self.line("}");
                    }
                }
            }
        }
        self.line("}");
    }

    fn step(&self, name: &str, machine: usize, action: ActionId, to: u32) -> String {
        match self.plan.alphabet.action(action) {
            Action::Return(Value::Void) => "return;".to_string(),
            Action::Return(Value::Int(n)) => format!("return {n};"),
            Action::Return(_) => format!("return {OWN}any_{name}();"),
            _ if action == TAU || self.plan.hidden.contains(&action) => {
                format!("goto {OWN}m{machine}_{to};")
            }
            _ => format!("{{ {OWN}act_{action}(); goto {OWN}m{machine}_{to}; }}"),
        }
    }

    /// Who calls the component: where a guard holds, and then says what it returned.
    fn caller(&mut self, purpose: &Purpose) {
        let (plan, target) = (self.plan, self.plan.target);
        let parameters = plan.file.text(&target.parameters).replace('\n', " ");
        let main = is_main(plan);
        let name = if main { "main" } else { CALLER };
        let number = |action| plan.alphabet.find(&action).unwrap_or(TAU);
        self.line(format!("int {name}({parameters}) {{"));
        if matches!(purpose, Purpose::Follow(_) | Purpose::Sequence(_)) {
            self.line(format!("{OWN}begin();"));
        }
        let several = target.cases.len() > 1;
        self.guarded(target, |n| match several {
            true => format!("{OWN}act_{}();", number(Action::Enter(n))),
            false => ";".to_string(),
        });
        if target.cases.last().is_some_and(|c| c.guard.is_some()) {
            // Where no guard holds nothing is to be shown.
            let text = self.text.trim_end().trim_end_matches(';').to_string();
            self.text = text;
            self.line(" return 0;");
        }
        let component = if main {
            format!("{OWN}main")
        } else {
            target.name.text.clone()
        };
        let call = format!("{component}({})", target.names.join(", "));
        if target.is_void(plan.file) {
            self.line(format!("{call};"));
            let void = number(Action::Return(Value::Void));
            self.line(format!("{OWN}act_{void}();"));
        } else {
            let result = plan.file.text(&target.result).replace('\n', " ");
            let words = result.split_whitespace();
            let plain: Vec<&str> = words
                .filter(|w| !["extern", "static", "inline"].contains(w))
                .collect();
            self.line(format!("{} {OWN}result = {call};", plain.join(" ")));
            for (value, action) in plan.named_returns() {
                self.line(format!(
                    "if ({OWN}result == {value}) {OWN}act_{action}(); else"
                ));
            }
            let other = number(Action::Return(Value::Other));
            self.line(format!("{OWN}act_{other}();"));
        }
        self.line(format!("return {SHOWN};"));
        self.line("}");
    }

    /// Counts the guards that hold; it must be one.
    fn guards(&mut self, abstraction: &Abstraction) {
        let parameters = self
            .plan
            .file
            .text(&abstraction.parameters)
            .replace('\n', " ");
        self.line(format!("int {CALLER}({parameters}) {{ int {OWN}n = 0;"));
        for case in &abstraction.cases {
            if let Some(guard) = &case.guard {
                self.line("if (");
                self.own(guard);
                self.ours();
                self.line(format!(") {OWN}n++;"));
            }
        }
        let last = abstraction.cases.last().is_some_and(|c| c.guard.is_none());
        let wrong = if last { "> 1" } else { "!= 1" };
        self.line(format!("if ({OWN}n {wrong}) conform__wrong();"));
        self.line(format!("return {OWN}n; }}"));
    }
}
