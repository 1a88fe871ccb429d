//! The certificate as it is written:
//!
//! ```text
//! (prova-relation 1)
//! (passes devirtualise …)
//! (prepared "digest of the prepared program")
//! (set 0 2) …
//! (define $7 (bvslt y (_ bv10 32))) …
//! (at 12 "file.c:3:5" (state 0 (case $7 …) (case …)) (state 2 …)) …
//! ```
//!
//! A location with no states is one that nothing comes to. A case is a conjunction. Where there are
//! sets, none of which may be empty, `(state 0 …)` is about the states of the first set, and so on.

use prova_certify::machine::Machine;
use prova_certify::Failure;
use prova_formula::{Error, Reader, Term, Token};
use prova_ir::{Body, LocId};
use std::collections::{BTreeMap, BTreeSet};

/// What is claimed: by location and state of the machine, cases.
pub type Claims = BTreeMap<LocId, BTreeMap<u32, Vec<Vec<Term>>>>;

/// A certificate, its claims not yet read.
pub struct Relation<'t> {
    pub passes: Vec<String>,
    pub prepared: String,
    text: &'t str,
    claims: usize,
}

impl<'t> Relation<'t> {
    pub fn parse(text: &'t str) -> Result<Relation<'t>, Failure> {
        let mut reader = Reader::new(text, 0);
        if reader.form()? != Some(crate::FORMAT) {
            return Err(reader.wrong("this is no certificate of conformance").into());
        }
        if reader.text()? != crate::VERSION {
            let wanted = format!("this checker reads version {} only", crate::VERSION);
            return Err(reader.wrong(wanted).into());
        }
        reader.close()?;
        let (passes, prepared) = (Vec::new(), String::new());
        let mut found = Relation { passes, prepared, text, claims: 0 };
        loop {
            found.claims = reader.at;
            match reader.form()? {
                Some("passes") => {
                    while reader.more()? {
                        found.passes.push(reader.text()?.to_string());
                    }
                }
                Some("prepared") => {
                    found.prepared = reader.text()?.to_string();
                    reader.close()?;
                }
                _ => return Ok(found),
            }
        }
    }

    /// The claims in the terms of a program, about a machine with so many states; and the sets of its
    /// states that they are about.
    pub fn claims(
        &self,
        machine: &mut Machine,
        body: &Body,
        states: usize,
    ) -> Result<(Vec<BTreeSet<u32>>, Claims), Error> {
        let mut reader = Reader::new(self.text, self.claims);
        let mut own: BTreeMap<String, Term> = BTreeMap::new();
        let mut found = Claims::new();
        let mut sets: Vec<BTreeSet<u32>> = Vec::new();
        let (script, variables) = (&mut machine.script, &machine.names);
        let entry = machine.program.entry;
        while let Some(keyword) = reader.form()? {
            let names = |token: Token| match token {
                Token::Word(w) if w.starts_with('$') => own.get(w).copied(),
                Token::Word(w) | Token::Name(w) => {
                    let &(term, owner) = variables.get(w)?;
                    (owner.is_none() || owner == entry).then_some(term)
                }
                _ => None,
            };
            match keyword {
                "define" => {
                    let name = match reader.token()? {
                        Token::Word(name) if name.starts_with('$') => name.to_string(),
                        _ => return Err(reader.wrong("a name that begins with `$` is needed")),
                    };
                    let term = reader.term(script, &names)?;
                    own.insert(name, term);
                    reader.close()?;
                }
                "set" if found.is_empty() => {
                    let mut set = BTreeSet::new();
                    while reader.more()? {
                        set.insert(reader.index(states, "state")? as u32);
                    }
                    if set.is_empty() {
                        return Err(reader.wrong("a set with a state is needed here"));
                    }
                    sets.push(set);
                }
                "at" => {
                    if sets.is_empty() {
                        sets = (0..states as u32).map(|s| BTreeSet::from([s])).collect();
                    }
                    let at = LocId::new(reader.index(body.locations.len(), "location")?);
                    let (_place, mut here) = (reader.text()?, BTreeMap::new());
                    while reader.more()? {
                        if reader.form()? != Some("state") {
                            return Err(reader.wrong("`(state …)` is needed here"));
                        }
                        let state = reader.index(sets.len(), "state")? as u32;
                        let cases: &mut Vec<Vec<Term>> = here.entry(state).or_default();
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
                    }
                    if found.insert(at, here).is_some() {
                        return Err(reader.wrong("this location has claims already"));
                    }
                }
                _ => return Err(reader.wrong("`(at …)` or `(define …)` is needed here")),
            }
        }
        Ok((sets, found))
    }
}
