//! Stories, proofs and unknowns as text for a terminal.

use crate::facts::{facts, FactsAt};
use crate::help::{busy, hints};
use crate::source::{file_name, place, Sources};
use crate::story::{replay, tell, Event, Line, Story};
use prova_exec::undefined::stands_in;
use prova_ir::{Assumption, ProcId, Program, Span};
use prova_task::proof::Ending;
use prova_task::{Input, Outcome, Proof, Report, Task, Unknown, Violation};
use std::io::{self, Write};

/// How text is painted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Paint {
    /// Whether colours are wanted.
    pub color: bool,
    /// Everything, however long.
    pub verbose: bool,
}

/// Lines of a story that are shown; the middle of a longer one is left out.
const MOST_LINES: usize = 60;

/// Facts that are shown of a proof, unless all are asked for.
const FIRST_FACTS: usize = 3;

/// Contracts that are shown.
const MOST_FACTS: usize = 12;

/// Where notes beside source lines begin, if the line is not longer.
const NOTES: usize = 46;

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        if self.color {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }
    /// Bold.
    pub fn bold(self, text: &str) -> String {
        self.with("1", text)
    }
    fn dim(self, text: &str) -> String {
        self.with("2", text)
    }
    fn red(self, text: &str) -> String {
        self.with("1;31", text)
    }
    fn green(self, text: &str) -> String {
        self.with("1;32", text)
    }
    fn yellow(self, text: &str) -> String {
        self.with("1;33", text)
    }
    fn note(self, text: &str) -> String {
        self.with("36", text)
    }
}

/// Prints what an engine came to, without statistics.
pub fn print(out: &mut dyn Write, paint: Paint, task: &Task, report: &Report) -> io::Result<()> {
    let sources = Sources::default();
    match &report.outcome {
        Outcome::Violated(violation) => {
            let story = replay(task, violation).map(|run| tell(&run, violation, &sources));
            violated(out, paint, &task.program, violation, story.as_ref())?;
            assumed(out, &task.program, report)
        }
        Outcome::Proved(proof) => proved(out, paint, &task.program, report, proof, &sources),
        Outcome::Bounded(bounded) => {
            let text = bounded.message(|s| place(&task.program, s));
            writeln!(out, "{}: {text}", paint.yellow("bounded"))?;
            writeln!(
                out,
                "  what happens in more rounds is not known (--bound sets the limit)"
            )?;
            scope(out, &task.program, report)
        }
        Outcome::Unknown(reason) => unknown(out, paint, &task.program, report, reason, &sources),
    }
}

fn violated(
    out: &mut dyn Write,
    paint: Paint,
    program: &Program,
    violation: &Violation,
    story: Option<&Story>,
) -> io::Result<()> {
    writeln!(
        out,
        "{}: {} at {}",
        paint.red("violated"),
        paint.bold(&violation.message),
        place(program, violation.span)
    )?;
    let writes = |i| stands_in(program, ProcId::new(i));
    let written = (0..program.procedures.len()).any(writes);
    if violation.inputs.is_empty() && !written {
        writeln!(out, "  on every run")?;
    }
    let shown = if paint.verbose { usize::MAX } else { 20 };
    let inputs = gathered(program, &violation.inputs, shown);
    for input in inputs.iter().take(shown) {
        writeln!(
            out,
            "  input {} = {}  {}",
            input.name,
            paint.bold(&input.value),
            paint.dim(&format!("({})", place(program, input.span)))
        )?;
    }
    if inputs.len() > shown {
        let more = inputs.len() - shown;
        writeln!(out, "  and {more} more inputs (--verbose lists all)")?;
    }
    match story {
        Some(story) => print_story(out, paint, story),
        None => Ok(()),
    }
}

/// Inputs as people read them: what one call gives again and again in one line, no more than `most` of
/// it, characters as a string, pointers by what they are.
fn gathered(program: &Program, inputs: &[Input], most: usize) -> Vec<Input> {
    let zone = program.model.unknown_zone();
    let pointer = |value: &str| {
        let address = u64::from_str_radix(value.strip_prefix("0x")?, 16).ok()?;
        let by = zone.contains(&address).then(|| address - zone.start)?;
        Some(match by {
            0 => "an object of the caller's".to_string(),
            by => format!("an object of the caller's at {by:#x}"),
        })
    };
    let mut found: Vec<Input> = Vec::new();
    let mut rest = inputs;
    while let Some(first) = rest.first() {
        let alike = |i: &&Input| i.name == first.name && i.span == first.span;
        let run = rest.iter().take_while(alike).count();
        let (here, behind) = rest.split_at(run);
        rest = behind;
        let mut one = first.clone();
        one.value = pointer(&first.value).unwrap_or(one.value);
        if run > 1 && first.name.ends_with("()") {
            let each = here.iter().map(|i| i.value.as_str());
            let bytes: Option<Vec<u8>> = each.clone().map(byte).collect();
            let characters = ["_char()", "_uchar()"]
                .iter()
                .any(|n| first.name.ends_with(n));
            one.value = match bytes.filter(|_| characters) {
                Some(bytes) => format!("{}, one after the other", crate::values::quoted(&bytes)),
                None => {
                    let values = each.take(most).collect::<Vec<_>>().join(", ");
                    match run.saturating_sub(most) {
                        0 => values,
                        more => format!("{values} and {more} more (--verbose lists all)"),
                    }
                }
            };
            found.push(one);
            continue;
        }
        found.push(one);
        found.extend(here[1..].iter().cloned());
    }
    found
}

fn byte(value: &str) -> Option<u8> {
    let number: i16 = value.parse().ok()?;
    (-128..=255).contains(&number).then_some(number as u8)
}

fn print_story(out: &mut dyn Write, paint: Paint, story: &Story) -> io::Result<()> {
    let mut lines = Vec::new();
    let mut file = String::new();
    if story.cut {
        lines.push(paint.dim("       … the beginning is left out: too many steps matter …"));
    }
    for event in &story.events {
        event_lines(paint, event, &mut file, &mut lines);
    }
    writeln!(out)?;
    if lines.len() > MOST_LINES && !paint.verbose {
        let (first, last) = (MOST_LINES / 2 - 5, MOST_LINES / 2 + 5);
        let left = lines.len() - first - last;
        lines.splice(
            first..first + left,
            [paint.dim(&format!(
                "       … {left} lines left out (--verbose shows them) …"
            ))],
        );
    }
    for line in lines {
        writeln!(out, "{line}")?;
    }
    writeln!(out)
}

fn event_lines(paint: Paint, event: &Event, file: &mut String, lines: &mut Vec<String>) {
    let indent = |depth: usize| "│ ".repeat(depth.min(12));
    match event {
        Event::Line(line) => {
            if line.file != *file {
                *file = line.file.clone();
                lines.push(format!("  {}", paint.bold(&line.file)));
            }
            lines.push(source_line(paint, line));
        }
        Event::Enter { function, depth } => lines.push(format!(
            "       {}{}",
            paint.dim(&format!("{}├─ ", indent(*depth))),
            paint.bold(function)
        )),
        Event::Leave {
            function,
            depth,
            value,
        } => lines.push(format!(
            "       {}{}",
            paint.dim(&format!("{}└─ ", indent(*depth))),
            paint.note(&format!("{function} returns {value}"))
        )),
        Event::Repeat { times, body, last } => {
            let before = lines.len();
            for event in body {
                event_lines(paint, event, file, lines);
            }
            let count = lines.len() - before;
            let last: Vec<String> = last
                .iter()
                .map(|c| format!("{} = {}", c.name, c.value))
                .collect();
            let mut text = match count {
                1 => format!("↻ × {times}"),
                n => format!("↻ these {n} lines × {times}"),
            };
            if !last.is_empty() {
                text += &format!(", at last {}", last.join(", "));
            }
            lines.push(format!("       {}", paint.yellow(&text)));
        }
    }
}

fn source_line(paint: Paint, line: &Line) -> String {
    let bars = "│ ".repeat(line.depth.min(12));
    let text = if line.text.is_empty() {
        &line.function
    } else {
        &line.text
    };
    let mut notes: Vec<String> = line
        .facts
        .iter()
        .map(|f| match f.values.as_str() {
            "" => f.condition.clone(),
            values => format!("{} ({values})", f.condition),
        })
        .collect();
    notes.extend(
        line.changes
            .iter()
            .map(|c| format!("{} = {}", c.name, c.value)),
    );
    let used = 2 * line.depth.min(12) + text.chars().count();
    let gap = " ".repeat(NOTES.saturating_sub(used).max(2));
    let number = match &line.failure {
        Some(_) => paint.red(&format!("✗{:>5}", line.line)),
        None => paint.dim(&format!("{:>6}", line.line)),
    };
    let mut shown = format!("{number} {}{text}", paint.dim(&bars));
    if !notes.is_empty() {
        shown += &format!("{gap}{}", paint.note(&notes.join(", ")));
    }
    if let Some(failure) = &line.failure {
        let gap = if notes.is_empty() { gap } else { "  ".into() };
        shown += &format!("{gap}{}", paint.red(failure));
    }
    shown
}

fn proved(
    out: &mut dyn Write,
    paint: Paint,
    program: &Program,
    report: &Report,
    proof: &Proof,
    sources: &Sources,
) -> io::Result<()> {
    match &report.scope.vacuous {
        Some(reason) => writeln!(out, "{}: {reason}", paint.yellow("proved, but vacuously"))?,
        None if proof.ends.is_some() => writeln!(out, "{}: every run ends", paint.green("proved"))?,
        None => writeln!(out, "{}: no run reaches an error", paint.green("proved"))?,
    }
    scope(out, program, report)?;
    for ending in proof.ends.iter().flatten() {
        writeln!(out, "  {}", ending_text(program, ending))?;
    }
    let all = facts(proof);
    if all.is_empty() {
        return contracts(out, paint, program, proof, sources);
    }
    writeln!(
        out,
        "  because of what holds at {} place{}:",
        all.len(),
        plural(all.len())
    )?;
    let facts = match paint.verbose {
        true => all.clone(),
        false => telling(&all),
    };
    let mut file = "";
    for fact in &facts {
        let name = file_name(program, fact.span);
        if name != file {
            file = name;
            writeln!(out, "  {}", paint.bold(name))?;
        }
        let text = sources.line(program, fact.span).trim().to_string();
        let gap = " ".repeat(NOTES.saturating_sub(text.chars().count()).max(2));
        writeln!(
            out,
            "{} {text}{gap}{}",
            paint.dim(&format!(
                "{}{:>5}",
                if fact.loop_head { "↻" } else { " " },
                fact.span.line
            )),
            paint.note(&fact.text())
        )?;
    }
    if all.len() > facts.len() {
        writeln!(
            out,
            "       and {} more (--verbose lists all)",
            all.len() - facts.len()
        )?;
    }
    contracts(out, paint, program, proof, sources)
}

/// The facts that tell most: invariants of loops first, in words of the source alone; anything else
/// only where there are none such. Those at heads of loops come first already.
fn telling(all: &[FactsAt]) -> Vec<FactsAt> {
    let own: Vec<FactsAt> = all.iter().filter_map(FactsAt::own).collect();
    let heads = own.iter().filter(|f| f.loop_head).count();
    let mut told = match (heads, own.len()) {
        (0, 0) => all.to_vec(),
        (0, _) => own,
        (heads, _) => own.into_iter().take(heads).collect(),
    };
    told.truncate(FIRST_FACTS);
    told
}

/// Why a loop ends, in a sentence.
pub fn ending_text(program: &Program, ending: &Ending) -> String {
    let at = place(program, ending.span);
    let (what, round) = match &ending.calls {
        None => (format!("the loop at {at} ends"), "round"),
        Some(name) => (format!("`{name}` at {at} returns"), "call of itself"),
    };
    match &ending.measure[..] {
        [] => format!("{what}: its rounds were counted"),
        [one] if ending.calls.is_none() => {
            let bound = match &ending.bound {
                Some(bound) => format!("; so there are at most `{bound}` rounds"),
                None => String::new(),
            };
            format!("{what}: `{one}` falls in every round and stays above 0{bound}")
        }
        [one] => format!("{what}: `{one}` falls in every {round} and stays above 0"),
        several => {
            let several: Vec<String> = several.iter().map(|m| format!("`{m}`")).collect();
            let (last, first) = several.split_last().expect("there are several");
            let first = first.join(", ");
            format!("{what}: in every {round} {first} falls, or else {last}, and stays above 0")
        }
    }
}

/// What is known of procedures that were not inlined.
fn contracts(
    out: &mut dyn Write,
    paint: Paint,
    program: &Program,
    proof: &Proof,
    sources: &Sources,
) -> io::Result<()> {
    let contracts = crate::contracts::contracts(proof);
    if contracts.is_empty() {
        return Ok(());
    }
    let procedures: std::collections::BTreeSet<&str> =
        contracts.iter().map(|c| c.function.as_str()).collect();
    writeln!(
        out,
        "  and of contracts of {} procedure{}:",
        procedures.len(),
        plural(procedures.len())
    )?;
    let shown = if paint.verbose {
        usize::MAX
    } else {
        MOST_FACTS
    };
    let mut said = "";
    for contract in contracts.iter().take(shown) {
        if contract.function != said {
            said = &contract.function;
            let text = sources.line(program, contract.span);
            let text = match text.trim() {
                "" => format!("{said}()"),
                text => text.to_string(),
            };
            let number = paint.dim(&format!("{:>6}", contract.span.line));
            writeln!(out, "{number} {text}")?;
        }
        writeln!(out, "       {}", paint.note(&contract.text()))?;
    }
    if contracts.len() > shown {
        let more = contracts.len() - shown;
        writeln!(out, "       and {more} more (--verbose lists all)")?;
    }
    Ok(())
}

/// A predicate that still fits a line.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_string(),
    }
}

fn unknown(
    out: &mut dyn Write,
    paint: Paint,
    program: &Program,
    report: &Report,
    reason: &Unknown,
    sources: &Sources,
) -> io::Result<()> {
    writeln!(out, "{}: {reason}", paint.yellow("unknown"))?;
    if let Some(span) = reason.span() {
        writeln!(out, "  at {}", place(program, span))?;
        let text = sources.line(program, span);
        if !text.trim().is_empty() {
            writeln!(
                out,
                "{} {}",
                paint.dim(&format!("{:>6}", span.line)),
                text.trim()
            )?;
        }
    }
    for (i, busy) in busy(program, report).iter().enumerate() {
        let how = if i == 0 { "keeps being refined" } else { "and" };
        let times = format!("{} times", busy.splits);
        writeln!(
            out,
            "  {how}: {}, {times}, at last by {}",
            busy.what,
            paint.note(&shortened(&busy.last))
        )?;
        let text = sources.line(program, busy.span);
        if !text.trim().is_empty() {
            let number = paint.dim(&format!("{:>6}", busy.span.line));
            writeln!(out, "{number} {}", text.trim())?;
        }
    }
    scope(out, program, report)?;
    for hint in hints(program, reason, report) {
        writeln!(out, "  try: {hint}")?;
    }
    writeln!(
        out,
        "  `prova explain unknown:{}` says more",
        reason.keyword()
    )
}

fn plural(n: usize) -> &'static str {
    if n == 1 {
        ""
    } else {
        "s"
    }
}

/// What a verdict assumes, functions without a body first. What they do *not* do matters to proofs
/// only.
fn assumed(out: &mut dyn Write, program: &Program, report: &Report) -> io::Result<()> {
    let violated = matches!(report.outcome, Outcome::Violated(_));
    let mut all: Vec<&Assumption> = report.scope.assumptions.iter().collect();
    all.retain(|a| !violated || a.concerns_violations());
    all.sort_by_key(|a| !matches!(a, Assumption::Function { .. }));
    for assumption in all {
        match assumption {
            Assumption::Function { calls, .. } => {
                let first = calls.first().map(|s| place(program, *s));
                writeln!(
                    out,
                    "  assumed: {assumption} ({} call{}, first at {})",
                    calls.len(),
                    plural(calls.len()),
                    first.unwrap_or_default()
                )?;
            }
            other => writeln!(out, "  assumed: {other}")?,
        }
    }
    Ok(())
}

/// What a verdict rests on.
fn scope(out: &mut dyn Write, program: &Program, report: &Report) -> io::Result<()> {
    let scope = &report.scope;
    assumed(out, program, report)?;
    let proved = matches!(report.outcome, Outcome::Proved(_));
    for (what, span) in scope.markers.iter().filter(|_| proved) {
        writeln!(
            out,
            "  not modelled, and avoided: {what} at {}",
            place(program, *span)
        )?;
    }
    if !scope.unreached.is_empty() {
        let shown: Vec<String> = scope
            .unreached
            .iter()
            .take(5)
            .map(|s: &Span| place(program, *s))
            .collect();
        let more = scope.unreached.len().saturating_sub(shown.len());
        let rest = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        writeln!(out, "  no test reached: {}{rest}", shown.join(", "))?;
    }
    Ok(())
}
