//! Transfers evaluated under models.

use super::{initial, Composer, Transfer};
use crate::points_to::Partition;
use crate::state_vars::StateVars;
use crate::translate::Context;
use prova_ir::{Program, Statement};
use prova_logic::{Model, Term, Terms, Value};

struct Setting {
    program: Program,
    partition: Partition,
    vars: StateVars,
    terms: Terms,
}

fn setting(declarations: &str, body: &str) -> Setting {
    let program = crate::points_to::program_of_lines(declarations, body);
    let partition = Partition::new(&program);
    let mut terms = Terms::new();
    let vars = StateVars::new(&mut terms, &program, &partition);
    Setting {
        program,
        partition,
        vars,
        terms,
    }
}

impl Setting {
    fn compose(&mut self, start: Option<&Transfer>) -> Transfer {
        let context = Context {
            program: &self.program,
            partition: &self.partition,
            vars: &self.vars,
        };
        let mut composer = match start {
            Some(start) => Composer::after(context, start),
            None => Composer::new(context),
        };
        let body = self.program.procedures[0].body.as_ref().expect("a body");
        for edge in &body.edges {
            composer
                .apply(&mut self.terms, &edge.statement, "t", true)
                .expect("encodable");
        }
        composer.finish()
    }

    fn initial(&mut self) -> Transfer {
        let context = Context {
            program: &self.program,
            partition: &self.partition,
            vars: &self.vars,
        };
        let initial = initial(&mut self.terms, context).expect("encodable");
        assert!(initial.arbitrary.is_empty());
        initial.transfer
    }

    fn register(&self, name: &str) -> Term {
        self.terms.find_var(name).expect("a register")
    }

    /// The register's value after the transfer, under a model of the state before it.
    fn after(&self, transfer: &Transfer, name: &str, model: &Model) -> Value {
        let variable = self.register(name);
        let new = transfer.updates.iter().find(|(v, _)| *v == variable);
        self.terms.eval(new.map_or(variable, |(_, t)| *t), model)
    }

    /// Objects and the heap far apart, so that bases have real values.
    fn layout(&self) -> Model {
        let mut model = Model::new();
        for (i, _) in self.program.objects.iter().enumerate() {
            let base = self.vars.base(prova_ir::ObjectId::new(i));
            model.insert(base, Value::bv(0x10000 * (i as u128 + 1), 64));
        }
        model.insert(self.vars.heap(), Value::bv(0x2000_0000_0000, 64));
        model
    }
}

#[test]
fn registers_are_assigned_in_sequence() {
    let mut s = setting(
        "local x : i32
         local y : i32",
        "x := x + 1:i32
         y := x * 2:i32
         assume y <s 100:i32",
    );
    let t = s.compose(None);
    let mut model = Model::new();
    model.insert(s.register("x"), Value::bv(20, 32));
    assert_eq!(s.after(&t, "y", &model), Value::bv(42, 32));
    assert!(t.guard.iter().all(|&g| s.terms.holds(g, &model)));
    model.insert(s.register("x"), Value::bv(50, 32));
    assert!(!t.guard.iter().all(|&g| s.terms.holds(g, &model)));
}

#[test]
fn a_division_is_guarded() {
    let mut s = setting("local x : i32", "x := 10:i32 /s x");
    let t = s.compose(None);
    assert_eq!(t.guard.len(), 1);
    let mut model = Model::new();
    assert!(!s.terms.holds(t.guard[0], &model));
    model.insert(s.register("x"), Value::bv(3, 32));
    assert!(s.terms.holds(t.guard[0], &model));
    assert_eq!(s.after(&t, "x", &model), Value::bv(3, 32));
}

#[test]
fn bytes_and_words_of_one_union_agree() {
    let mut s = setting(
        "object u : 8 align 8 static
         local b : i8
         local w : i16
         local d : f64",
        "[&u] := 0x4008000000000000:i64
         b := [&u +p 7:i64]:i8
         w := [&u +p 6:i64]:i16
         d := [&u]:f64",
    );
    let t = s.compose(None);
    let model = s.layout();
    assert_eq!(s.after(&t, "b", &model), Value::bv(0x40, 8));
    assert_eq!(s.after(&t, "w", &model), Value::bv(0x4008, 16));
    let d = s.after(&t, "d", &model);
    assert_eq!(d.as_float_bits(), Some(u128::from(3.0f64.to_bits())));
    assert!(t.guard.is_empty());
}

#[test]
fn an_x87_value_survives_memory() {
    let mut s = setting(
        "object l : 16 align 16 static
         local x : f80
         local y : f80
         local top : i16
         local q : ptr",
        "x := stof(3:i32, f80)
         q := &l
         [q] := x
         y := [&l]:f80
         top := [&l +p 8:i64]:i16",
    );
    let t = s.compose(None);
    let model = s.layout();
    assert_eq!(s.after(&t, "x", &model), s.after(&t, "y", &model));
    assert_eq!(s.after(&t, "top", &model), Value::bv(0x4000, 16));
}

#[test]
fn a_copy_moves_cells_and_reads_before_it_writes() {
    let mut s = setting(
        "object a : 16 align 8 static = { 0: 7:i32, 8: &a }
         object b : 16 align 8 static
         local i : i32
         local p : ptr",
        "copy [&b] := [&a], 16
         i := [&b]:i32
         p := [&b +p 8:i64]:ptr",
    );
    let start = s.initial();
    let t = s.compose(Some(&start));
    let model = s.layout();
    assert_eq!(s.after(&t, "i", &model), Value::bv(7, 32));
    assert_eq!(s.after(&t, "p", &model), Value::bv(0x10000, 64));
}

#[test]
fn static_objects_start_with_their_contents_and_zeros() {
    let mut s = setting(
        "global g : i32 = 5:i32
         object text : 4 align 1 constant = { 0: \"ab\" }
         object table : 400000 align 4 static = { 8: 3:i32 }
         local c : i8
         local i : i64
         local x : i32
         local y : i32",
        "c := [&text +p i]:i8
         x := [&table +p (i * 4:i64)]:i32
         y := [&table +p 399996:i64]:i32
         i := 0:i64",
    );
    let start = s.initial();
    let t = s.compose(Some(&start));
    let mut model = s.layout();
    assert_eq!(s.after(&t, "g", &model), Value::bv(5, 32));
    model.insert(s.register("i"), Value::bv(1, 64));
    assert_eq!(s.after(&t, "c", &model), Value::bv(u128::from(b'b'), 8));
    assert_eq!(s.after(&t, "x", &model), Value::bv(0, 32));
    model.insert(s.register("i"), Value::bv(2, 64));
    assert_eq!(s.after(&t, "c", &model), Value::bv(0, 8));
    assert_eq!(s.after(&t, "x", &model), Value::bv(3, 32));
    assert_eq!(s.after(&t, "y", &model), Value::bv(0, 32));
}

#[test]
fn blocks_are_bumped_and_aligned() {
    let mut s = setting(
        "local p : ptr
         local q : ptr
         local n : i64",
        "p := alloc heap 20:i64
         q := alloc heap n
         p := alloc heap 1:i64",
    );
    let start = s.initial();
    let t = s.compose(Some(&start));
    let mut model = s.layout();
    assert_eq!(s.after(&t, "q", &model), Value::bv(0x2000_0000_0030, 64));
    assert_eq!(s.after(&t, "p", &model), Value::bv(0x2000_0000_0050, 64));
    model.insert(s.register("n"), Value::bv(17, 64));
    assert_eq!(s.after(&t, "p", &model), Value::bv(0x2000_0000_0060, 64));
}

#[test]
fn arbitrary_pointers_are_null_or_in_the_zone() {
    let mut s = setting("local p : ptr", "p := nondet input \"f\"");
    let t = s.compose(None);
    let passes = |value: u128| {
        let mut model = Model::new();
        model.insert(t.inputs[0].var, Value::bv(value, 64));
        t.guard.iter().all(|&g| s.terms.holds(g, &model))
    };
    assert!(passes(0));
    assert!(passes(0x6000_0000_0010));
    assert!(!passes(0x7000_0000_0000));
    assert!(!passes(8));
}

#[test]
fn entering_again_forgets_contents() {
    let mut s = setting(
        "local x : i32
         frame o : 4 align 4",
        "[&o] := 3:i32
         enter o
         x := [&o]:i32",
    );
    let t = s.compose(None);
    let mut model = s.layout();
    model.insert(t.inputs[0].var, Value::bv(77, 32));
    assert_eq!(s.after(&t, "x", &model), Value::bv(77, 32));
}

#[test]
fn substituting_the_updates_is_executing() {
    // A predicate over the state behind, substituted, holds before exactly if it holds behind.
    let mut s = setting(
        "object a : 40 align 4 static
         local i : i64
         local x : i32
         local y : i32",
        "[&a +p (i * 4:i64)] := x
         x := x + 1:i32
         y := [&a +p 12:i64]:i32",
    );
    let t = s.compose(None);
    let (x, y) = (s.register("x"), s.register("y"));
    let predicate = s.terms.slt(y, x);
    let mut substitution = t.substitution(&s.terms);
    let before = s.terms.substitute(predicate, &mut substitution);
    for (i, v) in [(3u128, 5u128), (3, 0xffff_ffff), (2, 5), (2, 0xffff_ffff)] {
        let mut model = s.layout();
        model.insert(s.register("i"), Value::bv(i, 64));
        model.insert(x, Value::bv(v, 32));
        // Memory is zero in this model.
        let read = if i == 3 { v as u32 as i32 } else { 0 };
        let expected = read < (v as u32).wrapping_add(1) as i32;
        assert_eq!(s.terms.holds(before, &model), expected);
    }
}

#[test]
fn calls_are_refused() {
    let mut s = setting("local x : i32", "x := call main()");
    let context = Context {
        program: &s.program,
        partition: &s.partition,
        vars: &s.vars,
    };
    let body = s.program.procedures[0].body.as_ref().expect("a body");
    assert!(matches!(body.edges[0].statement, Statement::Call { .. }));
    let applied = Composer::new(context).apply(&mut s.terms, &body.edges[0].statement, "t", false);
    assert_eq!(applied, Err(crate::translate::Unencodable::Call));
}
