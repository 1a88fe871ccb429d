//! Invariants beside their source lines, in C as far as it goes.

use crate::c_text::c_text;
use prova_ir::{CType, Program, Span};
use prova_logic::Term;
use prova_task::{Invariant, Proof};
use serde::Serialize;

/// What a proof says at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FactsAt {
    /// Where.
    #[serde(skip)]
    pub span: Span,
    /// One of these holds; each is a conjunction.
    pub cases: Vec<Vec<String>>,
    /// Whether the place is the head of a loop.
    pub loop_head: bool,
}

/// Facts with more cases or longer ones are no longer read by anybody.
const MOST_CASES: usize = 4;
const LONGEST: usize = 100;

/// All that a proof says, by place; loop heads are marked. Of procedures that were not inlined,
/// only what holds at loops.
pub fn facts(proof: &Proof) -> Vec<FactsAt> {
    let mut heads = rustc_hash::FxHashMap::default();
    let mut is_head = |invariant: &Invariant| {
        let body = proof.program.procedure(invariant.procedure).body.as_ref();
        let loops = heads
            .entry(invariant.procedure)
            .or_insert_with(|| body.map(prova_ir::passes::loops::Loops::of));
        let loops = loops.as_ref();
        loops.is_some_and(|l| l.is_head(invariant.location))
    };
    // What holds inside models of the library is nobody's loop.
    let own = |span| proof.program.is_own(span);
    let worth = |i: &&Invariant| i.says_something() && !i.cases.is_empty() && own(i.span);
    let mut found: Vec<FactsAt> = Vec::new();
    let mut add = |invariant: &Invariant, loop_head: bool, text: &dyn Fn(Term) -> String| {
        let each = |case: &Vec<Term>| -> Vec<String> {
            let facts = case.iter().map(|&t| text(t));
            facts.filter(|f| !obvious(f)).collect()
        };
        let fact = FactsAt {
            span: invariant.span,
            cases: invariant.cases.iter().map(each).collect(),
            loop_head,
        };
        if !found.contains(&fact) && !fact.cases.iter().any(Vec::is_empty) {
            found.push(fact);
        }
    };
    // An exploration says the same few things in very many states.
    let told = std::cell::RefCell::new(rustc_hash::FxHashMap::<Term, String>::default());
    for invariant in proof.invariants.iter().filter(worth) {
        let text = |t| {
            let tell = || plain(&proof.program, &proof.terms.display(t).to_string());
            told.borrow_mut().entry(t).or_insert_with(tell).clone()
        };
        add(invariant, is_head(invariant), &text);
    }
    for contract in proof.contracts.iter().skip(1) {
        let text = |t| crate::contracts::words(proof, contract, t);
        for invariant in contract.invariants.iter().filter(worth) {
            if is_head(invariant) {
                add(invariant, true, &text);
            }
        }
    }
    found.sort_by_key(|f| (!f.loop_head, f.span));
    // What a loop's head says need not be said again in the same line.
    let mut said = rustc_hash::FxHashSet::default();
    found.retain(|f| said.insert((f.span.file, f.span.line, f.text())));
    found
}

/// Whether a fact only says that a variable's address is none of the first page's, which nobody
/// doubts.
fn obvious(fact: &str) -> bool {
    let address = fact
        .strip_prefix('&')
        .and_then(|f| f.strip_suffix(" > 4095"));
    address.is_some_and(|a| !a.contains(['&', '|', '(']))
}

/// A printed term as people know it: `mem[disk.0][&disk + 4]` is `disk.bytes`, and copies of a
/// variable that inlining made have its name, where that leaves no doubt.
pub fn plain(program: &Program, text: &str) -> String {
    let unsigned = |name: &str| {
        let name = name.split('#').next().unwrap_or(name);
        let mut registers = program.registers.iter();
        let register = registers.find(|r| r.name == name);
        let ctype = register.and_then(|r| r.ctype);
        ctype.is_some_and(|t| match program.ctypes.get(t) {
            CType::Int { signed, .. } => !signed,
            CType::Pointer(_) | CType::Bool => true,
            _ => false,
        })
    };
    own_names(&c_text(&memory(program, text, 0), &unsigned))
}

/// Reads nested deeper stay as they are.
const DEEPEST: u32 = 20;

fn memory(program: &Program, text: &str, depth: u32) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("mem[").filter(|_| depth < DEEPEST) {
        plain += &rest[..at];
        let behind = &rest[at + 4..];
        let address = behind
            .find("][")
            .and_then(|close| Some((close + 2, matching(&behind[close + 2..])?)));
        match address {
            Some((start, length)) => {
                let inside = memory(program, &behind[start..start + length], depth + 1);
                plain += &part_of(program, &inside)
                    .or_else(|| member_of(program, &inside))
                    .unwrap_or_else(|| format!("*({inside})"));
                rest = &behind[start + length + 1..];
            }
            None => {
                plain += "mem[";
                rest = behind;
            }
        }
    }
    plain + rest
}

/// What lies at `&name` or `&name + offset`.
fn part_of(program: &Program, address: &str) -> Option<String> {
    let (name, offset) = match address.strip_prefix('&')?.split_once(" + ") {
        Some((name, offset)) => (name, offset.parse().ok()?),
        None => (address.strip_prefix('&')?, 0),
    };
    let object = program.objects.iter().find(|o| o.name == name)?;
    let c_name = match object.c_name.as_str() {
        "" => name,
        c_name => c_name,
    };
    let path = crate::values::path_to_some(program, object.ctype, offset);
    Some(format!("{c_name}{path}"))
}

/// What lies at `p` or `p + offset`, if `p` is a variable that points to a structure.
fn member_of(program: &Program, address: &str) -> Option<String> {
    let (name, offset) = match address.split_once(" + ") {
        Some((name, offset)) => (name, offset.parse().ok()?),
        None => (address, 0),
    };
    let own = name.split('#').next().unwrap_or(name);
    let register = program.registers.iter().find(|r| r.name == own)?;
    let CType::Pointer(target) = program.ctypes.get(register.ctype?) else {
        return None;
    };
    if !matches!(program.ctypes.get(*target), CType::Record { .. }) {
        return None;
    }
    let path = crate::values::path_to_some(program, Some(*target), offset);
    let member = path.strip_prefix('.')?;
    Some(format!("{name}->{member}"))
}

/// Takes `.1` and `#2` off names, unless two names would become one.
fn own_names(text: &str) -> String {
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '#' | '.');
    let mut pieces: Vec<&str> = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (i, c) in text.char_indices() {
        if before.is_some_and(|b| word(b) != word(c)) {
            pieces.push(&text[start..i]);
            start = i;
        }
        before = Some(c);
    }
    pieces.push(&text[start..]);
    let base = |piece: &str| -> String {
        let mut name = piece;
        while let Some((front, number)) = name.rsplit_once(['.', '#']) {
            let numbered = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
            let named = front.starts_with(|c: char| c.is_alphabetic() || c == '_');
            if !(numbered && named) {
                break;
            }
            name = front;
        }
        name.to_string()
    };
    // Texts may be long: names are compared through a table.
    let mut bases: rustc_hash::FxHashMap<String, Option<&str>> = rustc_hash::FxHashMap::default();
    for &piece in &pieces {
        let one = bases.entry(base(piece)).or_insert(Some(piece));
        if *one != Some(piece) {
            *one = None;
        }
    }
    let shown = pieces.iter().map(|piece| {
        let base = base(piece);
        match bases.get(&base) {
            Some(Some(_)) => base,
            _ => piece.to_string(),
        }
    });
    shown.collect()
}

/// Where the bracket that encloses the text's beginning closes.
fn matching(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return Some(i),
            ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Parts of names that state of ours has, and temporaries.
const OURS: [&str; 9] = [
    "slot.", "size.", "offset.", "heap", "prova.", "entry.", "tmp", "open.", "unknown.",
];

/// Whether a fact is about variables of the source alone.
fn is_own(fact: &str) -> bool {
    let starts = |at: usize| {
        let before = fact[..at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '.')
    };
    let ours = OURS
        .iter()
        .any(|word| fact.match_indices(word).any(|(at, _)| starts(at)));
    !ours && !fact.contains(".set") && !fact.contains("0x6000") && !fact.contains("0x7000")
}

impl FactsAt {
    /// What of it is about variables of the source; `None` if that is nothing in some case.
    pub fn own(&self) -> Option<FactsAt> {
        let cases = self.cases.iter();
        let cases = cases.map(|c| c.iter().filter(|f| is_own(f)).cloned().collect());
        let cases: Vec<Vec<String>> = cases.collect();
        cases.iter().all(|c| !c.is_empty()).then_some(FactsAt {
            span: self.span,
            cases,
            loop_head: self.loop_head,
        })
    }

    /// In one line; of a long conjunction as much as fits.
    pub fn text(&self) -> String {
        match self.cases.as_slice() {
            [one] => shortened(one),
            cases if cases.len() <= MOST_CASES => {
                let cases: Vec<String> = cases
                    .iter()
                    .map(|c| format!("({})", c.join(" && ")))
                    .collect();
                let text = cases.join(" || ");
                if text.chars().count() > LONGEST {
                    self.size()
                } else {
                    text
                }
            }
            _ => self.size(),
        }
    }

    /// What the cases have in common, in words that are right for all of them: equal values, or
    /// the values that a variable takes.
    fn common(&self) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        let mut exact = self.cases.iter().all(|c| c.len() == 1);
        let first = self.cases.first()?;
        for fact in first {
            if self.cases.iter().all(|c| c.contains(fact)) {
                parts.push(fact.clone());
                continue;
            }
            let Some((name, _)) = value(fact) else {
                exact = false;
                continue;
            };
            let mut values: Vec<i128> = self
                .cases
                .iter()
                .filter_map(|c| c.iter().find_map(|f| value(f).filter(|v| v.0 == name)))
                .map(|v| v.1)
                .collect();
            if values.len() < self.cases.len() {
                exact = false;
                continue;
            }
            values.sort_unstable();
            values.dedup();
            let (low, high) = (*values.first()?, *values.last()?);
            if high - low + 1 == values.len() as i128 && values.len() > 2 {
                parts.push(format!("{low} <= {name} && {name} <= {high}"));
            } else if values.len() <= 4 {
                let each: Vec<String> = values.iter().map(|v| format!("{name} == {v}")).collect();
                parts.push(format!("({})", each.join(" || ")));
            } else {
                exact = false;
                parts.push(format!("{low} <= {name} && {name} <= {high}"));
            }
        }
        let mut text = String::new();
        for part in parts {
            if text.chars().count() + part.chars().count() > LONGEST {
                exact = false;
                continue;
            }
            if !text.is_empty() {
                text += " && ";
            }
            text += &part;
        }
        if text.is_empty() {
            return None;
        }
        Some(match exact && first.len() == 1 {
            true => text,
            false => format!("{text} ({} cases)", self.cases.len()),
        })
    }

    fn size(&self) -> String {
        if let Some(common) = self.common().filter(|_| self.cases.len() > 1) {
            return common;
        }
        let facts: usize = self.cases.iter().map(Vec::len).sum();
        match self.cases.len() {
            1 => format!("{facts} facts"),
            n => format!("one of {n} cases, {facts} facts in all"),
        }
    }
}

/// A fact that gives a variable a value.
fn value(fact: &str) -> Option<(&str, i128)> {
    let (name, value) = fact.split_once(" == ")?;
    let simple = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '#' | '[' | ']');
    let named = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (named && name.chars().all(simple)).then_some((name, value.parse().ok()?))
}

/// The facts that fit, shortest first, and how many more there are.
pub(crate) fn shortened(facts: &[String]) -> String {
    let mut facts: Vec<&String> = facts.iter().collect();
    facts.sort_by_key(|f| f.len());
    let mut text = String::new();
    for (i, fact) in facts.iter().enumerate() {
        if text.chars().count() + fact.chars().count() > LONGEST {
            let left = facts.len() - i;
            return match i {
                0 => format!("{left} fact{}", if left == 1 { "" } else { "s" }),
                _ => format!("{text} and {left} more"),
            };
        }
        if i > 0 {
            text += " && ";
        }
        text += fact;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::plain;
    use prova_ir::{DataModel, Program};

    #[test]
    fn state_of_ours_is_not_the_users() {
        for own in ["i < n", "resize.x == 1", "my_size == 3", "list->size > 0"] {
            assert!(super::is_own(own), "{own}");
        }
        for ours in [
            "slot.p == 1",
            "size.p > 3 && i < n",
            "&heap[] == p",
            "tmp == 3",
            "x.set == 1",
        ] {
            assert!(!super::is_own(ours), "{ours}");
        }
    }

    #[test]
    fn terms_read_like_c() {
        let program = Program::new(DataModel::Lp64);
        let plain = |text| plain(&program, text);
        assert_eq!(plain("mem[a][&a + 4] < mem[a][p]"), "*(&a + 4) < *(p)");
        assert_eq!(plain("mem[x][mem[y][p]] == 1"), "*(*(p)) == 1");
        assert_eq!(plain("x == mem["), "x == mem[");
        assert_eq!(plain("device.1#2 != from"), "device != from");
        assert_eq!(plain("device.1 != device#2"), "device.1 != device#2");
        assert_eq!(plain("x < 2.5"), "x < 2.5");
    }
}
