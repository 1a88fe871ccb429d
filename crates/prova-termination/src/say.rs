//! Measures for people: in the names of the source, as C would write them.

use prova_ir::{ProcId, Program};
use prova_rank::{Atom, Extreme, Kind, Order, Part, Place, Ranking, Subject, Tuple};

/// What sort of measure each loop and each circle of calls of a ranking has, in the ranking's order and in
/// the words of `docs/termination.md`; a count comes last.
pub fn kinds(ranking: &Ranking) -> Vec<&'static str> {
    let promised = ranking.returns.iter().filter(|r| !r.1.is_empty());
    let promises = |name: &String| promised.clone().any(|r| r.0 == *name);
    let one = |(subject, tuple): &(Subject, Tuple)| match subject {
        Subject::Loop(..) => kind(tuple),
        Subject::Call(name) if promises(name) => "parameters and results of calls",
        Subject::Call(_) => "parameters of calls",
    };
    let mut all: Vec<&'static str> = ranking.measures.iter().map(one).collect();
    all.extend(ranking.count.map(|_| "a count of rounds"));
    all
}

fn kind(tuple: &Tuple) -> &'static str {
    let [part] = &tuple.parts[..] else {
        return match tuple.order {
            Order::Forever => "none: it may run for ever",
            Order::Lexicographic => "a tuple",
        };
    };
    let cell = |a: &Atom| matches!(a.place, Place::Cell { .. });
    if !part.others.is_empty() {
        "the least or greatest"
    } else if part.atoms().any(|a| a.kind == Kind::Low) {
        "the lowest bit"
    } else if part.terms.iter().any(|t| t.0.abs() != 1) {
        "a sum with factors"
    } else if part.terms.len() > 1 {
        "a sum or difference"
    } else if part.atoms().any(cell) {
        "a cell of memory"
    } else {
        "one variable"
    }
}

/// A part of a measure as C text.
pub fn part(program: &Program, procedure: ProcId, part: &Part) -> String {
    let each = part.linear().map(|p| linear(program, procedure, p));
    let each: Vec<String> = each.collect();
    match (&each[..], part.extreme) {
        ([one], _) => one.clone(),
        (_, Extreme::Least) => format!("min({})", each.join(", ")),
        (_, Extreme::Greatest) => format!("max({})", each.join(", ")),
    }
}

fn linear(program: &Program, procedure: ProcId, part: &Part) -> String {
    let mut text = String::new();
    let mut terms: Vec<&(i64, Atom)> = part.terms.iter().collect();
    terms.sort_by_key(|t| t.0 < 0);
    for (factor, atom) in terms {
        let name = atom_text(program, procedure, atom);
        let sign = match (*factor < 0, text.is_empty()) {
            (true, true) => "-",
            (true, false) => " - ",
            (false, true) => "",
            (false, false) => " + ",
        };
        text += sign;
        if factor.unsigned_abs() != 1 {
            text += &format!("{} * ", factor.unsigned_abs());
        }
        text += &name;
    }
    match part.constant {
        0 if text.is_empty() => "0".into(),
        0 => text,
        c if text.is_empty() => c.to_string(),
        c if c < 0 => format!("{text} - {}", c.unsigned_abs()),
        c => format!("{text} + {c}"),
    }
}

fn atom_text(program: &Program, procedure: ProcId, atom: &Atom) -> String {
    let register = |name: &String| {
        let own =
            |r: &&prova_ir::Register| r.name == *name && r.owner.is_none_or(|o| o == procedure);
        let found = program.registers.iter().find(own);
        match found.map(|r| r.c_name.as_str()) {
            Some("") | None => name.clone(),
            Some(known) => known.to_owned(),
        }
    };
    let place = match &atom.place {
        Place::Register(name) => register(name),
        Place::Cell {
            base,
            object,
            offset,
            ..
        } => match (object, offset) {
            (true, 0) => object_name(program, base),
            (true, n) => format!("{}@{n}", object_name(program, base)),
            (false, 0) => format!("*{}", register(base)),
            (false, n) => format!("{}@{n}", register(base)),
        },
    };
    match atom.kind {
        Kind::Signed => place,
        Kind::Unsigned => place,
        Kind::Low => format!("({place} & -{place})"),
    }
}

fn object_name(program: &Program, name: &str) -> String {
    let found = program.objects.iter().find(|o| o.name == name);
    match found.map(|o| o.c_name.as_str()) {
        Some("") | None => name.to_owned(),
        Some(known) => known.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_have_kinds() {
        let lines = [
            ("loop main 1 : 1*s:n +0", "one variable"),
            ("loop main 2 : 1*s:[p+8]32 +0", "a cell of memory"),
            ("loop main 3 : 1*s:n -1*s:i +0", "a sum or difference"),
            ("loop main 4 : 3*s:n -1*s:i +0", "a sum with factors"),
            (
                "loop main 5 : 1*s:p +0 min 1*s:q +0",
                "the least or greatest",
            ),
            ("loop main 6 : -1*low:x +4294967296", "the lowest bit"),
            ("loop main 7 : 1*s:x +0 ; 1*s:y +0", "a tuple"),
            ("loop main 8 : forever", "none: it may run for ever"),
            ("call f : 1*s:n +0", "parameters of calls"),
            ("call g : 1*s:n +0", "parameters and results of calls"),
            ("count 1000", "a count of rounds"),
        ];
        let text = lines.iter().map(|l| l.0);
        let text = text.chain(["returns f :", "returns g : 1*s:g.result +0"]);
        let ranking = Ranking::parse(text).expect("a ranking");
        let expected: Vec<&str> = lines.iter().map(|l| l.1).collect();
        assert_eq!(kinds(&ranking), expected);
    }
}
