//! Measures, and how they are written.
//!
//! A ranking is a list of lines, each a subject and the parts of its tuple:
//!
//! ```text
//! loop main 12 : 1*s:n -1*s:i +0 ; 1*u:k +0
//! call f : 1*s:x +0
//! count 1000
//! ```
//!
//! A part is a linear term over what registers and cells of memory hold, read as signed (`s`) or
//! unsigned (`u`) numbers, or over the lowest bit that is set in them (`low`). A cell is written `[p+8]32`: 32 bits at 8 bytes
//! behind where the register `p` points, or `[&o+8]32` in the object `o`. `count N` bounds all rounds
//! of all loops and circles of calls that have no line of their own, together. `undefined ends` makes the
//! errors of other properties that are woven in ends of a run: what is shown then is shown of runs
//! without any of these, and whoever says so has to say that.

use std::fmt;

/// The line that says that undefined behaviour ends a run.
pub const UNDEFINED_ENDS: &str = "undefined ends";

/// Why every loop and every circle of calls ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    /// The measures, in the order in which heads are chosen.
    pub measures: Vec<(Subject, Vec<Part>)>,
    /// A bound on all rounds of what has no measure.
    pub count: Option<u64>,
    /// Whether a run is over where an operation has no result in C: error locations of other
    /// properties end it.
    pub undefined_ends: bool,
}

/// What a measure is for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// The rounds of a loop: the procedure's name and the number of the head.
    Loop(String, u32),
    /// Calls of a procedure from its own circle of calls.
    Call(String),
}

/// A linear term.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Part {
    /// Factors and what they multiply.
    pub terms: Vec<(i64, Atom)>,
    /// What is added.
    pub constant: i64,
}

/// What a number is read from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom {
    /// How it is read.
    pub kind: Kind,
    /// Where it stands.
    pub place: Place,
}

/// How bits are read as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// In two's complement.
    Signed,
    /// As they are.
    Unsigned,
    /// The lowest bit that is set, as it is.
    Low,
}

/// Where a number stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// In a register, by its name.
    Register(String),
    /// In memory.
    Cell {
        /// The register that points there, or the object, by its name.
        base: String,
        /// Whether the base is an object.
        object: bool,
        /// Bytes behind it.
        offset: u64,
        /// Bits of the cell.
        bits: u16,
    },
}

/// Text that is no ranking.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no measure")]
pub struct NoMeasure(pub String);

impl Part {
    /// What a place holds, plus a number.
    pub fn of(atom: Atom, factor: i64, constant: i64) -> Part {
        Part {
            terms: vec![(factor, atom)],
            constant,
        }
    }

    /// The sum with another one times a factor, places that cancel left out.
    pub fn plus(&self, other: &Part, factor: i64) -> Part {
        let mut sum = self.clone();
        for (f, atom) in &other.terms {
            match sum.terms.iter_mut().find(|(_, a)| a == atom) {
                Some((known, _)) => *known += f * factor,
                None => sum.terms.push((f * factor, atom.clone())),
            }
        }
        sum.terms.retain(|(f, _)| *f != 0);
        sum.terms.sort_by(|a, b| a.1.cmp(&b.1));
        sum.constant += other.constant * factor;
        sum
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Signed => "s",
            Kind::Unsigned => "u",
            Kind::Low => "low",
        };
        match &self.place {
            Place::Register(name) => write!(f, "{kind}:{name}"),
            Place::Cell {
                base,
                object,
                offset,
                bits,
            } => {
                let mark = if *object { "&" } else { "" };
                write!(f, "{kind}:[{mark}{base}+{offset}]{bits}")
            }
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (factor, atom) in &self.terms {
            write!(f, "{factor}*{atom} ")?;
        }
        write!(f, "{:+}", self.constant)
    }
}

impl Ranking {
    /// The lines of its text.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.measures.iter().map(line).collect();
        lines.extend(self.count.map(|n| format!("count {n}")));
        lines.extend(self.undefined_ends.then(|| UNDEFINED_ENDS.to_owned()));
        lines
    }

    /// Reads lines back.
    pub fn parse<'a>(lines: impl IntoIterator<Item = &'a str>) -> Result<Ranking, NoMeasure> {
        let mut ranking = Ranking::default();
        for text in lines {
            let wrong = || NoMeasure(text.to_owned());
            let words: Vec<&str> = text.split_whitespace().collect();
            match words[..] {
                ["undefined", "ends"] => ranking.undefined_ends = true,
                ["count", n] if ranking.count.is_none() => {
                    ranking.count = Some(n.parse().map_err(|_| wrong())?);
                }
                ["loop", name, head, ":", ref parts @ ..] => {
                    let head = head.parse().map_err(|_| wrong())?;
                    let parts = parse_parts(parts).ok_or_else(wrong)?;
                    let subject = Subject::Loop(name.to_owned(), head);
                    ranking.measures.push((subject, parts));
                }
                ["call", name, ":", ref parts @ ..] => {
                    let parts = parse_parts(parts).ok_or_else(wrong)?;
                    let subject = Subject::Call(name.to_owned());
                    ranking.measures.push((subject, parts));
                }
                _ => return Err(wrong()),
            }
        }
        Ok(ranking)
    }
}

fn line((subject, parts): &(Subject, Vec<Part>)) -> String {
    let parts: Vec<String> = parts.iter().map(Part::to_string).collect();
    match subject {
        Subject::Loop(name, head) => format!("loop {name} {head} : {}", parts.join(" ; ")),
        Subject::Call(name) => format!("call {name} : {}", parts.join(" ; ")),
    }
}

fn parse_parts(words: &[&str]) -> Option<Vec<Part>> {
    words.split(|w| *w == ";").map(parse_part).collect()
}

fn parse_part(words: &[&str]) -> Option<Part> {
    let (constant, terms) = words.split_last()?;
    let term = |word: &&str| {
        let (factor, atom) = word.split_once('*')?;
        Some((factor.parse().ok()?, parse_atom(atom)?))
    };
    Some(Part {
        terms: terms.iter().map(term).collect::<Option<_>>()?,
        constant: constant.parse().ok()?,
    })
}

fn parse_atom(text: &str) -> Option<Atom> {
    let (kind, place) = text.split_once(':')?;
    let kind = match kind {
        "s" => Kind::Signed,
        "u" => Kind::Unsigned,
        "low" => Kind::Low,
        _ => return None,
    };
    let place = match place.strip_prefix('[') {
        None if place.is_empty() => return None,
        None => Place::Register(place.to_owned()),
        Some(cell) => {
            let (place, bits) = cell.rsplit_once(']')?;
            let (base, offset) = place.rsplit_once('+')?;
            let (base, object) = match base.strip_prefix('&') {
                Some(object) => (object, true),
                None => (base, false),
            };
            Place::Cell {
                base: base.to_owned(),
                object,
                offset: offset.parse().ok()?,
                bits: bits.parse().ok()?,
            }
        }
    };
    Some(Atom { kind, place })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rankings_are_read_as_they_are_printed() {
        let text = [
            "loop main 12 : 1*s:n -1*s:i +0 ; 1*u:k#3 -7",
            "call f : 2*low:x +1 ; 1*s:[p+8]32 -1*u:[&o+0]64 +0",
            "count 1000",
        ];
        let ranking = Ranking::parse(text).expect("a ranking");
        assert_eq!(ranking.lines(), text);
        assert_eq!(ranking.measures[0].1.len(), 2);
        assert_eq!(ranking.count, Some(1000));
    }

    #[test]
    fn what_is_no_ranking_is_refused() {
        for text in [
            "",
            "loop main : 1*s:n +0",
            "loop main 1 :",
            "loop main 1 : 1*x:n +0",
            "loop main 1 : s:n +0",
            "loop main 1 : 1*s:n",
            "loop main 1 : 1*s: +0",
            "loop main 1 : 1*s:[p]32 +0",
            "count many",
            "while main 1 : +0",
        ] {
            assert!(Ranking::parse([text]).is_err(), "{text}");
        }
        assert!(Ranking::parse(["count 1", "count 2"]).is_err());
    }

    #[test]
    fn places_that_cancel_are_left_out() {
        let register = |name: &str| Atom {
            kind: Kind::Signed,
            place: Place::Register(name.to_owned()),
        };
        let (n, i) = (register("n"), register("i"));
        let difference = Part::of(n.clone(), 1, 2).plus(&Part::of(i.clone(), 1, 1), -1);
        assert_eq!(difference.to_string(), "-1*s:i 1*s:n +1");
        assert!(difference.plus(&difference, -1).terms.is_empty());
    }
}
