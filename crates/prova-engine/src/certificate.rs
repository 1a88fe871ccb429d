//! A proof in the words of `docs/certificates.md`: definitions and claims. The first lines, which
//! say what program they are about, are the caller's.

use crate::outcome::{Invariant, Proof};
use prova_ir::ProcId;
use prova_logic::{Op, Term, Terms};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// A term that is used more than once gets a name if it is longer than this.
const LONG: usize = 48;
/// Terms that nest deeper get names, too: nobody could read them.
const DEEP: u32 = 16;

/// The definitions and claims of a proof; an error names what they cannot say.
pub fn claims(proof: &Proof) -> Result<String, String> {
    let conjuncts = proof
        .invariants
        .iter()
        .flat_map(|i| i.cases.iter().flatten());
    let conjuncts: Vec<Term> = conjuncts.copied().collect();
    let mut out = String::new();
    let texts = texts(&proof.terms, &conjuncts, &mut out)?;
    let mut procedures: Vec<ProcId> = proof.invariants.iter().map(|i| i.procedure).collect();
    procedures.sort_unstable();
    procedures.dedup();
    for procedure in procedures {
        let name = &proof.program.procedure(procedure).name;
        let _ = write!(out, "(procedure {}", symbol(name)?);
        for invariant in proof.invariants.iter().filter(|i| i.procedure == procedure) {
            claim(proof, invariant, &texts, &mut out);
        }
        out.push_str(")\n");
    }
    Ok(out)
}

fn claim(proof: &Proof, invariant: &Invariant, texts: &FxHashMap<Term, String>, out: &mut String) {
    let span = invariant.span;
    let file = proof.program.files.get(span.file.index());
    let position = match file.filter(|_| span.is_known()) {
        Some(file) => format!("{}:{}:{}", file.name, span.line, span.column),
        None => String::new(),
    };
    let position = position.replace(['"', '\n'], "?");
    let _ = write!(out, "\n  (at {} \"{position}\"", invariant.location.0);
    for case in &invariant.cases {
        out.push_str("\n    (case");
        for conjunct in case {
            let _ = write!(out, "\n      {}", texts[conjunct]);
        }
        out.push(')');
    }
    out.push(')');
}

/// The text of each of these terms; definitions that they need go to `out`.
fn texts(
    terms: &Terms,
    roots: &[Term],
    out: &mut String,
) -> Result<FxHashMap<Term, String>, String> {
    let order = terms.post_order(roots);
    let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
    let children = order.iter().flat_map(|&t| terms.children(t));
    for &t in roots.iter().chain(children) {
        *uses.entry(t).or_default() += 1;
    }
    let mut texts: FxHashMap<Term, String> = FxHashMap::default();
    let mut depths: FxHashMap<Term, u32> = FxHashMap::default();
    let mut names = 0;
    for t in order {
        let mut text = match terms.op(t) {
            Op::Var => symbol(terms.name(t))?,
            Op::BvConst => number(terms, t),
            _ => terms.smtlib_head(t),
        };
        let children = terms.children(t);
        if !children.is_empty() {
            text.insert(0, '(');
            for child in children {
                text.push(' ');
                text.push_str(&texts[child]);
            }
            text.push(')');
            let depth = 1 + children.iter().map(|c| depths[c]).max().unwrap_or(0);
            if depth > DEEP || (uses[&t] > 1 && text.len() > LONG) {
                names += 1;
                let _ = writeln!(out, "(define ${names} {text})");
                text = format!("${names}");
                depths.insert(t, 0);
            } else {
                depths.insert(t, depth);
            }
        } else {
            depths.insert(t, 0);
        }
        texts.insert(t, text);
    }
    Ok(texts)
}

/// Small numbers in decimal.
fn number(terms: &Terms, t: Term) -> String {
    match terms.as_u64(t) {
        Some(value) if value < 100_000 => format!("(_ bv{value} {})", terms.width(t)),
        _ => terms.smtlib_head(t),
    }
}

/// A name as SMT-LIB writes it; `old(x)` is the value of `x` at the entry of its procedure.
fn symbol(name: &str) -> Result<String, String> {
    if let Some(inner) = name.strip_prefix("old(").and_then(|n| n.strip_suffix(')')) {
        return Ok(format!("(old {})", symbol(inner)?));
    }
    if name.contains(['|', '\\']) {
        return Err(format!("`{name}` cannot be written"));
    }
    let start = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.".contains(c);
    // What a certificate means something by where a variable could stand.
    let taken = ["true", "false", "_", "RNE", "RNA", "RTP", "RTN", "RTZ"].contains(&name);
    Ok(match start && name.chars().all(plain) && !taken {
        true => name.to_string(),
        false => format!("|{name}|"),
    })
}
