//! Terms of a certificate: from S-expressions to sort-checked formulas over named variables.

use crate::script::{Script, Term};
use crate::sexpr::{Kind, Sexpr};
use crate::sort::Sort;
use crate::Failure;
use std::collections::BTreeMap;

/// What names stand for.
pub struct Scope {
    /// Variables of the state, addresses, first contents of memory.
    pub variables: BTreeMap<String, Term>,
    /// What `(old x)` stands for: the value at the entry of the procedure.
    pub old: BTreeMap<String, Term>,
    /// `(define $1 …)` of the certificate.
    pub definitions: BTreeMap<String, Term>,
}

/// A term in a scope. Nesting is bounded by the reader.
pub fn term(script: &mut Script, scope: &Scope, from: &Sexpr) -> Result<Term, Failure> {
    let unknown = |name: &str| from.wrong(format!("there is no variable `{name}` here"));
    match &from.kind {
        Kind::Text(_) => Err(from.wrong("a text is no term")),
        Kind::Name(name) => scope
            .variables
            .get(name)
            .copied()
            .ok_or_else(|| unknown(name)),
        Kind::Word(word) => match word.as_str() {
            "true" => Ok(script.boolean(true)),
            "false" => Ok(script.boolean(false)),
            w if w.starts_with('#') => literal(script, w).ok_or_else(|| from.wrong("no number")),
            w => {
                let known = scope.definitions.get(w).or_else(|| scope.variables.get(w));
                let known = known.copied().or_else(|| script.mode(w));
                known.ok_or_else(|| unknown(w))
            }
        },
        Kind::List(items) => {
            let Some((first, rest)) = items.split_first() else {
                return Err(from.wrong("an empty list is no term"));
            };
            if first.word() == Some("old") {
                let [Sexpr {
                    kind: Kind::Word(name) | Kind::Name(name),
                    ..
                }] = rest
                else {
                    return Err(from.wrong("`old` takes one variable"));
                };
                let old = scope.old.get(name).copied();
                return old.ok_or_else(|| from.wrong(format!("`{name}` has no old value here")));
            }
            if first.word() == Some("_") {
                return indexed_literal(script, from);
            }
            let head = text(first);
            let mut operands = Vec::with_capacity(rest.len());
            for part in rest {
                operands.push(term(script, scope, part)?);
            }
            script
                .apply(&head, &operands)
                .map_err(|e| from.wrong(e.to_string()))
        }
    }
}

/// A term that must be a truth value.
pub fn formula(script: &mut Script, scope: &Scope, from: &Sexpr) -> Result<Term, Failure> {
    let found = term(script, scope, from)?;
    match script.sort(found) {
        Sort::Bool => Ok(found),
        other => Err(from.wrong(format!("a truth value is needed, this has sort {other}"))),
    }
}

/// A term written in SMT-LIB, over `$0`, `$1`, …: for what takes many operators to say.
pub fn template(script: &mut Script, text: &str, arguments: &[Term]) -> Result<Term, Failure> {
    let named = arguments.iter().enumerate();
    let scope = Scope {
        variables: BTreeMap::new(),
        old: BTreeMap::new(),
        definitions: named.map(|(i, &t)| (format!("${i}"), t)).collect(),
    };
    let read = crate::sexpr::read(text)?;
    let one = read
        .first()
        .ok_or(Failure::Unsupported("an empty template".into()))?;
    term(script, &scope, one)
}

/// `#x0f`, `#b01`.
fn literal(script: &mut Script, word: &str) -> Option<Term> {
    let digits = match word.get(..2)? {
        "#b" => word[2..]
            .chars()
            .all(|c| "01".contains(c))
            .then(|| word[2..].to_string())?,
        "#x" => {
            let four = |c: char| c.to_digit(16).map(|d| format!("{d:04b}"));
            word[2..].chars().map(four).collect::<Option<String>>()?
        }
        _ => return None,
    };
    (!digits.is_empty() && digits.len() <= 4096).then(|| script.digits(&digits))
}

/// `(_ bv10 32)`, `(_ NaN 8 24)`.
fn indexed_literal(script: &mut Script, from: &Sexpr) -> Result<Term, Failure> {
    let words: Option<Vec<&str>> = from.list().unwrap_or(&[]).iter().map(Sexpr::word).collect();
    let wrong = || from.wrong("no such constant");
    if let Some([_, value, width]) = words.as_deref() {
        if let Some(value) = value.strip_prefix("bv") {
            let value: u128 = value.parse().map_err(|_| wrong())?;
            let width: u32 = width.parse().map_err(|_| wrong())?;
            if !(1..=4096).contains(&width) || (width < 128 && value >> width != 0) {
                return Err(from.wrong(format!("{value} does not fit {width} bits")));
            }
            return Ok(script.bits(value, width));
        }
    }
    script.apply(&text(from), &[]).map_err(|_| wrong())
}

/// An expression written out again, with single spaces.
fn text(from: &Sexpr) -> String {
    match &from.kind {
        Kind::Word(w) | Kind::Name(w) | Kind::Text(w) => w.clone(),
        Kind::List(items) => {
            let items: Vec<String> = items.iter().map(text).collect();
            format!("({})", items.join(" "))
        }
    }
}
