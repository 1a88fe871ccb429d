//! Z3, in process, through its C API (`z3-sys`: the system's libz3, or a vendored build).
//!
//! The high-level crate keeps one context per thread; here each solver owns its context, so
//! that solvers can be dropped to free memory, moved between threads and interrupted.

mod model;
mod translate;

use super::{Answer, Limit, Solver, SolverError, Statistics, UnknownReason};
use crate::term::{Op, Term};
use crate::terms::Terms;
use crate::value::Model;
use rustc_hash::FxHashMap;
use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use translate::Translator;
use z3_sys::*;

/// A pointer to a context that an [`Interrupt`] may use from another thread.
struct SharedContext(Option<Z3_context>);
// SAFETY: the only use from another thread is `Z3_interrupt`, which Z3 documents as callable
// while another thread is inside the context; the mutex keeps the context alive meanwhile.
unsafe impl Send for SharedContext {}

/// Stops a running check from another thread; the answer is then unknown.
#[derive(Clone)]
pub struct Interrupt {
    context: Arc<Mutex<SharedContext>>,
    requested: Arc<AtomicBool>,
}

impl Interrupt {
    /// Stops the check that is running, if one is, and the next one if none is.
    pub fn interrupt(&self) {
        self.requested.store(true, Ordering::SeqCst);
        if let Ok(context) = self.context.lock() {
            if let Some(context) = context.0 {
                // SAFETY: the context is alive as long as it is in the mutex.
                unsafe { Z3_interrupt(context) };
            }
        }
    }
}

/// Z3 in process.
pub struct Z3Solver {
    context: Z3_context,
    solver: Z3_solver,
    translator: Translator,
    interrupt: Interrupt,
    limit: Limit,
    statistics: Statistics,
    /// Number of open scopes, and per scope whether an assertion failed to translate in it.
    errors: Vec<Option<String>>,
    /// A scope of the last check's indicators is still open, for its model.
    indicators_open: bool,
    assumptions: FxHashMap<Z3_ast, Term>,
    last: Option<Answer>,
    /// Whether cores are made minimal.
    minimal_cores: bool,
    /// Its core, once somebody asked.
    core: Option<Vec<Term>>,
    /// Whether Z3 is to make cores minimal.
    minimizing: bool,
    /// Whether a tactic does the work: it has fewer parameters.
    by_tactic: bool,
}

/// Larger cores are not made minimal literal by literal: each takes a check of its own.
const SMALL_CORE: usize = 24;

// SAFETY: a Z3 context may be used from any one thread at a time; the solver owns its context.
unsafe impl Send for Z3Solver {}

impl Default for Z3Solver {
    fn default() -> Self {
        Z3Solver::new()
    }
}

impl Z3Solver {
    /// A new solver with its own context.
    ///
    /// # Panics
    /// If Z3 cannot allocate a context.
    pub fn new() -> Z3Solver {
        Z3Solver::made(None).expect("Z3 gives no solver")
    }

    /// A solver that gives each question as a whole to one of Z3's tactics, such as `qfbv`, which
    /// makes bits of it; `None` if there is no such tactic.
    pub fn with_tactic(name: &str) -> Option<Z3Solver> {
        Z3Solver::made(Some(name))
    }

    fn made(tactic: Option<&str>) -> Option<Z3Solver> {
        // SAFETY: plain construction by the C API; the error handler is unset at once, so that
        // errors come back as codes and null pointers instead of ending the process.
        unsafe {
            let config = Z3_mk_config().expect("Z3 gives no configuration");
            let context = Z3_mk_context_rc(config).expect("Z3 gives no context");
            Z3_del_config(config);
            Z3_set_error_handler(context, None);
            let solver = match tactic {
                None => Z3_mk_simple_solver(context),
                Some(name) => Z3_mk_tactic(context, c_string(name).as_ptr()).and_then(|t| {
                    Z3_tactic_inc_ref(context, t);
                    let solver = Z3_mk_solver_from_tactic(context, t);
                    if let Some(solver) = solver {
                        Z3_solver_inc_ref(context, solver);
                    }
                    Z3_tactic_dec_ref(context, t);
                    solver
                }),
            };
            let Some(solver) = solver else {
                Z3_del_context(context);
                return None;
            };
            if tactic.is_none() {
                Z3_solver_inc_ref(context, solver);
            }
            let shared = Arc::new(Mutex::new(SharedContext(Some(context))));
            let mut z3 = Z3Solver {
                context,
                solver,
                translator: Translator::new(context),
                interrupt: Interrupt {
                    context: shared,
                    requested: Arc::default(),
                },
                limit: Limit::NONE,
                statistics: Statistics::default(),
                errors: vec![None],
                indicators_open: false,
                assumptions: FxHashMap::default(),
                last: None,
                minimal_cores: true,
                core: None,
                minimizing: false,
                by_tactic: tactic.is_some(),
            };
            z3.set_parameters();
            Some(z3)
        }
    }

    /// Z3's version.
    pub fn version() -> String {
        let (mut major, mut minor, mut build, mut revision) = (0, 0, 0, 0);
        // SAFETY: four valid pointers.
        unsafe { Z3_get_version(&mut major, &mut minor, &mut build, &mut revision) };
        format!("{major}.{minor}.{build}")
    }

    /// A handle that stops a running check from another thread.
    pub fn interrupt_handle(&self) -> Interrupt {
        self.interrupt.clone()
    }

    fn set_parameters(&mut self) {
        let clamp = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        let time = self
            .limit
            .time
            .map_or(u32::MAX, |t| clamp(t.as_millis() as u64).max(1));
        let resource = self.limit.resource.map_or(0, clamp);
        // SAFETY: names are valid C strings; the parameter set is counted while in use.
        unsafe {
            let Some(parameters) = Z3_mk_params(self.context) else {
                return;
            };
            Z3_params_inc_ref(self.context, parameters);
            for (name, value) in [(c"timeout", time), (c"rlimit", resource)] {
                if let Some(symbol) = Z3_mk_string_symbol(self.context, name.as_ptr()) {
                    Z3_params_set_uint(self.context, parameters, symbol, value);
                }
            }
            // With `ctrl_c`, Z3 would take the signal for itself: one question would end with it,
            // and the search would go on.
            for (name, value) in [(c"core.minimize", self.minimizing), (c"ctrl_c", false)] {
                if self.by_tactic {
                    continue;
                }
                if let Some(symbol) = Z3_mk_string_symbol(self.context, name.as_ptr()) {
                    Z3_params_set_bool(self.context, parameters, symbol, value);
                }
            }
            Z3_solver_set_params(self.context, self.solver, parameters);
            Z3_params_dec_ref(self.context, parameters);
        }
    }

    /// Closes the scope that held the last check's indicators.
    fn close_indicators(&mut self) {
        if self.indicators_open {
            // SAFETY: the scope was opened by `check`.
            unsafe { Z3_solver_pop(self.context, self.solver, 1) };
            self.indicators_open = false;
        }
        self.last = None;
    }

    /// The assumptions as literals, indicators defined where needed.
    fn literals(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Vec<Z3_ast>, String> {
        self.assumptions.clear();
        let mut literals = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            let ast = self.translator.translate(terms, assumption)?;
            let atom = match terms.op(assumption) {
                Op::Not => terms.child(assumption, 0),
                _ => assumption,
            };
            let literal = if terms.is_var(atom) {
                ast
            } else {
                if !self.indicators_open {
                    // SAFETY: matched by `close_indicators`.
                    unsafe { Z3_solver_push(self.context, self.solver) };
                    self.indicators_open = true;
                }
                let indicator = self.translator.indicator(literals.len())?;
                let definition = self.translator.implication(indicator, ast)?;
                // SAFETY: both terms are alive, kept by the translator.
                unsafe { Z3_solver_assert(self.context, self.solver, definition) };
                indicator
            };
            self.assumptions.entry(literal).or_insert(assumption);
            literals.push(literal);
        }
        Ok(literals)
    }

    fn run(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        self.close_indicators();
        if let Some(error) = self.errors.iter().flatten().next() {
            return Answer::Unknown(UnknownReason::Error(error.clone()));
        }
        if self.interrupt.requested.swap(false, Ordering::SeqCst) {
            return Answer::Unknown(UnknownReason::Interrupted);
        }
        let literals = match self.literals(terms, assumptions) {
            Ok(literals) => literals,
            Err(error) => return Answer::Unknown(UnknownReason::Error(error)),
        };
        // SAFETY: the literals are alive, kept by the translator.
        let result = unsafe {
            Z3_solver_check_assumptions(
                self.context,
                self.solver,
                literals.len() as u32,
                literals.as_ptr(),
            )
        };
        // An error is looked for first: nothing Z3 says beside one is to be believed.
        if let Some(error) = self.translator.take_error() {
            if !error.contains("cancel") {
                return Answer::Unknown(UnknownReason::Error(error));
            }
        }
        match result {
            Z3_L_TRUE => Answer::Sat,
            Z3_L_FALSE => Answer::Unsat,
            _ => Answer::Unknown(self.reason()),
        }
    }

    /// The core of the last check as Z3 has it.
    fn core_literals(&mut self) -> Option<Vec<Z3_ast>> {
        // SAFETY: the vector is counted while it is read; its members are assumptions, which the
        // translator keeps alive.
        unsafe {
            let vector = Z3_solver_get_unsat_core(self.context, self.solver)?;
            Z3_ast_vector_inc_ref(self.context, vector);
            let size = Z3_ast_vector_size(self.context, vector);
            let literals = (0..size).filter_map(|i| Z3_ast_vector_get(self.context, vector, i));
            let literals = literals.collect();
            Z3_ast_vector_dec_ref(self.context, vector);
            Some(literals)
        }
    }

    /// A smaller core, by leaving out some literals at a time.
    fn thinned(&mut self, mut core: Vec<Z3_ast>) -> Vec<Z3_ast> {
        let piece = core.len().div_ceil(SMALL_CORE);
        let mut end = core.len();
        while end > 0 {
            let start = end.saturating_sub(piece);
            let (before, behind) = (&core[..start], &core[end..]);
            let rest: Vec<Z3_ast> = before.iter().chain(behind).copied().collect();
            // SAFETY: the literals are alive, kept by the translator.
            let result = unsafe {
                let count = rest.len() as u32;
                Z3_solver_check_assumptions(self.context, self.solver, count, rest.as_ptr())
            };
            if self.translator.take_error().is_some() {
                return core;
            }
            end = start;
            if result == Z3_L_FALSE {
                let smaller = self.core_literals().unwrap_or(rest);
                let needed = |l: &Z3_ast| smaller.contains(l);
                end = core[..start].iter().filter(|l| needed(l)).count();
                core = core.into_iter().filter(needed).collect();
            }
        }
        core
    }

    fn reason(&mut self) -> UnknownReason {
        // SAFETY: the string is Z3's, valid until the next call.
        let reason = unsafe {
            let text = Z3_solver_get_reason_unknown(self.context, self.solver);
            if text.is_null() {
                String::new()
            } else {
                CStr::from_ptr(text).to_string_lossy().into_owned()
            }
        };
        if self.interrupt.requested.swap(false, Ordering::SeqCst) {
            return UnknownReason::Interrupted;
        }
        let stopped = reason.contains("cancel") || reason.contains("interrupted");
        if reason.contains("resource") || (stopped && self.limit.resource.is_some()) {
            UnknownReason::Resource
        } else if reason.contains("timeout") || stopped {
            UnknownReason::Time
        } else {
            UnknownReason::Incomplete(reason)
        }
    }
}

impl Solver for Z3Solver {
    fn push(&mut self) {
        self.close_indicators();
        // SAFETY: plain call.
        unsafe { Z3_solver_push(self.context, self.solver) };
        self.errors.push(None);
    }

    fn pop(&mut self, n: usize) {
        self.close_indicators();
        let n = n.min(self.errors.len() - 1);
        // SAFETY: no more scopes are closed than are open.
        unsafe { Z3_solver_pop(self.context, self.solver, n as u32) };
        self.errors.truncate(self.errors.len() - n);
    }

    fn assert(&mut self, terms: &Terms, t: Term) {
        self.close_indicators();
        match self.translator.translate(terms, t) {
            Ok(ast) => {
                // SAFETY: the term is alive, kept by the translator.
                unsafe { Z3_solver_assert(self.context, self.solver, ast) };
                if let Some(error) = self.translator.take_error() {
                    self.fail(error);
                }
            }
            Err(error) => self.fail(error),
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        let start = Instant::now();
        let answer = self.run(terms, assumptions);
        self.statistics.record(&answer, start.elapsed());
        self.core = None;
        self.last = Some(answer.clone());
        answer
    }

    fn model(&mut self, terms: &Terms, variables: &[Term]) -> Result<Model, SolverError> {
        if self.last != Some(Answer::Sat) {
            return Err(SolverError::NoModel(
                "the last answer was not sat".to_string(),
            ));
        }
        model::read(
            self.context,
            self.solver,
            &mut self.translator,
            terms,
            variables,
        )
        .map_err(SolverError::NoModel)
    }

    fn core(&mut self) -> Vec<Term> {
        if self.last != Some(Answer::Unsat) {
            return Vec::new();
        }
        if let Some(core) = &self.core {
            return core.clone();
        }
        let start = Instant::now();
        // Every assumption is a core, if not a small one.
        let found = self.core_literals();
        let mut literals = found.unwrap_or_else(|| self.assumptions.keys().copied().collect());
        if !self.minimal_cores {
            // As it is.
        } else if literals.len() <= SMALL_CORE {
            self.minimizing = true;
            self.set_parameters();
            literals = self.core_literals().unwrap_or(literals);
            self.minimizing = false;
            self.set_parameters();
        } else {
            literals = self.thinned(literals);
        }
        let of = |l: &Z3_ast| self.assumptions.get(l).copied();
        let mut core: Vec<Term> = literals.iter().filter_map(of).collect();
        core.sort_unstable();
        core.dedup();
        self.core = Some(core.clone());
        self.statistics.time += start.elapsed();
        core
    }

    fn set_minimal_cores(&mut self, minimal: bool) {
        self.minimal_cores = minimal;
    }

    fn set_limit(&mut self, limit: Limit) {
        if self.limit != limit {
            self.limit = limit;
            self.set_parameters();
        }
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }

    fn reset(&mut self) {
        self.last = None;
        self.indicators_open = false;
        // SAFETY: plain call.
        unsafe { Z3_solver_reset(self.context, self.solver) };
        self.errors = vec![None];
    }

    fn name(&self) -> String {
        format!("z3 {}", Z3Solver::version())
    }
}

impl Z3Solver {
    fn fail(&mut self, error: String) {
        if let Some(slot) = self.errors.last_mut() {
            slot.get_or_insert(error);
        }
    }
}

impl Drop for Z3Solver {
    fn drop(&mut self) {
        if let Ok(mut shared) = self.interrupt.context.lock() {
            shared.0 = None;
        }
        // SAFETY: nobody else holds the context now; deleting it frees all that was counted.
        unsafe {
            Z3_solver_dec_ref(self.context, self.solver);
            Z3_del_context(self.context);
        }
    }
}

/// A C string of a name; null characters are dropped.
fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}
