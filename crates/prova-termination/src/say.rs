//! Measures for people: in the names of the source, as C would write them.

use prova_ir::{ProcId, Program};
use prova_rank::{Atom, Extreme, Kind, Part, Place};

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
