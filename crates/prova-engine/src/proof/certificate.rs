//! A proof in the words of `docs/certificates.md`: definitions and claims. The first lines, which
//! say what program they are about, are the caller's.

use prova_ir::{Program, Span};
use prova_logic::{Op, Term, Terms};
use prova_task::{Contract, Invariant, Manner, Proof};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// A term that is used more than once gets a name if it is longer than this, and one that is used
/// very often in any case: a certificate is read more easily, and faster, if it is short.
const LONG: usize = 48;
const OFTEN: u32 = 16;
/// Terms that nest deeper get names, too: nobody could read them.
const DEEP: u32 = 16;

/// The claims of a proof; an error names what they cannot say.
pub fn claims(proof: &Proof) -> Result<String, String> {
    let mut out = String::new();
    if !proof.contracts.is_empty() {
        for contract in &proof.contracts {
            procedure(proof, contract, &mut out)?;
        }
        return Ok(out);
    }
    let entry = proof.program.entry.ok_or("there is no entry")?;
    let contract = Contract {
        procedure: entry,
        partial: false,
        ghosts: Vec::new(),
        olds: Vec::new(),
        invariants: proof.invariants.clone(),
        calls: Vec::new(),
    };
    procedure(proof, &contract, &mut out)?;
    let end = out.rfind(')').unwrap_or(out.len());
    out.insert_str(end, &manner(&proof.manner));
    Ok(out)
}

/// Why the claims of the entry are a proof, if it is not the usual reason.
fn manner(manner: &Manner) -> String {
    match manner {
        Manner::Inductive => String::new(),
        Manner::CaseByCase => "\n  (each)".into(),
        Manner::KInductive(steps) => format!("\n  (induction {steps})"),
        Manner::Unwound { order, rounds } => {
            let order: Vec<String> = order.iter().map(|l| l.0.to_string()).collect();
            let mut text = format!("\n  (order {})", order.join(" "));
            for (location, rounds) in rounds {
                let _ = write!(text, "\n  (rounds {} {rounds})", location.0);
            }
            text
        }
    }
}

fn procedure(proof: &Proof, contract: &Contract, out: &mut String) -> Result<(), String> {
    let terms = &proof.terms;
    let name = &proof.program.procedure(contract.procedure).name;
    let _ = write!(out, "(procedure {}", symbol(name)?);
    if contract.partial {
        out.push_str("\n  (partial)");
    }
    let mut texts: FxHashMap<Term, String> = FxHashMap::default();
    for (i, &ghost) in contract.ghosts.iter().enumerate() {
        let _ = write!(out, "\n  (ghost $g{i} {})", terms.sort(ghost));
        texts.insert(ghost, format!("$g{i}"));
    }
    let values = contract.calls.iter().flat_map(|c| &c.ghosts);
    let first: Vec<Term> = contract
        .olds
        .iter()
        .map(|o| o.1)
        .chain(values.copied())
        .collect();
    write_terms(terms, &first, &mut texts, out)?;
    for (i, &(old, value)) in contract.olds.iter().enumerate() {
        let _ = write!(out, "\n  (old $o{i} {})", texts[&value]);
        texts.insert(old, format!("$o{i}"));
    }
    let cases = contract.invariants.iter().flat_map(|i| &i.cases);
    let conjuncts: Vec<Term> = cases.flatten().copied().collect();
    write_terms(terms, &conjuncts, &mut texts, out)?;
    for invariant in &contract.invariants {
        claim(proof, invariant, &texts, out);
    }
    for call in &contract.calls {
        let _ = write!(out, "\n  (call {} {}", call.edge.0, call.contract);
        for ghost in &call.ghosts {
            let _ = write!(out, " {}", texts[ghost]);
        }
        out.push(')');
    }
    out.push_str(")\n");
    Ok(())
}

fn claim(proof: &Proof, invariant: &Invariant, texts: &FxHashMap<Term, String>, out: &mut String) {
    let position = position(&proof.program, invariant.span);
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

/// A place as certificates write it.
pub fn position(program: &Program, span: Span) -> String {
    let file = program.files.get(span.file.index());
    let position = match file.filter(|_| span.is_known()) {
        Some(file) => format!("{}:{}:{}", file.name, span.line, span.column),
        None => String::new(),
    };
    position.replace(['"', '\n'], "?")
}

/// The texts of terms, behind definitions that they need.
pub fn written(terms: &Terms, roots: &[Term]) -> Result<(String, FxHashMap<Term, String>), String> {
    let (mut out, mut texts) = (String::new(), FxHashMap::default());
    write_terms(terms, roots, &mut texts, &mut out)?;
    Ok((out, texts))
}

/// Finds the text of each of these terms; definitions that they need go to `out`.
fn write_terms(
    terms: &Terms,
    roots: &[Term],
    texts: &mut FxHashMap<Term, String>,
    out: &mut String,
) -> Result<(), String> {
    let order = terms.post_order(roots);
    let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
    let children = order.iter().flat_map(|&t| terms.children(t));
    for &t in roots.iter().chain(children) {
        *uses.entry(t).or_default() += 1;
    }
    let mut depths: FxHashMap<Term, u32> = FxHashMap::default();
    for t in order {
        if texts.contains_key(&t) {
            continue;
        }
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
            let below = children.iter().map(|c| depths.get(c).copied().unwrap_or(0));
            let depth = 1 + below.max().unwrap_or(0);
            if depth > DEEP || uses[&t] > OFTEN || (uses[&t] > 1 && text.len() > LONG) {
                let name = format!("${}", t.index());
                let _ = write!(out, "\n  (define {name} {text})");
                text = name;
            } else {
                depths.insert(t, depth);
            }
        }
        texts.insert(t, text);
    }
    Ok(())
}

/// Small numbers in decimal.
fn number(terms: &Terms, t: Term) -> String {
    match terms.as_u64(t) {
        Some(value) if value < 100_000 => format!("(_ bv{value} {})", terms.width(t)),
        _ => terms.smtlib_head(t),
    }
}

/// A name as SMT-LIB writes it.
fn symbol(name: &str) -> Result<String, String> {
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
