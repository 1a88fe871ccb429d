//! Running the program from state to state.

use super::between::{assume, Between, Evaluation};
use super::places::Places;
use prova_ir::{EdgeId, LocId, Span, Statement};
use prova_task::Budget;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Ways from one state to the next ones; where there are more, states are kept at joins.
const MOST_WAYS: usize = 256;
/// States that are kept.
const MOST_STATES: usize = 3_000_000;
/// States that one way leads to.
const MOST_PARTS: usize = 64;
/// Edges between two looks at the clock.
const POLL: u64 = 4096;

/// A state that was reached.
pub struct Node {
    /// Where.
    pub at: LocId,
    /// Of the registers that are kept there, in order.
    pub state: Rc<[Between]>,
    /// The state before it.
    pub parent: usize,
    /// What was read since then.
    pub inputs: Box<[u128]>,
}

/// One exploration.
pub struct Exploration<'p> {
    /// Where states are kept.
    pub places: Places<'p>,
    /// Whether values are rounded to the classes that the program tells apart, so that there are
    /// finitely many states, and perhaps too many.
    pub coarse: bool,
    /// All states that were found.
    pub nodes: Vec<Node>,
    /// The next one to run the program from.
    pub next: usize,
    /// Edges that were followed.
    pub edges: u64,
    /// Steps behind which a value lay in more than one class.
    pub parted: u64,
    /// Whether states are kept at joins, too.
    joins: bool,
    seen: FxHashMap<(LocId, Rc<[Between]>), usize>,
}

/// Where a run stands between two states.
struct Way {
    at: LocId,
    /// The edge to take from there, where that is settled.
    edge: Option<EdgeId>,
    registers: Vec<Between>,
    inputs: Vec<u128>,
}

/// Why an exploration ended before all was found.
pub enum Met {
    /// An error, with what was read since the state that the program was run from.
    Error(Vec<u128>, LocId),
    /// Too many ways, or states.
    Crowd,
    /// Something that is not followed.
    Foreign(&'static str, Span),
    /// The budget is used up.
    Stopped,
    /// It may go no further for now.
    Paused,
}

impl<'p> Exploration<'p> {
    /// Stands at the entry.
    pub fn new(places: Places<'p>, coarse: bool) -> Exploration<'p> {
        let mut this = Exploration {
            places,
            coarse,
            nodes: Vec::new(),
            next: 0,
            edges: 0,
            parted: 0,
            joins: false,
            seen: FxHashMap::default(),
        };
        this.start();
        this
    }

    /// Goes on until nothing new is found, something is met, or so many edges were followed in all.
    pub fn go_on(&mut self, budget: &Budget, most: u64) -> Result<(), Met> {
        while self.next < self.nodes.len() {
            if self.edges >= most {
                return Err(Met::Paused);
            }
            if self.nodes.len() > MOST_STATES {
                return Err(Met::Crowd);
            }
            match self.run(self.next, budget) {
                Ok(()) => self.next += 1,
                Err(Met::Crowd) if !self.joins => {
                    self.joins = true;
                    self.places.keep_joins();
                    self.start();
                }
                Err(met) => return Err(met),
            }
        }
        Ok(())
    }

    fn start(&mut self) {
        self.nodes.clear();
        self.seen.clear();
        self.next = 0;
        self.parted = 0;
        let program = self.places.program;
        let anything = self.anything();
        let mut registers = anything.clone();
        for (register, known) in program.registers.iter().zip(&mut registers) {
            if let (Some(value), None) = (register.initial, register.owner) {
                let mut evaluation = Evaluation {
                    pool: &program.exprs,
                    registers: &anything,
                    traps: false,
                };
                *known = evaluation.of(value);
            }
        }
        let way = Way {
            at: self.places.body.entry,
            edge: None,
            registers,
            inputs: Vec::new(),
        };
        self.arrive(way, 0);
    }

    fn anything(&self) -> Vec<Between> {
        let registers = self.places.program.registers.iter();
        registers.map(|r| Between::all(r.ty)).collect()
    }

    /// Takes in a state, if it is new.
    fn arrive(&mut self, way: Way, parent: usize) {
        let kept = self.places.kept[way.at.index()]
            .as_ref()
            .expect("it is kept here");
        let mut states: Vec<Vec<Between>> = vec![Vec::with_capacity(kept.len())];
        for register in kept {
            let known = way.registers[register.index()];
            let classes = match self.coarse {
                true => self.places.rounded(*register, known),
                false => vec![known],
            };
            let classes = match classes.len() * states.len() <= MOST_PARTS {
                true => classes,
                false => vec![Between::all(self.places.program.register(*register).ty)],
            };
            let before = states.len();
            for _ in 1..classes.len() {
                states.extend_from_within(..before);
            }
            for (i, state) in states.iter_mut().enumerate() {
                state.push(classes[i / before]);
            }
        }
        self.parted += u64::from(states.len() > 1);
        for state in states {
            let state: Rc<[Between]> = state.into();
            let number = self.nodes.len();
            let key = (way.at, Rc::clone(&state));
            if *self.seen.entry(key).or_insert(number) == number {
                self.nodes.push(Node {
                    at: way.at,
                    state,
                    parent,
                    inputs: way.inputs.clone().into(),
                });
            }
        }
    }

    /// Runs the program from a state to the next ones, on all ways that there are.
    fn run(&mut self, number: usize, budget: &Budget) -> Result<(), Met> {
        let mut registers = self.anything();
        let node = &self.nodes[number];
        let kept = self.places.kept[node.at.index()].iter().flatten();
        for (register, known) in kept.zip(&*node.state) {
            registers[register.index()] = *known;
        }
        let mut open = vec![Way {
            at: node.at,
            edge: None,
            registers,
            inputs: Vec::new(),
        }];
        let mut ways = 0;
        while let Some(mut way) = open.pop() {
            ways += 1;
            if ways > MOST_WAYS {
                return Err(Met::Crowd);
            }
            while let Some(edge) = self.choose(&mut way, &mut open) {
                self.edges += 1;
                if self.edges.is_multiple_of(POLL) && budget.poll().is_some() {
                    return Err(Met::Stopped);
                }
                let edge = self.places.body.edge(edge);
                way.at = edge.target;
                if !self.take(&mut way, &edge.statement, edge.span, number)? {
                    break;
                }
                if self.places.error[way.at.index()] {
                    return Err(Met::Error(way.inputs, way.at));
                }
                if self.places.kept[way.at.index()].is_some() {
                    self.arrive(way, number);
                    break;
                }
            }
        }
        Ok(())
    }

    /// The edge that a way takes; where it may take several, the others are left for later.
    fn choose(&self, way: &mut Way, open: &mut Vec<Way>) -> Option<EdgeId> {
        if let Some(edge) = way.edge.take() {
            return Some(edge);
        }
        let pool = &self.places.program.exprs;
        let mut chosen: Option<(EdgeId, Option<Vec<Between>>)> = None;
        for &id in &self.places.outgoing[way.at.index()] {
            let mut narrowed = None;
            if let Statement::Assume(condition) = self.places.body.edge(id).statement {
                let mut evaluation = Evaluation {
                    pool,
                    registers: &way.registers,
                    traps: false,
                };
                match evaluation.of(condition).value() {
                    Some(0) => continue,
                    Some(_) => {}
                    None => {
                        let mut registers = way.registers.clone();
                        if !assume(pool, &mut registers, condition, true) {
                            continue;
                        }
                        narrowed = Some(registers);
                    }
                }
            }
            if let Some((edge, registers)) = chosen.replace((id, narrowed)) {
                open.push(Way {
                    at: way.at,
                    edge: Some(edge),
                    registers: registers.unwrap_or_else(|| way.registers.clone()),
                    inputs: way.inputs.clone(),
                });
            }
        }
        let (id, narrowed) = chosen?;
        if let Some(registers) = narrowed {
            way.registers = registers;
        }
        Some(id)
    }

    /// Takes a statement. Says whether the way goes on.
    fn take(
        &mut self,
        way: &mut Way,
        statement: &Statement,
        span: Span,
        number: usize,
    ) -> Result<bool, Met> {
        let program = self.places.program;
        match statement {
            Statement::Assign { target, value } => {
                let mut evaluation = Evaluation {
                    pool: &program.exprs,
                    registers: &way.registers,
                    traps: false,
                };
                let known = evaluation.of(*value);
                // Whatever such a run does then, no proof may rest on it.
                if evaluation.traps {
                    return Err(Met::Foreign("a division by zero", span));
                }
                way.registers[target.index()] = known;
            }
            Statement::Nondet { target, .. } => {
                if self.places.splits(*target, way.at) {
                    for i in 0..self.places.classes[target.index()].len() {
                        let class = self.places.classes[target.index()][i];
                        let mut registers = way.registers.clone();
                        registers[target.index()] = class;
                        let mut inputs = way.inputs.clone();
                        inputs.push(value_of(class));
                        let way = Way {
                            at: way.at,
                            edge: None,
                            registers,
                            inputs,
                        };
                        self.arrive(way, number);
                    }
                    return Ok(false);
                }
                let all = Between::all(program.register(*target).ty);
                way.registers[target.index()] = all;
                way.inputs.push(value_of(all));
            }
            Statement::Allocate { target, .. } => {
                way.registers[target.index()] = Between::all(program.register(*target).ty);
            }
            Statement::Call { .. } => return Err(Met::Foreign("a call", span)),
            Statement::Marker(_) => {
                return Err(Met::Foreign("something that is not modelled", span));
            }
            Statement::Halt(_) => return Ok(false),
            Statement::Skip
            | Statement::Assume(_)
            | Statement::Store { .. }
            | Statement::Copy { .. }
            | Statement::Havoc { .. }
            | Statement::Free(_)
            | Statement::Enter(_)
            | Statement::Leave(_) => {}
        }
        Ok(true)
    }
}

/// A value of a class: the one next to zero.
fn value_of(class: Between) -> u128 {
    let value = 0.clamp(class.low, class.high);
    u128::from(value as u64)
}
