//! Concrete and symbolic execution against each other: every term of a run has the value the run
//! had, and another model of the path's constraints is a test that takes the same path, on which
//! the same terms have the values that this second run has.
#![allow(dead_code)]

use prova_exec::points_to::Partition;
use prova_exec::state_vars::{StateVar, StateVars};
use prova_exec::transfer::separation;
use prova_exec::translate::{translate, Context};
use prova_exec::{evaluate, Code, Limits, Run, RunEnd, SymbolicRun, Test, Trap};
use prova_ir::{Expr, ExprId, ProcId, Program, RegId, Statement, Storage, Type};
use prova_logic::{new_solver, Answer, Limit, SolverConfig, Term, Terms};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What came of asking for another test of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Another {
    /// It took the same path and agreed in all values.
    Agreed,
    /// The path asked for no input, or the constraints allow no other.
    None,
    /// The solver gave up.
    Undecided,
    /// All the tests asked for left their objects, which the constraints do not forbid.
    OutOfBounds,
}

/// A path that was compared.
#[derive(Clone, Debug)]
pub struct Checked {
    /// How many constraints the path has.
    pub constraints: usize,
    /// How many edges.
    pub steps: u32,
    /// How the run ended.
    pub end: RunEnd,
    /// Whether another test took the path.
    pub another: Another,
}

/// States at which values are compared, at most; spread evenly.
const SAMPLES: u32 = 40;
/// Models that are asked for if the machine finds accesses outside their objects.
const MODELS: usize = 4;

/// Runs a test, runs it again with terms, and compares. `Err` says what terms cannot express.
pub fn check(program: &Arc<Program>, test: &Test, limits: Limits) -> Result<Checked, String> {
    let code = Code::new(Arc::clone(program)).map_err(|e| e.to_string())?;
    let run = Run::new(&code, test, limits);
    if let RunEnd::Unsupported(reason) = &run.end {
        return Err(reason.clone());
    }
    let partition = Partition::new(program);
    let mut terms = Terms::new();
    let vars = StateVars::new(&mut terms, program, &partition);
    let context = Context {
        program,
        partition: &partition,
        vars: &vars,
    };
    let states = run.steps();
    let mut symbolic =
        SymbolicRun::new(&mut terms, context, &run).map_err(|error| error.to_string())?;
    symbolic
        .extend(&mut terms, states)
        .map_err(|error| error.to_string())?;
    assert_eq!(symbolic.done(), states);
    let mut path = Path {
        terms,
        context,
        symbolic,
        run,
        values: Vec::new(),
    };
    path.collect();
    path.compare(&path.run);
    let constraints = path.symbolic.constraints(states).len();
    let another = path.another(&code, limits);
    Ok(Checked {
        constraints,
        steps: states,
        end: path.run.end,
        another,
    })
}

/// Something that has a value at a state, as a term and in a run.
#[derive(Clone, Copy)]
enum Part {
    Register(RegId),
    HeapTop,
    /// So many bytes at an address, of this type if all agree on one.
    Cell(Term, u32, Option<Type>),
}

struct Path<'a> {
    terms: Terms,
    context: Context<'a>,
    symbolic: SymbolicRun<'a>,
    run: Run,
    /// State, what is compared there, its term.
    values: Vec<(u32, Part, Term)>,
}

impl Path<'_> {
    /// The terms that are compared.
    fn collect(&mut self) {
        let states = self.run.steps();
        let stride = (states / SAMPLES).max(1);
        let program = self.context.program;
        for state in (0..=states).filter(|s| s % stride == 0 || *s == states) {
            let running = running(&self.run, state);
            for (i, register) in program.registers.iter().enumerate() {
                if register.owner.is_none_or(|owner| running.contains(&owner)) {
                    let reg = RegId::new(i);
                    let term = self.value(StateVar::Register(reg), state);
                    self.values.push((state, Part::Register(reg), term));
                }
            }
            let term = self.value(StateVar::HeapTop, state);
            self.values.push((state, Part::HeapTop, term));
        }
        // What was stored, where it was stored.
        let stores: Vec<_> = self
            .run
            .path()
            .filter_map(|(step, place)| {
                let body = program.procedure(place.proc).body.as_ref()?;
                match body.edge(place.edge?).statement {
                    Statement::Store { address, value } => {
                        Some((step, place.proc, address, program.exprs.ty(value)))
                    }
                    _ => None,
                }
            })
            .collect();
        let stride = stores.len() / SAMPLES as usize + 1;
        for &(step, proc, address, ty) in stores.iter().step_by(stride) {
            let Some(at) = self.address(step, proc, address) else {
                continue;
            };
            let class = self.context.partition.class_of(address).expect("a class");
            let class_type = self.context.partition.class(class).cell_type;
            let cell = self.context.partition.class(class).cell_bytes;
            for state in [step + 1, states] {
                let array = self.value(StateVar::Memory(class), state);
                for offset in (0..ty.bytes(program.model)).step_by(cell as usize) {
                    let width = program.model.pointer_bits();
                    let offset = self.terms.bv(u128::from(offset), width);
                    let index = self.terms.add(at, offset);
                    let read = self.terms.select(array, index);
                    self.values
                        .push((state, Part::Cell(index, cell, class_type), read));
                }
            }
        }
    }

    fn value(&mut self, part: StateVar, state: u32) -> Term {
        self.symbolic.value(&mut self.terms, &self.run, part, state)
    }

    /// An address at a state as a term over the inputs; `None` if it speaks of frame objects
    /// that need not lie at home.
    fn address(&mut self, state: u32, proc: ProcId, address: ExprId) -> Option<Term> {
        let program = self.context.program;
        let mut work = vec![address];
        while let Some(e) = work.pop() {
            if let Expr::Address(object) = program.exprs.get(e) {
                let at_home = activations(&self.run, state, proc) < 2;
                if matches!(program.object(object).storage, Storage::Frame(_)) && !at_home {
                    return None;
                }
            }
            work.extend(program.exprs.children(e));
        }
        let vars = self.context.vars;
        let term = translate(
            &mut self.terms,
            self.context,
            address,
            vars,
            &mut Vec::new(),
        );
        let term = term.expect("encodable");
        // The state variables, as the path has them.
        let mut pairs = Vec::new();
        for variable in self.terms.free_vars_of(&[term]) {
            if let Some(part) = vars.meaning(variable) {
                pairs.push((variable, self.value(part, state)));
            }
        }
        let mut substitution = prova_logic::Substitution::from_pairs(&self.terms, &pairs);
        Some(self.terms.substitute(term, &mut substitution))
    }

    /// All terms have the values they have in a run along this path.
    fn compare(&self, run: &Run) {
        let program = self.context.program;
        for constraint in self.symbolic.constraints(self.run.steps()) {
            let value = self.symbolic.eval(&self.terms, run, constraint.term);
            let shown = self.terms.display(constraint.term);
            assert_eq!(value.as_bool(), Some(true), "{constraint:?} {shown}");
        }
        for &(state, part, term) in &self.values {
            let mut value = self.symbolic.eval(&self.terms, run, term);
            let (expected, name) = match part {
                Part::Register(reg) => {
                    let register = program.register(reg);
                    let bits = run.register_at(reg, state);
                    let value = evaluate::value_of(register.ty, program.model, bits);
                    (value, register.name.clone())
                }
                Part::HeapTop => {
                    let top = u128::from(run.heap_top_at(state));
                    let width = program.model.pointer_bits();
                    (prova_logic::Value::bv(top, width), "the heap's top".into())
                }
                Part::Cell(address, bytes, ty) => {
                    let address = self.symbolic.eval(&self.terms, run, address);
                    let address = address.as_u64().expect("an address");
                    let bits = run.memory_at(address, bytes, state);
                    let name = format!("{bytes} bytes at {address:#x}");
                    match ty {
                        // Which NaN it is nobody can see.
                        Some(ty @ Type::Float(_)) => {
                            let held = evaluate::bits_of(&value).expect("bits");
                            value = evaluate::value_of(ty, program.model, held);
                            (evaluate::value_of(ty, program.model, bits), name)
                        }
                        _ => (prova_logic::Value::bv(bits, bytes * 8), name),
                    }
                }
            };
            let shown = self.terms.display(term);
            assert_eq!(value, expected, "{name} at state {state}: {shown}");
        }
    }

    /// Asks for another test of the path and compares again.
    fn another(&mut self, code: &Arc<Code>, limits: Limits) -> Another {
        let states = self.run.steps();
        let mut asserted: Vec<Term> = self
            .symbolic
            .constraints(states)
            .iter()
            .map(|c| c.term)
            .collect();
        let accesses: Vec<_> = self.symbolic.accesses(states).collect();
        let partition = self.context.partition;
        asserted.extend(separation(&mut self.terms, partition, &accesses, 64));
        let inputs: Vec<Term> = self.symbolic.inputs(states).iter().map(|i| i.var).collect();
        let first = self.run.test.clone();
        let mut last = Run::new(code, &first, limits);
        for _ in 0..MODELS {
            // All inputs other than before, if that can be, and at least one.
            let mut different = Vec::new();
            for &input in &inputs {
                let old = self.symbolic.eval(&self.terms, &last, input);
                let old = self.terms.value(&old);
                different.push(self.terms.ne(input, old));
            }
            asserted.push(self.terms.or(&different));
            let test = match self.ask(&asserted, &different, &last) {
                Ok(test) => test,
                Err(answer) => return answer,
            };
            let again = Run::new(code, &test, limits);
            let common = states.min(again.steps());
            for step in 0..common {
                let (here, there) = (again.position_at(step), self.run.position_at(step));
                assert_eq!(here, there, "step {step} of {states}");
            }
            if again.steps() >= states {
                self.compare(&again);
                return Another::Agreed;
            }
            // Where objects end is the one thing constraints do not say.
            let outside = matches!(
                again.end,
                RunEnd::Trap(Trap::InvalidRead(_) | Trap::InvalidWrite(_), _)
            );
            assert!(outside, "{:?} after {common} of {states}", again.end);
            last = again;
        }
        Another::OutOfBounds
    }

    fn ask(&mut self, asserted: &[Term], wished: &[Term], last: &Run) -> Result<Test, Another> {
        let axioms = self.context.vars.layout_axioms(&mut self.terms, asserted);
        let mut solver = new_solver(&SolverConfig {
            limit: Limit::resource(300_000),
            ..SolverConfig::default()
        })
        .expect("solver");
        for &term in asserted.iter().chain(&axioms) {
            solver.assert(&self.terms, term);
        }
        let mut answer = solver.check(&self.terms, wished);
        if answer != Answer::Sat {
            answer = solver.check(&self.terms, &[]);
        }
        match answer {
            Answer::Sat => {}
            Answer::Unsat => return Err(Another::None),
            _ => return Err(Another::Undecided),
        }
        let everything = [asserted, &axioms].concat();
        let variables = self.terms.free_vars_of(&everything);
        let model = solver.model(&self.terms, &variables).expect("model");
        let states = self.run.steps();
        let test = self
            .symbolic
            .test_of(&self.terms, last, &model, asserted, states);
        Ok(test.expect("a layout"))
    }
}

/// The procedures that are running at a state.
fn running(run: &Run, state: u32) -> BTreeSet<ProcId> {
    stack(run, state).into_iter().collect()
}

fn activations(run: &Run, state: u32, proc: ProcId) -> usize {
    stack(run, state).into_iter().filter(|&p| p == proc).count()
}

fn stack(run: &Run, state: u32) -> Vec<ProcId> {
    let mut found = Vec::new();
    let mut at = run.activation_at(state);
    loop {
        let activation = &run.activations()[at as usize];
        found.push(activation.proc);
        if at == 0 {
            return found;
        }
        at = activation.caller;
    }
}
