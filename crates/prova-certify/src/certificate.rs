//! The certificate as it is written: who it speaks of, and what it claims. `docs/certificates.md`
//! describes the format.

use crate::formula::{formula, term};
use crate::machine::Machine;
use crate::script::Term;
use crate::sexpr::{read, Kind, Sexpr};
use crate::sort::Sort;
use crate::Failure;
use prova_ir::{EdgeId, LocId, ProcId};
use std::collections::BTreeMap;

/// The version this checker reads.
pub const VERSION: &str = "1";

/// What a certificate says of its program: the words behind each of these keywords.
pub const HEADER: [&str; 8] =
    ["property", "model", "entry", "label", "undefined", "source", "passes", "prepared"];

/// A certificate, its claims not yet read.
#[derive(Clone, Debug, Default)]
pub struct Certificate {
    /// The header: words by keyword.
    header: BTreeMap<String, Vec<String>>,
    /// A procedure's name and what is claimed of it.
    procedures: Vec<(Sexpr, Vec<Sexpr>)>,
}

/// One of these holds: a disjunction of conjunctions.
pub(crate) type Cases = Vec<Vec<Term>>;

/// What is claimed of runs of a procedure that begin where the claim at its entry holds.
pub(crate) struct Context {
    pub procedure: ProcId,
    /// It says nothing about errors: only what holds where a run gets.
    pub partial: bool,
    /// Constants of a run of the procedure, which its caller chooses.
    pub ghosts: Vec<Term>,
    /// Constants that have the value of a term at the procedure's entry.
    pub olds: Vec<(Term, Term)>,
    /// What holds at cutpoints.
    pub claims: BTreeMap<LocId, Cases>,
    /// The contexts that calls rest on, with their ghosts over the state before the call.
    pub calls: BTreeMap<EdgeId, Vec<(usize, Vec<Term>)>>,
}

impl Certificate {
    /// Reads a certificate. Its claims are read later, against the program.
    pub fn parse(text: &str) -> Result<Certificate, Failure> {
        let items = read(text)?;
        let empty = Failure::Malformed { line: 1, column: 1, message: "this file is empty".into() };
        let first = items.first().ok_or(empty)?;
        match first.form() {
            Some(("prova-certificate", [version])) if version.word() == Some(VERSION) => {}
            Some(("prova-certificate", _)) => {
                return Err(first.wrong(format!("this checker reads version {VERSION} only")));
            }
            _ => return Err(first.wrong("this is no certificate")),
        }
        let mut found = Certificate::default();
        for item in &items[1..] {
            match item.form() {
                Some(("procedure", [name, claims @ ..])) => {
                    found.procedures.push((name.clone(), claims.to_vec()));
                }
                Some((keyword, words)) if HEADER.contains(&keyword) => {
                    let words = words.iter().map(Sexpr::text).collect::<Result<Vec<_>, _>>()?;
                    found.header.entry(keyword.to_string()).or_default().extend(words);
                }
                _ => return Err(item.wrong("a line of the header or a procedure is needed here")),
            }
        }
        Ok(found)
    }

    /// The words behind a keyword of the header.
    pub fn header(&self, keyword: &str) -> &[String] {
        self.header.get(keyword).map_or(&[], |words| words)
    }

    /// The claims, in the terms of a program.
    pub(crate) fn contexts(&self, machine: &mut Machine) -> Result<Vec<Context>, Failure> {
        self.procedures.iter().map(|(name, items)| context(machine, name, items)).collect()
    }
}

fn context(machine: &mut Machine, name: &Sexpr, items: &[Sexpr]) -> Result<Context, Failure> {
    let wanted = name.text()?;
    let position = machine.program.procedures.iter().position(|p| p.name == wanted);
    let none = || name.wrong("there is no such procedure with a body");
    let procedure = ProcId::new(position.ok_or_else(none)?);
    let body = machine.program.procedure(procedure).body.as_ref().ok_or_else(none)?;
    let mut found = Context {
        procedure,
        partial: false,
        ghosts: Vec::new(),
        olds: Vec::new(),
        claims: BTreeMap::new(),
        calls: BTreeMap::new(),
    };
    // Definitions and ghosts: words that begin with `$`, which no variable's plain name does.
    let mut own: BTreeMap<String, Term> = BTreeMap::new();
    for item in items {
        let (script, variables) = (&mut machine.script, &machine.names);
        let names = |kind: &Kind| match kind {
            Kind::Word(w) if w.starts_with('$') => own.get(w).copied(),
            Kind::Word(w) | Kind::Name(w) => {
                let &(term, owner) = variables.get(w)?;
                (owner.is_none() || owner == Some(procedure)).then_some(term)
            }
            _ => None,
        };
        let mut new = None;
        match item.form() {
            Some(("partial", [])) => found.partial = true,
            Some(("ghost", [name, sort])) => {
                let sort = Sort::parse(&sort.to_string()).ok_or_else(|| sort.wrong("no sort"))?;
                let ghost = script.constant(sort);
                found.ghosts.push(ghost);
                new = Some((name, ghost));
            }
            Some(("old", [name, value])) => {
                let value = term(script, &names, value)?;
                let old = script.constant(script.sort(value));
                found.olds.push((old, value));
                new = Some((name, old));
            }
            Some(("define", [name, value])) => {
                new = Some((name, term(script, &names, value)?));
            }
            Some(("at", [location, _, cases @ ..])) => {
                let id = index(location, body.locations.len(), "location")?;
                let mut all = Vec::with_capacity(cases.len());
                for case in cases {
                    let Some(("case", conjuncts)) = case.form() else {
                        return Err(case.wrong("`(case …)` is needed here"));
                    };
                    let conjuncts = conjuncts.iter().map(|c| formula(script, &names, c));
                    all.push(conjuncts.collect::<Result<Vec<_>, _>>()?);
                }
                if found.claims.insert(LocId::new(id), all).is_some() {
                    return Err(location.wrong("this location has a claim already"));
                }
            }
            Some(("call", [edge, context, values @ ..])) => {
                let id = EdgeId::new(index(edge, body.edges.len(), "edge")?);
                let context = index(context, usize::MAX, "context")?;
                let values = values.iter().map(|v| term(script, &names, v));
                let values = values.collect::<Result<Vec<_>, _>>()?;
                found.calls.entry(id).or_default().push((context, values));
            }
            _ => return Err(item.wrong("a claim is needed here, such as `(at 1 \"place\" …)`")),
        }
        if let Some((name, term)) = new {
            let word = name.word().filter(|w| w.starts_with('$'));
            let word = word.ok_or_else(|| name.wrong("such names begin with `$`"))?;
            own.insert(word.to_string(), term);
        }
    }
    Ok(found)
}

fn index(from: &Sexpr, count: usize, what: &str) -> Result<usize, Failure> {
    let number = from.word().and_then(|w| w.parse().ok()).filter(|&n| n < count);
    number.ok_or_else(|| from.wrong(format!("there is no such {what}")))
}
