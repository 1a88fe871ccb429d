//! The certificate as it is written: who it speaks of, and what it claims. `docs/certificates.md`
//! describes the format.

use crate::sexpr::{read, Kind, Sexpr};
use crate::Failure;
use std::fmt::Write;

/// The version this checker reads.
pub const VERSION: &str = "1";

/// What a certificate speaks of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The property, as `check` calls it.
    pub property: String,
    /// The data model, `lp64` or `ilp32`.
    pub model: String,
    /// The function that was checked with arbitrary arguments; `None` for `main`.
    pub entry: Option<String>,
    /// The label that counts as an error.
    pub label: Option<String>,
    /// File names, for people, and digests of the files, in order.
    pub sources: Vec<(String, String)>,
    /// How the program was prepared: names of passes, in order.
    pub passes: Vec<String>,
    /// The digest of the prepared program.
    pub prepared: String,
}

/// A certificate, its terms not yet read.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// What it speaks of.
    pub header: Header,
    pub(crate) definitions: Vec<(String, Sexpr)>,
    pub(crate) procedures: Vec<Claims>,
}

/// What is claimed of one procedure.
#[derive(Clone, Debug)]
pub(crate) struct Claims {
    pub name: String,
    pub cutpoints: Vec<Claim>,
    pub at: Sexpr,
}

/// What is claimed of one location: one of the cases holds whenever a run is there.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub location: usize,
    pub cases: Vec<Vec<Sexpr>>,
    pub at: Sexpr,
}

impl Header {
    /// The first lines of a certificate.
    pub fn write(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace(['"', '\n'], "?"));
        let mut out = format!("(prova-certificate {VERSION})\n");
        let _ = writeln!(out, "(property {})", quoted(&self.property));
        let _ = writeln!(out, "(model {})", self.model);
        if let Some(entry) = &self.entry {
            let _ = writeln!(out, "(entry {})", quoted(entry));
        }
        if let Some(label) = &self.label {
            let _ = writeln!(out, "(label {})", quoted(label));
        }
        for (name, digest) in &self.sources {
            let _ = writeln!(out, "(source {} {})", quoted(name), quoted(digest));
        }
        let _ = writeln!(out, "(passes {})", self.passes.join(" "));
        let _ = writeln!(out, "(prepared {})", quoted(&self.prepared));
        out
    }
}

impl Certificate {
    /// Reads a certificate. What its terms mean is checked later, against the program.
    pub fn parse(text: &str) -> Result<Certificate, Failure> {
        let items = read(text)?;
        let first = items
            .first()
            .ok_or_else(|| Failure::at_start("this file is empty"))?;
        match first.form() {
            Some(("prova-certificate", [version])) if version.word() == Some(VERSION) => {}
            Some(("prova-certificate", [version])) => {
                let message = format!("this checker reads version {VERSION} only");
                return Err(version.wrong(message));
            }
            _ => return Err(first.wrong("this is no certificate")),
        }
        let mut found = Certificate {
            header: Header::default(),
            definitions: Vec::new(),
            procedures: Vec::new(),
        };
        let header = &mut found.header;
        for item in &items[1..] {
            let (keyword, rest) = item
                .form()
                .ok_or_else(|| item.wrong("a list is needed here"))?;
            match (keyword, rest) {
                ("property", [name]) => header.property = text_of(name)?,
                ("model", [name]) => header.model = text_of(name)?,
                ("entry", [name]) => header.entry = Some(text_of(name)?),
                ("label", [name]) => header.label = Some(text_of(name)?),
                ("source", [name, digest]) => {
                    header.sources.push((text_of(name)?, text_of(digest)?));
                }
                ("passes", names) => {
                    header.passes = names.iter().map(text_of).collect::<Result<_, _>>()?;
                }
                ("prepared", [digest]) => header.prepared = text_of(digest)?,
                ("define", [name, term]) => {
                    let word = name.word().filter(|w| w.starts_with('$'));
                    let word = word.ok_or_else(|| name.wrong("such names begin with `$`"))?;
                    found.definitions.push((word.to_string(), term.clone()));
                }
                ("procedure", [name, claims @ ..]) => {
                    let cutpoints = claims.iter().map(claim).collect::<Result<_, _>>()?;
                    found.procedures.push(Claims {
                        name: text_of(name)?,
                        cutpoints,
                        at: name.clone(),
                    });
                }
                _ => return Err(item.wrong(format!("`{keyword}` is not known, or not so"))),
            }
        }
        Ok(found)
    }
}

fn text_of(from: &Sexpr) -> Result<String, Failure> {
    match &from.kind {
        Kind::Word(text) | Kind::Name(text) | Kind::Text(text) => Ok(text.clone()),
        Kind::List(_) => Err(from.wrong("a word is needed here")),
    }
}

/// `(at 12 "file.c:3:5" (case …) …)`.
fn claim(from: &Sexpr) -> Result<Claim, Failure> {
    let Some(("at", [location, position, cases @ ..])) = from.form() else {
        return Err(from.wrong("`(at LOCATION \"POSITION\" (case …) …)` is needed here"));
    };
    text_of(position)?;
    let number = location.word().and_then(|w| w.parse().ok());
    let mut found = Vec::with_capacity(cases.len());
    for case in cases {
        match case.form() {
            Some(("case", conjuncts)) => found.push(conjuncts.to_vec()),
            _ => return Err(case.wrong("`(case …)` is needed here")),
        }
    }
    Ok(Claim {
        location: number.ok_or_else(|| location.wrong("the number of a location is needed"))?,
        cases: found,
        at: location.clone(),
    })
}
