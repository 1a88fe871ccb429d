//! The certificate as it is written: who it speaks of, and what it claims. `docs/certificates.md`
//! describes the format.

use crate::machine::Machine;
use crate::Failure;
use prova_formula::{Error, Reader, Term, Token};
use prova_ir::{EdgeId, LocId, ProcId};
use std::collections::BTreeMap;

/// The version this checker reads.
pub const VERSION: &str = "2";

/// What a certificate says of its program: the words behind each of these keywords.
pub const HEADER: [&str; 9] =
    ["property", "model", "entry", "label", "assume", "source", "measure", "passes", "prepared"];

/// A certificate, its claims not yet read.
#[derive(Clone, Debug, Default)]
pub struct Certificate {
    /// The header: words by keyword.
    header: BTreeMap<String, Vec<String>>,
    text: String,
    /// Where in the text the claims begin.
    claims: usize,
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
    /// Each case by itself: what it says of the state is put into the paths.
    pub each: bool,
    /// So many steps between cutpoints are taken together.
    pub induction: usize,
    /// Instead of claims: when locations are left, first and coming back, and the rounds of loops.
    pub order: BTreeMap<LocId, (usize, usize)>,
    pub rounds: BTreeMap<LocId, usize>,
    /// What holds at cutpoints.
    pub claims: BTreeMap<LocId, Cases>,
    /// The contexts that calls rest on, with their ghosts over the state before the call.
    pub calls: BTreeMap<EdgeId, Vec<(usize, Vec<Term>)>>,
}

impl Certificate {
    /// Reads the header of a certificate. Its claims are read later, against the program.
    pub fn parse(text: &str) -> Result<Certificate, Failure> {
        let mut found = Certificate { text: text.to_string(), ..Certificate::default() };
        let mut reader = Reader::new(text, 0);
        match reader.form() {
            Ok(Some("prova-certificate")) => {}
            Ok(None) => return Err(reader.wrong("this file is empty").into()),
            _ => return Err(reader.wrong("this is no certificate").into()),
        }
        if reader.text()? != VERSION {
            return Err(reader.wrong(format!("this checker reads version {VERSION} only")).into());
        }
        reader.close()?;
        loop {
            found.claims = reader.at;
            match reader.form()? {
                None | Some("procedure") => return Ok(found),
                Some(keyword) if HEADER.contains(&keyword) => {
                    let words = found.header.entry(keyword.to_string()).or_default();
                    while reader.more()? {
                        words.push(reader.text()?.to_string());
                    }
                }
                _ => {
                    let wanted = "a line of the header or a procedure is needed here";
                    return Err(reader.wrong(wanted).into());
                }
            }
        }
    }

    /// The words behind a keyword of the header.
    pub fn header(&self, keyword: &str) -> &[String] {
        self.header.get(keyword).map_or(&[], |words| words)
    }

    /// The claims, in the terms of a program.
    pub(crate) fn contexts(&self, machine: &mut Machine) -> Result<Vec<Context>, Error> {
        let mut reader = Reader::new(&self.text, self.claims);
        let mut found = Vec::new();
        while let Some(keyword) = reader.form()? {
            if keyword != "procedure" {
                return Err(reader.wrong("a procedure is needed here"));
            }
            found.push(context(machine, &mut reader)?);
        }
        Ok(found)
    }
}

/// Reads what is claimed of a procedure, from its name on.
fn context(machine: &mut Machine, reader: &mut Reader) -> Result<Context, Error> {
    let name = reader.text()?;
    let position = machine.program.procedures.iter().position(|p| p.name == name);
    let none = || reader.wrong("there is no such procedure with a body");
    let procedure = ProcId::new(position.ok_or_else(none)?);
    let body = machine.program.procedure(procedure).body.as_ref().ok_or_else(none)?;
    let (script, variables) = (&mut machine.script, &machine.names);
    let (ghosts, olds, order, rounds, claims, calls) = Default::default();
    let (partial, each, induction) = (false, false, 1);
    let mut found =
        Context { procedure, partial, each, ghosts, olds, induction, order, rounds, claims, calls };
    // Definitions and ghosts: words that begin with `$`, which no variable's plain name does.
    let mut own: BTreeMap<String, Term> = BTreeMap::new();
    while reader.more()? {
        let names = |token: Token| match token {
            Token::Word(w) if w.starts_with('$') => own.get(w).copied(),
            Token::Word(w) | Token::Name(w) => {
                let &(term, owner) = variables.get(w)?;
                (owner.is_none() || owner == Some(procedure)).then_some(term)
            }
            _ => None,
        };
        match reader.form()?.unwrap_or_default() {
            "partial" => found.partial = true,
            "each" => found.each = true,
            "induction" => found.induction = reader.index(64, "number of steps")?.max(1),
            "order" => {
                let mut n = 0;
                while reader.more()? {
                    let id = LocId::new(reader.index(body.locations.len(), "location")?);
                    found.order.entry(id).or_insert((n, n)).1 = n;
                    n += 1;
                }
                continue;
            }
            "rounds" => {
                let id = LocId::new(reader.index(body.locations.len(), "location")?);
                found.rounds.insert(id, reader.index(usize::MAX, "number")?);
            }
            "ghost" => {
                let (name, ghost) = (own_name(reader)?, script.constant(reader.sort()?));
                found.ghosts.push(ghost);
                own.insert(name, ghost);
            }
            "old" => {
                let (name, value) = (own_name(reader)?, reader.term(script, &names)?);
                let old = script.constant(script.sort(value));
                found.olds.push((old, value));
                own.insert(name, old);
            }
            "define" => {
                let (name, term) = (own_name(reader)?, reader.term(script, &names)?);
                own.insert(name, term);
            }
            "at" => {
                let id = LocId::new(reader.index(body.locations.len(), "location")?);
                let (mut cases, _place) = (Vec::new(), reader.text()?);
                while reader.more()? {
                    if reader.form()? != Some("case") {
                        return Err(reader.wrong("`(case …)` is needed here"));
                    }
                    let mut case = Vec::new();
                    while reader.more()? {
                        case.push(reader.formula(script, &names)?);
                    }
                    cases.push(case);
                }
                if found.claims.insert(id, cases).is_some() {
                    return Err(reader.wrong("this location has a claim already"));
                }
                continue;
            }
            "call" => {
                let id = EdgeId::new(reader.index(body.edges.len(), "edge")?);
                let (context, mut values) = (reader.index(usize::MAX, "context")?, Vec::new());
                while reader.more()? {
                    values.push(reader.term(script, &names)?);
                }
                found.calls.entry(id).or_default().push((context, values));
                continue;
            }
            _ => return Err(reader.wrong("a claim is needed here, such as `(at 1 \"place\" …)`")),
        }
        reader.close()?;
    }
    Ok(found)
}

/// The name of a definition or a ghost.
fn own_name(reader: &mut Reader) -> Result<String, Error> {
    match reader.token()? {
        Token::Word(name) if name.starts_with('$') => Ok(name.to_string()),
        _ => Err(reader.wrong("a name that begins with `$` is needed here")),
    }
}
