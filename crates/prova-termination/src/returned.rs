//! What tests show of what procedures return that call themselves: bounds of the result and of its
//! distance to each parameter. Tests propose, engines prove: where such a bound is promised, it is checked
//! wherever the procedure returns (`prova_rank::descend`).

use crate::shape::{kinds, Circle};
use prova_exec::Run;
use prova_ir::{ProcId, Program, RegId, Type};
use prova_rank::{Atom, Kind, Part, Place};

/// Calls that have to be seen before anything is promised.
const FEW: usize = 3;
/// Bounds that are this far from zero are accidents of the tests.
const FAR: i128 = 200;

/// What is known of one procedure.
#[derive(Clone)]
pub struct Returned {
    /// Its name.
    pub name: String,
    procedure: ProcId,
    result: Option<Number>,
    parameters: Vec<Number>,
    /// The least that each of the candidates was.
    least: Vec<i128>,
    seen: usize,
}

#[derive(Clone)]
struct Number {
    register: RegId,
    bits: u32,
    atom: Atom,
}

/// The procedures that call themselves, and none but themselves in a circle.
pub fn returned(program: &Program, circles: &[Circle]) -> Vec<Returned> {
    let calls = circles.iter().filter(|c| c.component.is_none());
    let alone = calls.filter(|c| c.procedures.len() == 1);
    let one = |circle: &Circle| {
        let procedure = program.procedure(circle.procedure);
        let parameters = procedure.parameters.iter();
        Returned {
            name: procedure.name.clone(),
            procedure: circle.procedure,
            result: procedure.result.and_then(|r| number(program, r)),
            parameters: parameters.filter_map(|p| number(program, *p)).collect(),
            least: Vec::new(),
            seen: 0,
        }
    };
    alone.map(one).collect()
}

fn number(program: &Program, register: RegId) -> Option<Number> {
    let Type::Int(bits @ 8..=64) = program.register(register).ty else {
        return None;
    };
    let place = Place::Register(program.register(register).name.clone());
    let [kind, _] = kinds(program, &place);
    Some(Number {
        register,
        bits: bits.into(),
        atom: Atom { kind, place },
    })
}

impl Returned {
    /// Terms over the result, without what is added.
    fn candidates(&self) -> Vec<Part> {
        let Some(result) = &self.result else {
            return Vec::new();
        };
        let own = Part::of(result.atom.clone(), 1, 0);
        let mut all = vec![own.clone(), Part::default().plus(&own, -1)];
        for parameter in &self.parameters {
            let other = Part::of(parameter.atom.clone(), 1, 0);
            all.push(own.plus(&other, -1));
            all.push(other.plus(&own, -1));
        }
        all
    }

    /// Looks at the calls of a run that are over.
    pub fn learn(&mut self, run: &Run) {
        let Some(result) = self.result.clone() else {
            return;
        };
        let calls = run.activations().iter().enumerate();
        let over = calls.filter(|(_, c)| c.proc == self.procedure && c.last != u32::MAX);
        for (i, call) in over {
            let got = result.read(run.register_of(i as u32, result.register, call.last));
            let mut now = vec![got, -got];
            for p in &self.parameters {
                let given = p.read(run.register_of(i as u32, p.register, call.start));
                now.extend([got - given, given - got]);
            }
            self.seen += 1;
            match self.least.is_empty() {
                true => self.least = now,
                false => {
                    for (least, now) in self.least.iter_mut().zip(now) {
                        *least = now.min(*least);
                    }
                }
            }
        }
    }

    /// What may be promised.
    pub fn promises(&self) -> Vec<Part> {
        if self.seen < FEW {
            return Vec::new();
        }
        let all = self.candidates().into_iter().zip(&self.least);
        let near = all.filter(|(_, least)| least.abs() <= FAR);
        near.map(|(part, least)| Part {
            constant: -least,
            ..part
        })
        .collect()
    }
}

impl Number {
    fn read(&self, bits: u128) -> i128 {
        let shift = 128 - self.bits;
        match self.atom.kind {
            Kind::Signed => ((bits << shift) as i128) >> shift,
            Kind::Unsigned | Kind::Low => ((bits << shift) >> shift) as i128,
        }
    }
}
