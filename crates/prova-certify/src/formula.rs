//! Terms of a certificate: from S-expressions to sort-checked formulas over named variables.

use crate::script::{Script, Term};
use crate::sexpr::{read, Kind, Sexpr};
use crate::sort::{Sort, WIDEST};
use crate::Failure;

/// What names stand for; plain words and `|names|` are told apart.
pub type Lookup<'a> = &'a dyn Fn(&Kind) -> Option<Term>;

/// A term. Nesting is bounded by the reader.
pub fn term(script: &mut Script, names: Lookup, from: &Sexpr) -> Result<Term, Failure> {
    let unknown = || from.wrong(format!("there is no variable `{from}` here"));
    match &from.kind {
        Kind::Name(_) => names(&from.kind).ok_or_else(unknown),
        Kind::Word(word) => match word.as_str() {
            "true" | "false" => Ok(script.literal(word)),
            w if w.starts_with('#') => literal(script, w).ok_or_else(|| from.wrong("no number")),
            "RNE" | "RNA" | "RTP" | "RTN" | "RTZ" => Ok(script.literal(word)),
            _ => names(&from.kind).ok_or_else(unknown),
        },
        Kind::List(items) => match items.split_first() {
            None => Err(from.wrong("an empty list is no term")),
            Some((head, _)) if head.word() == Some("_") => indexed_literal(script, from, items),
            Some((head, rest)) => {
                let operands = rest.iter().map(|r| term(script, names, r));
                let operands = operands.collect::<Result<Vec<_>, _>>()?;
                script.try_apply(&head.to_string(), &operands).map_err(|e| from.wrong(e))
            }
        },
    }
}

/// A term that must be a truth value.
pub fn formula(script: &mut Script, names: Lookup, from: &Sexpr) -> Result<Term, Failure> {
    let found = term(script, names, from)?;
    match script.sort(found) {
        Sort::Bool => Ok(found),
        other => Err(from.wrong(format!("a truth value is needed, this has sort {other}"))),
    }
}

/// A term written in SMT-LIB over `$0`, `$1`, …: for what takes many operators to say.
pub fn template(script: &mut Script, text: &str, arguments: &[Term]) -> Term {
    let names = |kind: &Kind| match kind {
        Kind::Word(w) => arguments.get(w.strip_prefix('$')?.parse::<usize>().ok()?).copied(),
        _ => None,
    };
    let said = read(text).and_then(|all| term(script, &names, &all[0]));
    said.unwrap_or_else(|failure| script.fail(failure))
}

/// `#x0f`, `#b01`.
fn literal(script: &mut Script, word: &str) -> Option<Term> {
    let width = if word.starts_with("#x") { 4 } else { 1 };
    let digit = |c: char| c.to_digit(1 << width).map(|d| format!("{d:0width$b}"));
    let digits = word.strip_prefix(["#x", "#b"][usize::from(width == 1)])?;
    let digits: String = digits.chars().map(digit).collect::<Option<_>>()?;
    let fits = (1..=WIDEST as usize).contains(&digits.len());
    fits.then(|| script.literal(&format!("#b{digits}")))
}

/// `(_ bv10 32)`, `(_ NaN 8 24)`.
fn indexed_literal(script: &mut Script, from: &Sexpr, items: &[Sexpr]) -> Result<Term, Failure> {
    let wrong = || from.wrong("no such constant, or it does not fit");
    let words: Vec<&str> = items.iter().filter_map(Sexpr::word).collect();
    let Some(value) = words.get(1).and_then(|w| w.strip_prefix("bv")) else {
        return script.try_apply(&from.to_string(), &[]).map_err(|_| wrong());
    };
    let value: u128 = value.parse().map_err(|_| wrong())?;
    let width = words.get(2).and_then(|w| w.parse().ok()).filter(|w| (1..=WIDEST).contains(w));
    let width: u32 = width.filter(|&w| w >= 128 || value >> w == 0).ok_or_else(wrong)?;
    Ok(script.bits(value, width))
}
