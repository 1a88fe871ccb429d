//! Simplified terms mean what was written: by evaluation against a naive reading of the same
//! tree, and by Z3 against the tree printed without simplification. 300 cases ordinarily,
//! 10,000 with `PROVA_LONG=1`.

mod support;

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use prova_logic::solver::Z3Solver;
use prova_logic::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::CString;
use support::naive::{self, Plain};
use support::{raw, Ast, Generator, Random, ARRAY, FORMATS, WIDTHS};

fn cases() -> u64 {
    match std::env::var("PROVA_LONG") {
        Ok(value) if value != "0" => 10_000,
        _ => 300,
    }
}

/// Random values for variables, drawn when they are first asked for. Bases are laid out as
/// objects must be.
struct Environment {
    random: RefCell<Random>,
    values: RefCell<BTreeMap<String, Plain>>,
}

impl Environment {
    fn new(random: &mut Random) -> Environment {
        let mut values = BTreeMap::new();
        // Objects one after the other with small gaps, from a random start, in a random order.
        let mut next = 8 + (random.next() >> 2 & !7);
        if random.below(3) == 0 {
            next = 8;
        }
        let mut order = [0, 1, 2];
        order.swap(0, random.below(3) as usize);
        order.swap(1, 1 + random.below(2) as usize);
        for n in order {
            let (size, align) = support::OBJECTS[n];
            next = next.div_ceil(align) * align + align * random.below(2);
            values.insert(
                format!("{:?}", Ast::Base(n)),
                Plain::Bits(BigUint::from(next)),
            );
            next += size;
        }
        let random = RefCell::new(Random::new(random.next()));
        Environment {
            random,
            values: RefCell::new(values),
        }
    }

    fn get(&self, leaf: &Ast) -> Plain {
        let mut values = self.values.borrow_mut();
        values
            .entry(format!("{leaf:?}"))
            .or_insert_with(|| self.draw(leaf.sort()))
            .clone()
    }

    fn draw(&self, sort: Sort) -> Plain {
        let random = &mut *self.random.borrow_mut();
        match sort {
            Sort::Bool => Plain::Bool(random.below(2) == 1),
            Sort::BitVec(width) if width > 128 => {
                let high = BigUint::from(random.bits(width - 128)) << 128;
                Plain::Bits(high + random.bits(128))
            }
            Sort::BitVec(width) => Plain::Bits(BigUint::from(random.bits(width))),
            Sort::Float(FloatFormat::F32) => {
                Plain::F32(f32::from_bits(random.float_bits(FloatFormat::F32) as u32))
            }
            Sort::Float(_) => {
                Plain::F64(f64::from_bits(random.float_bits(FloatFormat::F64) as u64))
            }
            Sort::Array { .. } => {
                let mut entries = BTreeMap::new();
                for _ in 0..random.below(4) {
                    let at = BigUint::from(random.bits(8));
                    entries.insert(at, BigUint::from(random.bits(8)));
                }
                Plain::Array(BigUint::from(random.bits(8)), entries)
            }
        }
    }
}

fn to_value(plain: &Plain, sort: Sort) -> Value {
    match (plain, sort) {
        (Plain::Bool(value), _) => Value::Bool(*value),
        (Plain::Bits(bits), Sort::BitVec(width)) => {
            Value::BitVec(Bits::from_big(bits.clone(), width))
        }
        (Plain::F32(x), _) => {
            Value::Float(FORMATS[0], FORMATS[0].canonical(u128::from(x.to_bits())))
        }
        (Plain::F64(x), _) => {
            Value::Float(FORMATS[1], FORMATS[1].canonical(u128::from(x.to_bits())))
        }
        (Plain::Array(default, entries), Sort::Array { index, element }) => {
            let bits = |b: &BigUint, w| Bits::new(b.to_u128().unwrap(), w);
            let mut array = ArrayValue::new(index, bits(default, element));
            for (at, value) in entries {
                array.store(bits(at, index), bits(value, element));
            }
            Value::Array(Box::new(array))
        }
        other => panic!("{other:?}"),
    }
}

/// The leaves of a tree with their terms.
fn leaves(terms: &mut Terms, ast: &Ast, out: &mut Vec<(Term, Ast)>) {
    match ast {
        Ast::Var(index, sort) => out.push((support::variable(terms, *index, *sort), ast.clone())),
        Ast::Base(n) => out.push((support::base(terms, *n), ast.clone())),
        Ast::App(_, _, children) => children.iter().for_each(|c| leaves(terms, c, out)),
        _ => {}
    }
}

/// Evaluates both ways under random assignments.
fn check_by_evaluation(terms: &mut Terms, ast: &Ast, t: Term, random: &mut Random) {
    for _ in 0..8 {
        let env = Environment::new(random);
        let expected = naive::eval(ast, &|leaf| env.get(leaf));
        let mut variables = Vec::new();
        leaves(terms, ast, &mut variables);
        let model: Model = variables
            .iter()
            .map(|(v, leaf)| (*v, to_value(&env.get(leaf), leaf.sort())))
            .collect();
        let found = terms.eval(t, &model);
        let expected = to_value(&expected, ast.sort());
        let equal = match (&found, &expected) {
            (Value::Array(a), Value::Array(b)) => a.same(b),
            _ => found == expected,
        };
        assert!(
            equal,
            "{ast:?}\n{}\n{found} is not {expected}",
            terms.display(t)
        );
    }
}

/// Z3 as a reader of text. Making a context costs more than most queries: there is one.
struct Reader(z3_sys::Z3_context);

impl Reader {
    fn new() -> Reader {
        // SAFETY: plain construction.
        unsafe {
            let config = z3_sys::Z3_mk_config().unwrap();
            let context = z3_sys::Z3_mk_context_rc(config).unwrap();
            z3_sys::Z3_del_config(config);
            z3_sys::Z3_set_error_handler(context, None);
            Reader(context)
        }
    }

    /// Whether a script has a model. `None` if Z3 cannot tell.
    fn satisfiable(&self, script: &str) -> Option<bool> {
        use z3_sys::*;
        let context = self.0;
        // SAFETY: everything is counted, and the string outlives its use.
        unsafe {
            let solver = Z3_mk_solver(context).unwrap();
            Z3_solver_inc_ref(context, solver);
            let parameters = Z3_mk_params(context).unwrap();
            Z3_params_inc_ref(context, parameters);
            let name = Z3_mk_string_symbol(context, c"rlimit".as_ptr()).unwrap();
            Z3_params_set_uint(context, parameters, name, 400_000);
            Z3_solver_set_params(context, solver, parameters);
            let text = CString::new(script).unwrap();
            Z3_solver_from_string(context, solver, text.as_ptr());
            assert_eq!(
                Z3_get_error_code(context),
                ErrorCode::Ok,
                "Z3 does not read\n{script}"
            );
            let answer = Z3_solver_check(context, solver);
            Z3_params_dec_ref(context, parameters);
            Z3_solver_dec_ref(context, solver);
            match answer {
                Z3_L_TRUE => Some(true),
                Z3_L_FALSE => Some(false),
                _ => None,
            }
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // SAFETY: nothing else uses the context.
        unsafe { z3_sys::Z3_del_context(self.0) };
    }
}

/// Asks Z3, by text, whether tree and term can differ.
fn z3_says_equal(reader: &Reader, terms: &mut Terms, ast: &Ast, t: Term) -> Option<bool> {
    let mut script = Script::new();
    let mut out = String::new();
    let written = raw::smtlib(terms, &mut script, &mut out, ast);
    let simplified = script.term(terms, t, &mut out);
    let mut variables = Vec::new();
    leaves(terms, ast, &mut variables);
    let roots: Vec<Term> = variables.iter().map(|v| v.0).collect();
    let bases = terms.object_bases_in(&roots);
    for axiom in terms.object_axioms(&bases) {
        script.assert(terms, axiom, &mut out);
    }
    out.push_str(&format!("(assert (not (= {written} {simplified})))\n"));
    reader.satisfiable(&out).map(|different| !different)
}

fn run(name: &str, seed: u64, floats: bool, objects: bool, depth: u32) {
    let reader = Reader::new();
    let mut compared = 0;
    let mut open = 0;
    for case in 0..cases() {
        let mut generator = Generator {
            random: Random::new(seed + case),
            floats,
            objects,
        };
        let sort = match generator.random.below(4) {
            0 | 1 => Sort::Bool,
            2 => Sort::BitVec(*generator.random.pick(&WIDTHS)),
            _ if floats => Sort::Float(*generator.random.pick(&FORMATS)),
            _ => ARRAY,
        };
        let ast = generator.tree(sort, depth);
        let mut terms = Terms::new();
        let t = support::build(&mut terms, &ast);
        check_by_evaluation(&mut terms, &ast, t, &mut generator.random);
        if raw::comparable(&ast) {
            compared += 1;
            match z3_says_equal(&reader, &mut terms, &ast, t) {
                Some(equal) => {
                    assert!(equal, "case {case}: {ast:?}\nis not\n{}", terms.display(t));
                }
                None => open += 1,
            }
        }
    }
    println!("{name}: {compared} compared by Z3, {open} of them left open");
    assert!(compared > cases() / 10, "too few cases can be compared");
    assert!(open * 10 <= compared, "Z3 leaves too many open");
}

#[test]
fn bit_vectors_and_arrays() {
    run("bit-vectors and arrays", 1, false, false, 4);
}

#[test]
fn small_trees() {
    run("small trees", 1 << 20, false, false, 2);
}

#[test]
fn objects() {
    run("objects", 2 << 20, false, true, 4);
}

#[test]
fn floats() {
    run("floats", 3 << 20, true, false, 3);
}

/// Translation to Z3 and back: a model of a term makes it true, and where Z3 sees no model, no
/// random assignment is one.
#[test]
fn z3_models_are_models() {
    let mut terms = Terms::new();
    let mut solver = Z3Solver::new();
    solver.set_limit(Limit::resource(400_000));
    for case in 0..cases() / 4 {
        let floats = case % 4 == 0;
        let depth = if floats { 2 } else { 4 };
        let random = Random::new((4 << 20) + case);
        let mut generator = Generator {
            random,
            floats,
            objects: false,
        };
        let ast = generator.tree(Sort::Bool, depth);
        let t = support::build(&mut terms, &ast);
        solver.reset();
        solver.assert(&terms, t);
        match solver.check(&terms, &[]) {
            Answer::Sat => {
                let variables = terms.free_vars(t);
                let model = solver.model(&terms, &variables).expect("a model");
                assert!(terms.holds(t, &model), "{}\n{model:?}", terms.smtlib(t));
            }
            Answer::Unsat => {
                for _ in 0..8 {
                    let env = Environment::new(&mut generator.random);
                    let value = naive::eval(&ast, &|leaf| env.get(leaf));
                    assert_eq!(value, Plain::Bool(false), "{ast:?}");
                }
            }
            Answer::Unknown(UnknownReason::Error(error)) => panic!("{error}\n{}", terms.smtlib(t)),
            Answer::Unknown(_) => {}
        }
    }
}

/// Substituting values for all variables gives the value of the term.
#[test]
fn substitution_is_evaluation() {
    for case in 0..cases() {
        let floats = case % 3 == 0;
        let random = Random::new((5 << 20) + case);
        let mut generator = Generator {
            random,
            floats,
            objects: false,
        };
        let ast = generator.tree(Sort::Bool, 4);
        let mut terms = Terms::new();
        let t = support::build(&mut terms, &ast);
        let env = Environment::new(&mut generator.random);
        let mut variables = Vec::new();
        leaves(&mut terms, &ast, &mut variables);
        let mut substitution = Substitution::new();
        for (v, leaf) in &variables {
            let value = to_value(&env.get(leaf), leaf.sort());
            let constant = terms.value(&value);
            substitution.insert(&terms, *v, constant);
        }
        let closed = terms.substitute(t, &mut substitution);
        assert!(terms.is_closed(closed));
        let expected = naive::eval(&ast, &|leaf| env.get(leaf));
        let value = terms.eval(closed, &Model::new());
        assert_eq!(
            value,
            to_value(&expected, Sort::Bool),
            "{}",
            terms.display(t)
        );
    }
}
