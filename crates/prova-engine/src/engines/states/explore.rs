//! Running the program from state to state.

use super::between::{assume, Between, Evaluation};
use super::places::Places;
use prova_ir::{EdgeId, LocId, Span, Statement};
use prova_task::Budget;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::collections::VecDeque;
use std::rc::Rc;

/// Ways from one state to the next ones; where there are more, states are kept at joins.
const MOST_WAYS: usize = 256;
/// States that are kept.
const MOST_STATES: usize = 3_000_000;
/// States that one way leads to.
const MOST_PARTS: usize = 64;
/// How often a state may grow before its ends become those of the classes that it lies in.
const MOST_GROWN: u32 = 4;
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
    /// How often it grew.
    grown: u32,
    /// Whether the program is still to be run from it.
    waiting: bool,
}

/// One exploration.
pub struct Exploration<'p> {
    /// Where states are kept.
    pub places: Places<'p>,
    /// Whether values in the same classes, of those that the program tells apart, are one state, so
    /// that there are finitely many, and perhaps too many. Such a state is as wide as what came there,
    /// not as the classes: what is computed from it overflows only if it must.
    pub coarse: bool,
    /// All states that were found.
    pub nodes: Vec<Node>,
    /// The one that the program was run from last.
    pub last: usize,
    /// Edges that were followed.
    pub edges: u64,
    /// Steps behind which a value lay in more than one class.
    pub parted: u64,
    /// Whether states are kept at joins, too.
    joins: bool,
    /// Those to run the program from, again perhaps.
    open: VecDeque<usize>,
    /// By place, and the classes that they lie in.
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
            last: 0,
            edges: 0,
            parted: 0,
            joins: false,
            open: VecDeque::new(),
            seen: FxHashMap::default(),
        };
        this.start();
        this
    }

    /// Goes on until nothing new is found, something is met, or so many edges were followed in all.
    pub fn go_on(&mut self, budget: &Budget, most: u64) -> Result<(), Met> {
        while let Some(&number) = self.open.front() {
            if self.edges >= most {
                return Err(Met::Paused);
            }
            if self.nodes.len() > MOST_STATES {
                return Err(Met::Crowd);
            }
            self.open.pop_front();
            self.last = number;
            self.nodes[number].waiting = false;
            match self.run(number, budget) {
                Ok(()) => {}
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
        self.open.clear();
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

    /// Takes in what arrives somewhere.
    fn arrive(&mut self, way: Way, parent: usize) {
        let kept = self.places.kept[way.at.index()]
            .as_ref()
            .expect("it is kept here");
        if !self.coarse {
            let known = kept.iter().map(|r| way.registers[r.index()]);
            let state: Rc<[Between]> = known.collect();
            self.put(way.at, Rc::clone(&state), state, parent, &way.inputs);
            return;
        }
        // Of each state the classes, and what of them was reached.
        let mut parts = vec![(Vec::new(), Vec::new())];
        for register in kept {
            let known = way.registers[register.index()];
            let mut classes = self.places.rounded(*register, known);
            if classes.len() * parts.len() > MOST_PARTS {
                classes = vec![Between::all(self.places.program.register(*register).ty)];
            }
            let before = parts.len();
            for _ in 1..classes.len() {
                parts.extend_from_within(..before);
            }
            for (i, (whole, reached)) in parts.iter_mut().enumerate() {
                let class = classes[i / before];
                whole.push(class);
                reached.push(class.meet(known));
            }
        }
        self.parted += u64::from(parts.len() > 1);
        for (whole, reached) in parts {
            self.put(way.at, whole.into(), reached.into(), parent, &way.inputs);
        }
    }

    /// Takes in a state, if it is new; what lies in the same classes as another makes that one grow.
    fn put(
        &mut self,
        at: LocId,
        whole: Rc<[Between]>,
        state: Rc<[Between]>,
        parent: usize,
        inputs: &[u128],
    ) {
        let number = match self.seen.entry((at, Rc::clone(&whole))) {
            Entry::Vacant(new) => {
                self.open.push_back(*new.insert(self.nodes.len()));
                self.nodes.push(Node {
                    at,
                    state,
                    parent,
                    inputs: inputs.into(),
                    grown: 0,
                    waiting: true,
                });
                return;
            }
            Entry::Occupied(known) => *known.get(),
        };
        let node = &mut self.nodes[number];
        let mut both = node.state.iter().zip(&*state);
        if !self.coarse || both.all(|(old, new)| old.holds(*new)) {
            return;
        }
        node.grown += 1;
        let wide = node.grown > MOST_GROWN;
        let parts = node.state.iter().zip(&*state).zip(&*whole);
        node.state = parts
            .map(|((old, new), whole)| old.grown(*new, if wide { *whole } else { *new }))
            .collect();
        if !std::mem::replace(&mut node.waiting, true) {
            self.open.push_back(number);
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
