//! Bounds on the rounds of a loop: one more than its measure is where the loop is entered, in terms of
//! what was known before, as far as plain assignments tell.

use crate::say;
use crate::shape::Circle;
use prova_ir::{Body, Expr, LocId, Program, Statement, Type};
use prova_rank::{Atom, Kind, Order, Part, Place, Tuple};

/// Steps that are gone back from the head.
const STEPS: usize = 40;
/// Bounds that are no more than the size of a type say nothing.
const MOST: i128 = 1 << 31;

/// The bound that a measure of one part gives, as C text.
pub fn bound(program: &Program, circle: &Circle, tuple: &Tuple) -> Option<String> {
    let component = circle.component.as_ref()?;
    let body = program.procedure(circle.procedure).body.as_ref()?;
    let [part] = &tuple.parts[..] else {
        return None;
    };
    let number = |atom: &Atom| match &atom.place {
        Place::Register(name) => {
            let mut all = program.registers.iter();
            let own = |r: &&prova_ir::Register| {
                r.name == *name && r.owner.is_none_or(|o| o == circle.procedure)
            };
            let found = all.find(own);
            found.is_some_and(|r| matches!(r.ty, Type::Int(_)) && !r.c_name.is_empty())
        }
        Place::Cell { .. } => true,
    };
    let small = |p: &Part| p.constant.abs() < MOST;
    if tuple.order == Order::Forever
        || !part.atoms().all(|a| a.kind != Kind::Low && number(a))
        || !part.linear().all(small)
    {
        return None;
    }
    let mut entering = body.edges.iter();
    let outside = |e: &&prova_ir::Edge| e.target == component.head && !component.contains(e.source);
    let first = entering.find(outside);
    let only = first.filter(|_| !entering.any(|e| outside(&e)));
    let mut all: Vec<Part> = part.linear().cloned().collect();
    if let Some(edge) = only.filter(|_| body.entry != component.head) {
        go_back(program, body, &edge.statement, edge.source, &mut all);
    }
    for part in &mut all {
        part.constant += 1;
        part.others.clear();
    }
    let all: Vec<&Part> = all.iter().collect();
    let whole = Part::extreme(part.extreme, &all);
    Some(say::part(program, circle.procedure, &whole))
}

/// Puts what variables were given in their place, on the one way that leads to a place.
fn go_back(program: &Program, body: &Body, statement: &Statement, at: LocId, parts: &mut [Part]) {
    let (mut statement, mut at) = (statement, at);
    for _ in 0..STEPS {
        if !before(program, statement, parts) {
            return;
        }
        let mut ways = body.edges.iter().filter(|e| e.target == at);
        let (Some(way), None) = (ways.next(), ways.next()) else {
            return;
        };
        if at == body.entry {
            return;
        }
        (statement, at) = (&way.statement, way.source);
    }
}

/// What terms were before a statement; whether that can be said.
fn before(program: &Program, statement: &Statement, parts: &mut [Part]) -> bool {
    let pool = &program.exprs;
    match statement {
        Statement::Skip | Statement::Assume(_) | Statement::Enter(_) => true,
        Statement::Assign { target, value } => {
            let name = &program.register(*target).name;
            let reads = |place: &Place| match place {
                Place::Register(own) => own == name,
                Place::Cell { base, object, .. } => !object && base == name,
            };
            let mut reading = parts
                .iter()
                .flat_map(|p| &p.terms)
                .filter(|t| reads(&t.1.place));
            if reading.next().is_none() {
                return true;
            }
            // Only what is exact: constants, and other variables of the same width.
            let given = match pool.get(*value) {
                Expr::Int { value, width } => Given::Number(value, width),
                Expr::Reg(r) if program.register(r).ty == program.register(*target).ty => {
                    let register = program.register(r);
                    if register.c_name.is_empty() {
                        return false;
                    }
                    Given::Register(register.name.clone())
                }
                _ => return false,
            };
            if parts.iter().any(|p| {
                let mut cells = p.terms.iter();
                cells.any(|t| matches!(t.1.place, Place::Cell { .. }) && reads(&t.1.place))
            }) {
                return false;
            }
            for part in parts {
                let mut sum = Part {
                    constant: part.constant,
                    ..Part::default()
                };
                for (factor, atom) in &part.terms {
                    let one = match (&given, reads(&atom.place)) {
                        (_, false) => Part::of(atom.clone(), 1, 0),
                        (Given::Register(other), true) => {
                            let place = Place::Register(other.clone());
                            Part::of(
                                Atom {
                                    kind: atom.kind,
                                    place,
                                },
                                1,
                                0,
                            )
                        }
                        (Given::Number(bits, width), true) => Part {
                            constant: read(*bits, *width, atom.kind),
                            ..Part::default()
                        },
                    };
                    sum = sum.plus(&one, *factor);
                }
                *part = sum;
            }
            true
        }
        Statement::Nondet { target, .. } => {
            let name = &program.register(*target).name;
            let atoms = parts.iter().flat_map(|p| &p.terms).map(|t| &t.1.place);
            let mut named = atoms.filter(|place| match place {
                Place::Register(own) => own == name,
                Place::Cell { base, .. } => base == name,
            });
            named.next().is_none()
        }
        _ => parts.iter().all(|p| p.terms.is_empty()),
    }
}

enum Given {
    Number(u128, u16),
    Register(String),
}

fn read(bits: u128, width: u16, kind: Kind) -> i128 {
    let shift = 128 - u32::from(width.clamp(1, 128));
    match kind {
        Kind::Signed => ((bits << shift) as i128) >> shift,
        Kind::Unsigned | Kind::Low => ((bits << shift) >> shift) as i128,
    }
}
