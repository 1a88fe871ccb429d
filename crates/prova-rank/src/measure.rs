//! Measures, and how they are written.
//!
//! A ranking is a list of lines, each a subject and the parts of its tuple:
//!
//! ```text
//! loop main 12 : 1*s:n -1*s:i +0 ; 1*u:k +0
//! loop main 20 : forever
//! loop main 31 : 1*s:p +0 min 1*s:q +0
//! call f : 1*s:x +0
//! returns f : 1*s:f.result -1*s:x +10
//! count 1000
//! ```
//!
//! A part is a linear term over what registers and cells of memory hold, read as signed (`s`) or
//! unsigned (`u`) numbers, or over the lowest bit that is set in them (`low`). A cell is written `[p+8]32`: 32 bits at 8 bytes
//! behind where the register `p` points, or `[&o+8]32` in the object `o`. Several terms with `min` or
//! `max` between them are the least or the greatest of them.
//!
//! A tuple falls if some part falls that was not negative and none before it rises. A loop with `forever` in the place of a tuple need not end. `count N` bounds all rounds
//! of all loops and circles of calls that have no line of their own, together. `undefined ends` makes the
//! errors of other properties that are woven in ends of a run: what is shown then is shown of runs
//! without any of these, and whoever says so has to say that.

//! `returns f : …` has the calls that `f` makes of itself passed over ([`mod@crate::descend`]): each part is a
//! term over its parameters and its result that is not negative when it returns; there may be none.

use std::fmt;

/// The line that says that undefined behaviour ends a run.
pub const UNDEFINED_ENDS: &str = "undefined ends";

/// Why every loop and every circle of calls ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    /// The measures, in the order in which heads are chosen.
    pub measures: Vec<(Subject, Tuple)>,
    /// A bound on all rounds of what has no measure.
    pub count: Option<u64>,
    /// Procedures whose calls of themselves are passed over, with what is known of what they return.
    pub returns: Vec<(String, Vec<Part>)>,
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

/// The numbers that fall, and what that means.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Tuple {
    /// What it means that they fall.
    pub order: Order,
    /// The numbers.
    pub parts: Vec<Part>,
}

/// What it means that a tuple falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Order {
    /// Some part falls that was not negative, and none before it rises. Parts may be negative, so
    /// phases are tuples, too (Ben-Amram, Genaim: *On Multiphase-Linear Ranking Functions*, CAV 2017):
    /// a first part that falls in every round is negative from some round on, and does not rise.
    #[default]
    Lexicographic,
    /// Nothing: the loop may run for ever. There are no parts, and whoever says so has to say that.
    Forever,
}

/// A linear term, or the least or greatest of several.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Part {
    /// Factors and what they multiply.
    pub terms: Vec<(i64, Atom)>,
    /// What is added.
    pub constant: i128,
    /// Which of this term and the others is meant.
    pub extreme: Extreme,
    /// The others; they have no others of their own.
    pub others: Vec<Part>,
}

/// Which of several terms is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Extreme {
    /// The least.
    #[default]
    Least,
    /// The greatest.
    Greatest,
}

/// Constants that are read: nothing that is computed with them wraps.
const MOST_CONSTANT: u128 = 1 << 100;

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
    pub fn of(atom: Atom, factor: i64, constant: i128) -> Part {
        Part {
            terms: vec![(factor, atom)],
            constant,
            ..Part::default()
        }
    }

    /// The least or greatest of terms.
    pub fn extreme(extreme: Extreme, terms: &[&Part]) -> Part {
        let mut all = terms.iter().map(|p| (*p).clone());
        let mut part = all.next().unwrap_or_default();
        part.extreme = extreme;
        part.others = all.collect();
        part
    }

    /// The linear terms that it is the least or greatest of.
    pub fn linear(&self) -> impl Iterator<Item = &Part> {
        std::iter::once(self).chain(&self.others)
    }

    /// Everything that it reads.
    pub fn atoms(&self) -> impl Iterator<Item = &Atom> {
        self.linear().flat_map(|p| p.terms.iter().map(|t| &t.1))
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
        sum.constant += other.constant * i128::from(factor);
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
        for (i, part) in self.linear().enumerate() {
            match self.extreme {
                _ if i == 0 => {}
                Extreme::Least => f.write_str(" min ")?,
                Extreme::Greatest => f.write_str(" max ")?,
            }
            for (factor, atom) in &part.terms {
                write!(f, "{factor}*{atom} ")?;
            }
            write!(f, "{:+}", part.constant)?;
        }
        Ok(())
    }
}

impl Ranking {
    /// The lines of its text.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.measures.iter().map(line).collect();
        lines.extend(self.returns.iter().map(|(name, parts)| {
            let parts: Vec<String> = parts.iter().map(Part::to_string).collect();
            format!("returns {name} : {}", parts.join(" ; "))
                .trim_end()
                .to_owned()
        }));
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
                    let tuple = parse_tuple(parts).ok_or_else(wrong)?;
                    let subject = Subject::Loop(name.to_owned(), head);
                    ranking.measures.push((subject, tuple));
                }
                ["returns", name, ":"] => ranking.returns.push((name.to_owned(), Vec::new())),
                ["returns", name, ":", ref parts @ ..] => {
                    let parts = parts.split(|w| *w == ";").map(parse_part);
                    let parts = parts.collect::<Option<_>>().ok_or_else(wrong)?;
                    ranking.returns.push((name.to_owned(), parts));
                }
                ["call", name, ":", ref parts @ ..] => {
                    let tuple = parse_tuple(parts).ok_or_else(wrong)?;
                    let subject = Subject::Call(name.to_owned());
                    ranking.measures.push((subject, tuple));
                }
                _ => return Err(wrong()),
            }
        }
        Ok(ranking)
    }
}

impl fmt::Display for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.order == Order::Forever {
            return f.write_str("forever");
        }
        let parts: Vec<String> = self.parts.iter().map(Part::to_string).collect();
        f.write_str(&parts.join(" ; "))
    }
}

fn line((subject, tuple): &(Subject, Tuple)) -> String {
    match subject {
        Subject::Loop(name, head) => format!("loop {name} {head} : {tuple}"),
        Subject::Call(name) => format!("call {name} : {tuple}"),
    }
}

fn parse_tuple(words: &[&str]) -> Option<Tuple> {
    if let ["forever"] = words {
        return Some(Tuple {
            order: Order::Forever,
            parts: Vec::new(),
        });
    }
    let parts = words.split(|w| *w == ";").map(parse_part);
    Some(Tuple {
        order: Order::Lexicographic,
        parts: parts.collect::<Option<_>>()?,
    })
}

fn parse_part(words: &[&str]) -> Option<Part> {
    let extreme = match (words.contains(&"min"), words.contains(&"max")) {
        (true, true) => return None,
        (_, true) => Extreme::Greatest,
        _ => Extreme::Least,
    };
    let terms = words.split(|w| *w == "min" || *w == "max");
    let terms = terms.map(parse_term).collect::<Option<Vec<Part>>>()?;
    Some(Part::extreme(extreme, &terms.iter().collect::<Vec<_>>()))
}

fn parse_term(words: &[&str]) -> Option<Part> {
    let (constant, terms) = words.split_last()?;
    let term = |word: &&str| {
        let (factor, atom) = word.split_once('*')?;
        Some((factor.parse().ok()?, parse_atom(atom)?))
    };
    let constant: i128 = constant.parse().ok()?;
    Some(Part {
        terms: terms.iter().map(term).collect::<Option<_>>()?,
        constant: (constant.unsigned_abs() <= MOST_CONSTANT).then_some(constant)?,
        ..Part::default()
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
            "loop main 20 : 1*s:y +0 ; 1*s:x +18446744073709551616",
            "loop main 25 : forever",
            "loop main 31 : 1*s:p +0 min 1*s:q -1 min 1*s:r +0 ; 1*s:p +0 max 1*s:q +0",
            "returns f : 1*s:f.result -1*s:x +10 ; 1*s:f.result -91",
            "returns g :",
            "count 1000",
        ];
        let ranking = Ranking::parse(text).expect("a ranking");
        assert_eq!(ranking.lines(), text);
        assert_eq!(ranking.measures[0].1.parts.len(), 2);
        assert_eq!(ranking.measures[3].1.order, Order::Forever);
        assert_eq!(ranking.measures[4].1.parts[0].others.len(), 2);
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
            "loop main 1 : forever 1*s:n +0",
            "loop main 1 : 1*s:p +0 min",
            "loop main 1 : 1*s:p +0 min 1*s:q +0 max 1*s:r +0",
            "loop main 1 : 1*s:p +99999999999999999999999999999999",
            "count many",
            "returns f",
            "returns f : 1*s:n",
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
