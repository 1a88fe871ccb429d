//! What `prova adequacy` prints, and its page.

use std::fmt::Write as _;
use std::io::Write;

use prova_adequacy::{Judged, Missing};
use prova_engine::engines::fabricate::states::{Abstract, By};
use prova_ir::{Assumption, Program, Span};
use prova_task::Unknown;

use super::ask::Answer;
use super::probes::Text;
use crate::input::place;
use crate::status::Status;
use crate::world::lines;

/// Everything there is to say.
pub struct Said<'a> {
    pub program: &'a Program,
    pub places: &'a [Judged],
    pub missing: &'a [Missing],
    pub answers: &'a [Answer],
    pub fabricated: usize,
    pub count: usize,
    pub closed: &'a Result<(), Unknown>,
    pub error: &'a Option<(Span, String)>,
    pub failing: Option<u32>,
    pub certified: &'a Option<Result<String, String>>,
    pub module: bool,
    /// States are ranges, not predicates.
    pub ranges: bool,
    pub assumed: &'a [Assumption],
    pub notes: &'a [String],
}

impl Said<'_> {
    /// An abstract state in C.
    fn state(&self, judged: &Judged, state: &Abstract) -> String {
        let mut parts = Vec::new();
        for (text, value) in judged.predicates.iter().zip(state) {
            match value {
                Some(true) => parts.push(text.clone()),
                Some(false) => parts.push(format!("!({text})")),
                None => {}
            }
        }
        match parts.is_empty() {
            true => "1".into(),
            false => parts.join(" && "),
        }
    }

    fn answer(&self, number: usize) -> String {
        match self.answers.get(number) {
            None => "not asked".into(),
            Some(Answer::Impossible) => "no run gets there (certified)".into(),
            Some(Answer::Open(why)) => format!("open: {why}"),
            Some(Answer::Test(inputs, _)) => {
                const SHOWN: usize = 8;
                let shown = inputs.iter().take(SHOWN);
                let told: Vec<String> = shown.map(|(n, v)| format!("{n} = {v}")).collect();
                let more = match inputs.len().saturating_sub(SHOWN) {
                    0 => String::new(),
                    more => format!(", and {more} more"),
                };
                format!("a test gets there: {}{more}", told.join(", "))
            }
        }
    }

    /// For people; what it ends with.
    pub fn text(&self, out: &mut dyn Write) -> std::io::Result<Status> {
        for (number, judged) in self.places.iter().enumerate() {
            if judged.states.is_empty() && judged.invariant.is_none() {
                writeln!(out, "{}: nothing gets here", judged.name)?;
                continue;
            }
            let shown = place(self.program, judged.span).unwrap_or_default();
            writeln!(out, "{} ({shown}):", judged.name)?;
            if let Some(range) = &judged.invariant {
                match &judged.tested {
                    Some(tested) => writeln!(out, "  covered by tests: {tested}")?,
                    None => writeln!(out, "  covered by tests: nothing")?,
                }
                writeln!(out, "  closed: {range}")?;
            }
            for (state, by) in &judged.states {
                let text = self.state(judged, state);
                match by {
                    By::Test(test) => writeln!(out, "  covered by test {}: {text}", test + 1)?,
                    By::Tests => writeln!(out, "  covered by tests: {text}")?,
                    By::Fabricated(_) | By::Nobody => {
                        let missing = self
                            .missing
                            .iter()
                            .position(|m| m.place == number && m.state == *state);
                        let Some(missing) = missing else { continue };
                        writeln!(out, "  missing: {text}")?;
                        if let Some(fabricated) = &self.missing[missing].fabricated {
                            writeln!(out, "    fabricated: {fabricated}")?;
                        }
                        writeln!(out, "    {}", self.answer(missing))?;
                    }
                }
            }
        }
        writeln!(
            out,
            "{} {}, {} missing, {} fabricated",
            self.count,
            match self.ranges {
                true => "places with ranges",
                false => "abstract states",
            },
            self.missing.len(),
            self.fabricated
        )?;
        if self.module {
            self.invariant(out)?;
        }
        let status = self.conclusion(out)?;
        for note in self.notes {
            writeln!(out, "{note}")?;
        }
        for line in lines(self.assumed) {
            writeln!(out, "assumed: {line}")?;
        }
        Ok(status)
    }

    /// The invariant of a module, as C.
    fn invariant(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Some(head) = self.places.iter().find(|p| p.name == "prova_head") else {
            return Ok(());
        };
        let certified = matches!(self.certified, Some(Ok(_)));
        let word = match certified {
            true => "invariant",
            false => "invariant, not proved",
        };
        writeln!(out, "{word}: {}", self.cases(head).join("\n  || "))
    }

    fn cases(&self, head: &Judged) -> Vec<String> {
        if let Some(range) = &head.invariant {
            return vec![format!("({range})")];
        }
        let states = head.states.iter();
        states
            .map(|(s, _)| format!("({})", self.state(head, s)))
            .collect()
    }

    /// The invariant of a module on one line, if it was certified.
    pub fn certified_invariant(&self) -> Option<String> {
        let head = self.places.iter().find(|p| p.name == "prova_head")?;
        matches!(self.certified, Some(Ok(_))).then(|| self.cases(head).join(" || "))
    }

    fn conclusion(&self, out: &mut dyn Write) -> std::io::Result<Status> {
        if let Some(test) = self.failing {
            writeln!(out, "test {} fails", test + 1)?;
            return Ok(Status::Violated);
        }
        if let Some((span, state)) = self.error {
            let shown = place(self.program, *span).unwrap_or_default();
            write!(out, "an error is possible at {shown}")?;
            match state.is_empty() {
                true => writeln!(out)?,
                false => writeln!(out, ", from the fabricated state {state}")?,
            }
        }
        let real = |a: &Answer| matches!(a, Answer::Test(..));
        let impossible = |a: &Answer| matches!(a, Answer::Impossible);
        let status = match self.closed {
            Err(_) if self.error.is_some() => Status::Unknown,
            Err(unknown) => {
                writeln!(out, "open: {unknown}")?;
                Status::Unknown
            }
            Ok(()) if self.count == 0 => {
                writeln!(
                    out,
                    "open: nothing is asked of any state; name predicates (--predicates)"
                )?;
                Status::Unknown
            }
            Ok(()) if self.missing.is_empty() => {
                match self.ranges {
                    true => writeln!(out, "adequate: the tests cover the ends of every range")?,
                    false => writeln!(out, "adequate: the tests cover every abstract state")?,
                }
                Status::Fine
            }
            Ok(()) if self.answers.iter().any(real) => {
                let tests = self.answers.iter().filter(|a| real(a)).count();
                writeln!(out, "not adequate: {tests} missing states are real")?;
                Status::Violated
            }
            Ok(()) if !self.answers.is_empty() && self.answers.iter().all(impossible) => {
                writeln!(out, "adequate: no run gets to what the tests do not cover")?;
                Status::Fine
            }
            Ok(()) => {
                writeln!(out, "open: some missing states may be real")?;
                Status::Unknown
            }
        };
        match self.certified {
            Some(Ok(line)) => {
                writeln!(
                    out,
                    "what is covered holds in all runs, and none reaches an error"
                )?;
                writeln!(out, "{line}")?;
            }
            Some(Err(why)) => writeln!(out, "no certificate: {why}")?,
            None => {}
        }
        Ok(status)
    }

    /// The source with its states.
    pub fn page(&self, texts: &Text) -> String {
        let escaped = |text: &str| {
            text.replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;")
        };
        let mut page = String::from(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Adequacy</title><style>\n\
             body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 80em; }\n\
             td { font: 13px/1.5 ui-monospace, monospace; white-space: pre; vertical-align: top; padding: 0 .6em; }\n\
             td.note { white-space: normal; } .covered { color: #262; } .missing { color: #a22; } .never { color: #777; }\n\
             .number { color: #999; text-align: right; }\n</style></head><body><h1>Adequacy</h1><table>\n",
        );
        for file in 0..texts.count() {
            let _ = writeln!(
                page,
                "<tr><td></td><td><b>{}</b></td><td></td></tr>",
                escaped(&texts.shown(file))
            );
            self.page_of(file, texts, &escaped, &mut page);
        }
        page.push_str("</table></body></html>\n");
        page
    }

    fn page_of(
        &self,
        file: usize,
        texts: &Text,
        escaped: &dyn Fn(&str) -> String,
        page: &mut String,
    ) {
        let own = |span: Span| {
            let named = self.program.files.get(span.file.index());
            named.and_then(|f| texts.named(&f.name)).unwrap_or(0) == file
        };
        for (number, line) in texts.text(file).lines().enumerate() {
            let line_number = number as u32 + 1;
            let mut notes = Vec::new();
            for (index, judged) in self.places.iter().enumerate() {
                if judged.span.line != line_number || !own(judged.span) {
                    continue;
                }
                if let Some(range) = &judged.invariant {
                    let tested = judged.tested.as_deref().unwrap_or("nothing");
                    notes.push(format!(
                        "<span class=\"covered\">{} (tests)</span>",
                        escaped(tested)
                    ));
                    notes.push(format!("closed: {}", escaped(range)));
                }
                for (state, by) in &judged.states {
                    let text = escaped(&self.state(judged, state));
                    let missing = self
                        .missing
                        .iter()
                        .position(|m| m.place == index && m.state == *state);
                    notes.push(match (by, missing) {
                        (By::Test(test), _) => {
                            format!("<span class=\"covered\">{text} (test {})</span>", test + 1)
                        }
                        (By::Tests, _) => {
                            format!("<span class=\"covered\">{text} (tests)</span>")
                        }
                        (_, Some(missing)) => {
                            let class = match self.answers.get(missing) {
                                Some(Answer::Impossible) => "never",
                                _ => "missing",
                            };
                            let answer = escaped(&self.answer(missing));
                            format!("<span class=\"{class}\">{text}: {answer}</span>")
                        }
                        (_, None) => String::new(),
                    });
                }
            }
            let _ = writeln!(
                page,
                "<tr><td class=\"number\">{line_number}</td><td>{}</td><td class=\"note\">{}</td></tr>",
                escaped(line),
                notes.join("<br>")
            );
        }
    }
}
