//! Passes keep the meaning of programs: random ones run the same before and after, small ones
//! come out as expected.

mod common;

use common::interpreter::{run, End, Machine};
use common::{random_program, random_program_with, Random};
use prova_ir::passes::call_graph::call_graph;
use prova_ir::passes::devirtualise::devirtualise;
use prova_ir::passes::entries::entries;
use prova_ir::passes::externals::externals;
use prova_ir::passes::inline::{inline, inline_with, InlineError, Recursion};
use prova_ir::passes::simplify_graph::{simplify_graph, Labels};
use prova_ir::passes::slice::{slice, SliceOptions};
use prova_ir::text::{parse, print};
use prova_ir::*;

const LIMIT: usize = 400;

fn program(text: &str) -> Program {
    let program = parse(&format!("prova-ir 1 lp64\n{text}")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(validate(&program), []);
    program
}

fn inputs(seed: u64) -> Vec<Vec<u128>> {
    let mut random = Random::new(seed + 77);
    let values = [0, 1, 2, 3, 5, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
    (0..6)
        .map(|_| {
            (0..12)
                .map(|_| values[random.below(values.len())])
                .collect()
        })
        .collect()
}

/// Checks that runs end alike; a run that a limit stopped says nothing.
fn same_runs(before: &Program, after: &Program, seed: u64, ends: impl Fn(End) -> End) -> usize {
    let mut compared = 0;
    for inputs in inputs(seed) {
        let (a, b) = (run(before, &inputs, LIMIT), run(after, &inputs, LIMIT * 20));
        if a != End::Limit {
            let text = || format!("seed {seed}\n{}\n=>\n{}", print(before), print(after));
            assert_eq!(ends(a), ends(b), "{}", text());
            compared += 1;
        }
    }
    compared
}

#[test]
fn simplified_programs_run_the_same() {
    let mut compared = 0;
    for seed in 0..400 {
        let before = random_program(seed);
        let mut after = before.clone();
        simplify_graph(&mut after, Labels::Drop);
        compared += same_runs(&before, &after, seed, |end| end);
        let again = after.clone();
        simplify_graph(&mut after, Labels::Drop);
        assert!(again.same_as(&after), "not done at once: {}", print(&again));
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn programs_run_the_same_with_what_loops_were_entered_with() {
    let (mut compared, mut kept) = (0, 0);
    for seed in 0..400 {
        let before = random_program_with(seed, false);
        let mut after = before.clone();
        let found = entries(&mut after);
        assert_eq!(found.is_empty(), before.same_as(&after));
        kept += found.len();
        compared += same_runs(&before, &after, seed, |end| end);
    }
    assert!(compared > 1000 && kept > 20, "{compared} {kept}");
}

#[test]
fn a_loop_keeps_what_it_changes_and_the_text_does_not_fix() {
    let mut p = program(
        "proc main() {\n  local x : i32\n  local n : i32\n  local i : i32\n  entry L0 exit L6\n  \
         L0 -> L1: x := nondet input \"x\"\n  L1 -> L2: n := nondet input \"n\"\n  \
         L2 -> L3: i := 0:i32\n  L3 -> L4: assume i <s n\n  L4 -> L5: x := x + 3:i32\n  \
         L5 -> L3: i := i + 1:i32\n  L3 -> L6: assume !(i <s n)\n}\nentry main",
    );
    let [kept] = entries(&mut p)[..] else {
        panic!("{}", print(&p));
    };
    // `n` never changes, and `i` begins with a number.
    assert_eq!((kept.head, kept.variable), (LocId(3), RegId(0)));
    let name = &p.register(kept.kept).name;
    let text = print(&p);
    let assigned = format!("L7 -> L3: '{name}' := x");
    assert!(text.contains(&assigned), "{assigned} not in {text}");
    assert!(text.contains("L2 -> L7: i := 0:i32"), "{text}");
    assert!(text.contains("L5 -> L3: i := i + 1:i32"), "{text}");
}

#[test]
fn inlined_and_sliced_programs_run_the_same() {
    let (mut compared, mut errors) = (0, 0);
    for seed in 0..250 {
        let before = random_program_with(seed, false);
        let inlined = match inline(&before, 20_000) {
            Ok(inlined) => inlined,
            Err(e) => panic!("{e}"),
        };
        compared += same_runs(&before, &inlined.program, seed, |end| end);
        let mut sliced = inlined.program.clone();
        slice(&mut sliced, SliceOptions { cut: true });
        compared += same_runs(&inlined.program, &sliced, seed, |end| match end {
            End::Error(_) => end,
            _ => End::Returned,
        });
        for i in inputs(seed) {
            errors += usize::from(matches!(run(&sliced, &i, LIMIT), End::Error(_)));
        }
        let mut uncut = inlined.program.clone();
        slice(&mut uncut, SliceOptions { cut: false });
        same_runs(&inlined.program, &uncut, seed, |end| match end {
            End::Error(_) => end,
            _ => End::Returned,
        });
    }
    assert!(compared > 1000 && errors > 80, "{compared} {errors}");
}

#[test]
fn folding_follows_the_definitions() {
    use prova_ir::fold::*;
    use BinaryOp::*;
    let i32s = |x: i64| mask(x as i128 as u128, 32);
    assert_eq!(eval_binary(SDiv, i32s(-7), i32s(2), 32), Some(i32s(-3)));
    assert_eq!(eval_binary(SRem, i32s(-7), i32s(2), 32), Some(i32s(-1)));
    assert_eq!(eval_binary(SDiv, 1 << 31, i32s(-1), 32), Some(1 << 31));
    assert_eq!(eval_binary(SRem, 1 << 127, u128::MAX, 128), Some(0));
    assert_eq!(eval_binary(UDiv, 1, 0, 32), None);
    assert_eq!(eval_binary(Shl, 1, 32, 32), Some(0));
    assert_eq!(eval_binary(Shl, 1, 200, 128), Some(0));
    assert_eq!(eval_binary(AShr, i32s(-8), 77, 32), Some(i32s(-1)));
    assert_eq!(eval_binary(AShr, 8, u128::MAX, 128), Some(0));
    assert_eq!(eval_binary(LShr, i32s(-1), 31, 32), Some(1));
    assert_eq!(eval_binary(SLt, i32s(-1), 0, 32), Some(1));
    assert_eq!(eval_binary(ULt, i32s(-1), 0, 32), Some(0));
    assert_eq!(eval_binary(FAdd, 0, 0, 32), None);
    assert_eq!(eval_cast(CastOp::SExt, 0x80, 8, 16), Some(0xff80));
    assert_eq!(eval_cast(CastOp::SExt, 1, 1, 128), Some(u128::MAX));
    assert_eq!(eval_unary(UnaryOp::Neg, 1, 128), Some(u128::MAX));
}

/// What the value on the only edge folds to.
fn folded(value: &str, ty: &str) -> String {
    let mut p = program(&format!(
        "object o : 8 align 8 static\nproc f() {{\n temp t : {ty}\n temp x : i32\n temp b : i1\n \
         temp p : ptr\n entry L0 exit L1\n L0 -> L1: t := {value}\n}}"
    ));
    simplify_graph(&mut p, Labels::Keep);
    let text = print(&p);
    let line = text.lines().find(|l| l.contains(":=")).unwrap();
    line.split(":= ").nth(1).unwrap().to_owned()
}

#[test]
fn patterns_of_lowering_fold_and_traps_stay() {
    assert_eq!(folded("zext(b, i32) != 0:i32", "i1"), "b");
    assert_eq!(folded("zext(b, i32) == 0:i32", "i1"), "!b");
    assert_eq!(folded("ite(b, 1:i32, 0:i32) == 1:i32", "i1"), "b");
    assert_eq!(folded("(p +p 4:i64) +p 4:i64", "ptr"), "p +p 8:i64");
    assert_eq!(folded("(p +p 4:i64) +p -4:i64", "ptr"), "p");
    assert_eq!(folded("&o == null", "i1"), "false");
    assert_eq!(folded("(1:i32 + 2:i32) * 3:i32", "i32"), "9:i32");
    assert_eq!(folded("inttoptr(16:i64, ptr)", "ptr"), "0x10:ptr");
    assert_eq!(folded("!!b", "i1"), "b");
    assert_eq!(folded("1:i32 /s 0:i32", "i32"), "1:i32 /s 0:i32");
    assert_eq!(
        folded("ite(true, x, [p]:i32)", "i32"),
        "ite(true, x, [p]:i32)"
    );
    assert_eq!(folded("ite(true, x, 2:i32)", "i32"), "x");
}

#[test]
fn graphs_lose_skips_and_dead_parts() {
    let text = "proc f() {\n  temp x : i32\n  entry L0 exit L5\n  L0 -> L1: skip\n  \
                L1 -> L2: assume 1:i32 <s 2:i32\n  L1 -> L6: assume !(1:i32 <s 2:i32)\n  \
                L2 label \"here\" -> L3: skip\n  L3 -> L4: x := 1:i32\n  L4 -> L5: skip\n  \
                L6 -> L5: x := 2:i32\n  L7 -> L5: skip\n}";
    let mut kept = program(text);
    let maps = simplify_graph(&mut kept, Labels::Keep);
    let body = kept.procedures[0].body.as_ref().unwrap();
    assert_eq!(body.edges.len(), 2);
    assert_eq!(body.location(body.entry).label.as_deref(), Some("here"));
    assert_eq!(maps[0][0], Some(body.entry));
    assert_eq!(maps[0][6], None);
    let mut dropped = program(text);
    simplify_graph(&mut dropped, Labels::Drop);
    assert_eq!(dropped.procedures[0].body.as_ref().unwrap().edges.len(), 1);
    let mut forever =
        program("proc f() {\n  entry L0 exit L2\n  L0 -> L1: skip\n  L1 -> L0: skip\n}");
    simplify_graph(&mut forever, Labels::Drop);
    let body = forever.procedures[0].body.as_ref().unwrap();
    assert_eq!(
        (body.edges.len(), body.edges[0].source),
        (1, body.edges[0].target)
    );
}

const POINTERS: &str = "global hook : ptr = fn f\nobject table : 16 align 8 static = { 8: fn g }
proc f(fa) -> fr {\n  param fa : i32\n  result fr : i32\n  entry L0 exit L1\n  L0 -> L1: fr := fa + 1:i32\n}
proc g(ga) -> gr {\n  param ga : i32\n  result gr : i32\n  entry L0 exit L1\n  L0 -> L1: gr := fb(ga)\n}
proc h(ha, hb) {\n  param ha : i32\n  param hb : ptr\n  entry L0 exit L0\n}
proc never(na) -> nr {\n  param na : i32\n  result nr : i32\n  entry L0 exit L1\n  L0 -> L1: nr := na\n}
proc main() -> r {\n  result r : i32\n  temp i : i32\n  temp p : ptr\n  entry L0 exit L4
  L0 -> L5: i := nondet input \"i\"\n  L5 -> L1: assume i == 0:i32\n  L5 -> L6: assume !(i == 0:i32)
  L6 -> L7: assume i == 1:i32\n  L6 -> L8: assume !(i == 1:i32)
  L1 -> L2: p := hook\n  L7 -> L2: p := [&table +p 8:i64]:ptr\n  L8 -> L2: p := fn h
  L2 -> L3: r := call [p](41:i32)\n  L3 -> L9: assume r == 42:i32\n  L3 -> L4: assume !(r == 42:i32)
  error L9 \"unreach-call\" \"answer\"\n}\nentry main\n";

#[test]
fn pointer_calls_become_branches() {
    let text = POINTERS.replace("fb(ga)", "ga + 2:i32");
    let before = program(&text);
    let mut after = before.clone();
    let report = devirtualise(&mut after);
    assert_eq!((report.calls, report.arms), (1, 2));
    let text = print(&after);
    assert!(!text.contains("call ["), "{text}");
    assert!(
        !text.contains("call never") && !text.contains("call h"),
        "{text}"
    );
    for (input, end) in [
        (0, End::Error("answer".into())),
        (1, End::Returned),
        (2, End::Trap),
    ] {
        assert_eq!(run(&before, &[input], 100), end);
        assert_eq!(run(&after, &[input], 100), end);
        let inlined = inline(&after, 1000).unwrap();
        assert_eq!(run(&inlined.program, &[input], 100), end);
    }
    let known = "global hook : ptr\nproc f() {\n  entry L0 exit L0\n}\nproc main() {\n  entry L0 exit L1\n  \
                 L0 -> L1: call [fn f]()\n}";
    let mut known = program(known);
    devirtualise(&mut known);
    assert!(print(&known).contains("L0 -> L1: call f()"));
}

#[test]
fn a_call_of_a_function_that_nobody_can_name_is_not_modelled() {
    let text = |source: &str| {
        format!(
            "global outer : ptr\nglobal own : ptr = null\nobject theirs : 8 align 8 external\n\
             object fixed : 8 align 8 constant = {{ 0: fn f }}\n\
             extern proc getf() -> g.r {{\n  result g.r : ptr\n}}\n\
             proc f() {{\n  entry L0 exit L0\n}}\n\
             proc through(q) {{\n  param q : ptr\n  entry L0 exit L1\n  L0 -> L1: call [q]()\n}}\n\
             proc main() {{\n  temp p : ptr\n  temp n : i64\n  entry L0 exit L2\n  \
             L0 -> L1: {source}\n  L1 -> L2: call through(p)\n}}\nentry main\n"
        )
    };
    let open = |source: &str| {
        let mut p = program(&text(source));
        devirtualise(&mut p);
        let through = p.find_procedure("through").unwrap();
        let body = p.procedure(through).body.as_ref().unwrap();
        assert!(body
            .edges
            .iter()
            .any(|e| e.statement == Statement::Halt(Halt::Trap)));
        let mut errors = body.errors.iter();
        errors.any(|e| e.property == prova_ir::UNMODELLED)
    };
    for outside in [
        "p := nondet input \"p\"",
        "p := call getf()",
        "p := outer",
        "p := [&theirs]:ptr",
    ] {
        assert!(open(outside), "{outside}");
    }
    // A table that nothing foreign is put into by name, and one that is.
    let tables = |statement: &str| {
        let text = format!(
            "global outer : ptr\nobject table : 16 align 8 static = {{ 8: fn f }}\n\
             object other : 8 align 8 static\nproc f() {{\n  entry L0 exit L0\n}}\n\
             proc main() {{\n  temp p : ptr\n  entry L0 exit L3\n  L0 -> L1: {statement}\n  \
             L1 -> L2: p := [&table +p 8:i64]:ptr\n  L2 -> L3: call [p]()\n}}\nentry main\n"
        );
        let mut p = program(&text);
        devirtualise(&mut p);
        print(&p).contains("unmodelled")
    };
    assert!(!tables("[&other] := outer"));
    assert!(tables("[&table] := outer"));
    assert!(!tables("copy [&table] := [&other], 8"));
    // A variable that is defined nowhere may hold anything, and so may what is copied from it.
    let without = |source: &str| {
        let text = text(source).replace("object theirs : 8 align 8 external\n", "");
        let mut p = program(&text);
        devirtualise(&mut p);
        print(&p).contains("unmodelled")
    };
    for own in [
        "p := fn f",
        "p := own",
        "p := [&fixed]:ptr",
        "p := nondet uninitialised",
    ] {
        assert!(!without(own), "{own}");
    }
}

#[test]
fn floats_that_are_computed_are_told_from_floats_that_are_copied() {
    let rounds = |value: &str| {
        let p = program(&format!(
            "global a : f64 = 1.5:f64\nglobal i : i32 = 1:i32\nproc main() {{\n  temp t : f64\n  temp c : i1\n  \
             entry L0 exit L1\n  L0 -> L1: {value}\n}}\nentry main\n"
        ));
        prova_ir::passes::precision::rounds_floats(&p)
    };
    assert!(rounds("t := a +f a"));
    assert!(!rounds("t := a"));
    assert!(!rounds("t := fneg(a)"));
}

#[test]
fn functions_without_body_are_arbitrary_and_told() {
    let mut p = program(
        "extern proc ext(e.a) -> e.r {\n  param e.a : ptr\n  result e.r : ptr\n}\nextern proc log()\n\
         extern proc die() noreturn\nextern proc malloc(n) -> m {\n  param n : i64\n  result m : ptr\n}\n\
         proc main() {\n  temp p : ptr\n  entry L0 exit L9\n  L0 @1:1 -> L1: p := call malloc(8:i64)\n  \
         L1 -> L2: p := call ext([p]:ptr)\n  L2 -> L3: call log()\n  L3 -> L9: call die()\n}\nentry main"
            .replace(" @1:1", "")
            .as_str(),
    );
    let found = externals(&mut p, &|name| name == "malloc");
    let names: Vec<_> = found.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["ext", "log", "die"]);
    assert!(found[0].returns_pointer && found[0].takes_pointer && !found[1].takes_pointer);
    let text = print(&p);
    assert!(text.contains("p := nondet undefined \"ext\""), "{text}");
    assert!(
        text.contains(":= [p]:ptr"),
        "the argument's load may trap: {text}"
    );
    assert!(
        text.contains("call malloc") && text.contains("halt abort"),
        "{text}"
    );
}

#[test]
fn recursion_is_inlined_as_deep_as_asked() {
    let p = program(
        "proc a() {\n  entry L0 exit L1\n  L0 -> L1: call b()\n}\nproc b() {\n  entry L0 exit L1\n  \
         L0 -> L1: call a()\n}\nproc main() {\n  entry L0 exit L1\n  \
         L0 -> L1: call a()\n}\nentry main",
    );
    for deep in [0, 1, 3] {
        let inlined = inline_with(&p, Recursion::UpTo(deep), 1000).unwrap();
        // Once from the entry, and as often inside itself as asked; the entry itself.
        assert_eq!(inlined.instances.len(), 2 * (deep + 1) + 1);
        let main = inlined.program.procedure(ProcId(2)).body.as_ref().unwrap();
        let [error] = &main.errors[..] else {
            panic!("{:?}", main.errors)
        };
        assert_eq!(error.property, prova_ir::UNMODELLED);
        assert!(error.message.starts_with("`a` calls itself"), "{error:?}");
        assert!(!inlined
            .program
            .procedures
            .iter()
            .filter_map(|p| p.body.as_ref())
            .flat_map(|b| &b.edges)
            .any(|e| matches!(e.statement, Statement::Call { .. })));
    }
}

#[test]
fn recursion_and_size_stop_inlining() {
    let p = program(
        "proc a() {\n  entry L0 exit L1\n  L0 -> L1: call b()\n}\nproc b() {\n  entry L0 exit L1\n  \
         L0 -> L1: call a()\n}\nproc main() {\n  entry L0 exit L1\n  L0 -> L1: call a()\n}\nentry main",
    );
    let graph = call_graph(&p);
    assert_eq!(graph.recursive, [true, true, false]);
    assert_eq!(
        graph.components,
        [vec![ProcId(0), ProcId(1)], vec![ProcId(2)]]
    );
    assert_eq!(
        inline(&p, 100).unwrap_err(),
        InlineError::Recursion(vec!["a".into(), "b".into()])
    );
    let mut doubling = String::new();
    for i in 0..40 {
        doubling += &format!(
            "proc f{i}() {{\n  entry L0 exit L2\n  L0 -> L1: call f{0}()\n  L1 -> L2: call f{0}()\n}}\n",
            i + 1
        );
    }
    let p = program(&format!(
        "{doubling}proc f40() {{\n  entry L0 exit L0\n}}\nentry f0"
    ));
    assert_eq!(inline(&p, 5000).unwrap_err(), InlineError::TooLarge(5000));
    assert_eq!(
        inline(&program("extern proc f()"), 10).unwrap_err(),
        InlineError::NoEntry
    );
}

#[test]
fn instances_have_their_own_names_and_paths() {
    let p = program(
        "file 0 \"a.c\"\nproc leaf(leaf.x) -> leaf.r {\n  param leaf.x : i32 c \"x\"\n  result leaf.r : i32\n  \
         temp leaf.u : i32\n  frame leaf.o : 4 align 4\n  entry L0 exit L4\n  L0 -> L1: enter leaf.o\n  \
         L1 -> L2: [&leaf.o] := leaf.u\n  L2 -> L3: assume leaf.x == 7:i32\n  L2 -> L4: assume !(leaf.x == 7:i32)\n  \
         error L3 \"unreach-call\" \"seven\"\n}\n\
         proc mid() {\n  temp mid.t : i32\n  entry L0 exit L1\n  L0 @10:3 -> L1: mid.t := call leaf(1:i32)\n}\n\
         proc main() -> r {\n  result r : i32\n  entry L0 exit L3\n  L0 @20:3 -> L1: call mid()\n  \
         L1 @21:3 -> L2: r := call leaf(7:i32)\n  L2 -> L3: r := 0:i32\n}\nentry main",
    );
    let mut inlined = inline(&p, 1000).unwrap();
    let text = print(&inlined.program);
    for part in [
        "leaf.x#2",
        "frame leaf.o#2",
        "enter leaf.o\n",
        "leave leaf.o#2",
        "leaf.u := nondet uninitialised",
    ] {
        assert!(text.contains(part), "{part} not in {text}");
    }
    assert_eq!(run(&inlined.program, &[], 100), End::Error("seven".into()));
    assert_eq!(inlined.instances.len(), 4);
    let check = |inlined: &prova_ir::passes::inline::Inlined| {
        let body = inlined.program.procedures[2].body.as_ref().unwrap();
        let paths: Vec<_> = body
            .errors
            .iter()
            .map(|e| inlined.call_path(e.location))
            .map(|path| {
                path.iter()
                    .map(|(p, s)| (p.0, s.map(|s| s.line)))
                    .collect::<Vec<_>>()
            })
            .collect();
        assert!(paths.contains(&vec![(2, Some(21)), (0, None)]), "{paths:?}");
        assert!(
            paths.contains(&vec![(2, Some(20)), (1, Some(10)), (0, None)]),
            "{paths:?}"
        );
        assert!(body
            .errors
            .iter()
            .all(|e| inlined.origin(e.location) == (ProcId(0), LocId(3))));
    };
    check(&inlined);
    let maps = simplify_graph(&mut inlined.program, Labels::Drop);
    inlined.relocate(&maps[2]);
    inlined.program.procedures[2].body.as_ref().unwrap();
    let body = inlined.program.procedures[2].body.as_ref().unwrap();
    let error = body
        .errors
        .iter()
        .map(|e| inlined.origin(e.location))
        .collect::<Vec<_>>();
    assert!(error.iter().all(|o| *o == (ProcId(0), LocId(3))));
}

#[test]
fn what_is_read_unwritten_is_said() {
    let mut p = program(
        "proc f() -> r {\n  result r : i32\n  temp a : i32\n  temp b : i32\n  temp c : i1\n  entry L0 exit L3\n  \
         L0 -> L1: b := 1:i32\n  L1 -> L2: assume c\n  L1 -> L3: assume !c\n  L2 -> L3: r := a + b\n}",
    );
    assert_eq!(prova_ir::passes::uninitialised(&mut p), 3);
    let text = print(&p);
    for part in ["r := nondet uninitialised", "a := nondet", "c := nondet"] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(prova_ir::passes::uninitialised(&mut p), 0);
}

#[test]
fn inputs_are_counted_alike_before_and_after() {
    for seed in 0..100 {
        let mut before = random_program_with(seed, false);
        prova_ir::passes::uninitialised(&mut before);
        let mut inlined = inline(&before, 20_000).unwrap();
        let count = |p: &Program| print(p).matches("uninitialised").count();
        let instances = inlined.instances.len();
        assert!(count(&inlined.program) <= instances * 2 * count(&before).max(1));
        let maps = simplify_graph(&mut inlined.program, Labels::Drop);
        inlined.relocate(&maps[0]);
        for inputs in inputs(seed) {
            let mut a = Machine::new(&before, &inputs);
            let mut b = Machine::new(&inlined.program, &inputs);
            a.count_all = true;
            b.count_all = true;
            let end = a.run(LIMIT);
            if end != End::Limit {
                assert_eq!(end, b.run(LIMIT * 20), "seed {seed}");
                assert_eq!(a.used, b.used, "seed {seed}");
            }
        }
    }
}

#[test]
fn slices_keep_traps_and_inputs() {
    let mut p = program(
        "object used : 8 align 8 static\nobject idle : 8 align 8 static\nproc main() -> r {\n  result r : i32\n  \
         temp a : i32\n  temp b : i32\n  temp junk : i32\n  temp d : i32\n  entry L0 exit L9\n  \
         L0 -> L1: a := nondet input \"a\"\n  L1 -> L2: junk := nondet input \"junk\"\n  \
         L2 -> L3: junk := junk + 1:i32\n  L3 -> L4: [&idle] := junk\n  L4 -> L5: [&used] := a\n  \
         L5 -> L6: d := a - 3:i32\n  L6 -> L7: junk := 5:i32 /s d\n  L7 -> L8: b := [&used]:i32\n  \
         L8 -> L10: assume b == 4:i32\n  L8 -> L11: assume !(b == 4:i32)\n  L11 -> L12: r := 1:i32\n  \
         L12 -> L11: r := r + 1:i32\n  error L10 \"unreach-call\" \"four\"\n}\nentry main",
    );
    let before = p.clone();
    let report = slice(&mut p, SliceOptions::default());
    let text = print(&p);
    for gone in ["junk + 1", "[&idle] :=", "r :="] {
        assert!(!text.contains(gone), "{gone} in {text}");
    }
    for kept in ["input \"junk\"", "junk := 5:i32 /s d", "[&used] := a"] {
        assert!(text.contains(kept), "{kept} not in {text}");
    }
    assert!(report.locations.1 < report.locations.0);
    for a in 0..6 {
        let (x, y) = (run(&before, &[a], 100), run(&p, &[a], 100));
        assert_eq!(
            x == End::Error("four".into()),
            y == End::Error("four".into())
        );
    }
    assert_eq!(run(&p, &[3], 100), End::Trap);
}

#[test]
fn a_procedure_may_say_what_a_function_without_a_body_writes() {
    let text = "extern proc raw(raw.a, raw.b) reads(1) c \"get\" {\n  param raw.a : ptr\n  \
         param raw.b : ptr\n}\nproc get(a, b) {\n  param a : ptr\n  param b : ptr\n  \
         entry L0 exit L2\n  L0 -> L1: call raw(a, b)\n  L1 -> L2: havoc [a], 4, undefined \"get\"\n}\n\
         proc main() {\n  temp p : ptr\n  entry L0 exit L2\n  L0 -> L1: call get(p, p)\n  \
         L1 -> L2: call get(p, null)\n}\nentry main";
    let mut p = program(text);
    let declared = p.procedures.iter().find(|p| p.name == "raw");
    assert_eq!(declared.expect("it is there").read_only, [1]);
    assert!(print(&p).contains(" reads(1)"), "{}", print(&p));
    let found = externals(&mut p, &|_| false);
    assert_eq!(found.len(), 1);
    assert!(found[0].writes && found[0].name == "get");
    assert_eq!(found[0].sites.len(), 2, "those of the program's own calls");
}
