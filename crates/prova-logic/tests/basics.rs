//! Building, simplifying, printing, solving: one small example of each.

use prova_logic::solver::Z3Solver;
use prova_logic::*;

fn bv32(terms: &mut Terms, name: &str) -> Term {
    terms.var(name, Sort::BitVec(32))
}

#[test]
fn sums_have_one_form() {
    let mut t = Terms::new();
    let (x, y) = (bv32(&mut t, "x"), bv32(&mut t, "y"));
    let four = t.bv(4, 32);
    let a = t.add(x, four);
    let a = t.add(a, y);
    let b = t.add(y, four);
    let b = t.add(b, x);
    assert_eq!(a, b);
    let back = t.sub(a, y);
    let back = t.sub(back, four);
    assert_eq!(back, x);
    let twice = t.add(x, x);
    let two = t.bv(2, 32);
    let product = t.mul(two, x);
    assert_eq!(twice, product);
    assert_eq!(t.display(a).to_string(), "x + y + 4");
    let d = t.sub(y, x);
    assert_eq!(t.display(d).to_string(), "y - x");
}

#[test]
fn comparisons_have_one_form() {
    let mut t = Terms::new();
    let x = bv32(&mut t, "x");
    let five = t.bv(5, 32);
    let four = t.bv(4, 32);
    let less = t.slt(x, five);
    let not_greater = t.sle(x, four);
    assert_eq!(less, not_greater);
    let negated = t.not(less);
    let ge = t.sge(x, five);
    assert_eq!(negated, ge);
    assert_eq!(t.and2(less, negated), t.fals());
    assert_eq!(t.or2(less, negated), t.tru());
    assert_eq!(t.display(less).to_string(), "x < 5");
    let minus_one = t.bv_signed(-1, 32);
    let nonnegative = t.slt(minus_one, x);
    assert_eq!(t.display(nonnegative).to_string(), "x >= 0");
    // (int)(x < 5) != 0 is x < 5 again.
    let as_int = t.bool_to_bv(less, 32);
    let zero = t.bv(0, 32);
    assert_eq!(t.ne(as_int, zero), less);
}

#[test]
fn objects_do_not_meet() {
    let mut t = Terms::new();
    let a = t.object_base("a", 64, 16, 8);
    let b = t.object_base("b", 64, 4, 4);
    let off = |t: &mut Terms, base, k: i128| {
        let k = t.bv_signed(k, 64);
        t.add(base, k)
    };
    let a12 = off(&mut t, a, 12);
    let b3 = off(&mut t, b, 3);
    assert_eq!(t.eq(a12, b3), t.fals());
    assert_eq!(t.eq(a, b), t.fals());
    // One past the end of a may be b.
    let a16 = off(&mut t, a, 16);
    let meets = t.eq(a16, b);
    assert!(!t.is_const(meets));
    let zero = t.bv(0, 64);
    assert_eq!(t.eq(a16, zero), t.fals());
    let a17 = off(&mut t, a, 17);
    let null = t.eq(a17, zero);
    assert!(!t.is_const(null));
    let three = t.bv(3, 64);
    let low = t.bv_and(a12, three);
    assert_eq!(low, zero);
    let index = t.extract(b3, 1, 0);
    assert_eq!(t.as_u64(index), Some(3));
    assert_eq!(t.ult(a12, a16), t.tru());
    let memory = t.var(
        "m",
        Sort::Array {
            index: 64,
            element: 8,
        },
    );
    let (v, w) = (t.bv(1, 8), t.bv(2, 8));
    let m = t.store(memory, a12, v);
    let m = t.store(m, b3, w);
    assert_eq!(t.select(m, a12), v);
    assert_eq!(t.object_bases_in(&[m]), vec![a, b]);
}

#[test]
fn z3_answers() {
    let mut t = Terms::new();
    let (x, y) = (bv32(&mut t, "x"), bv32(&mut t, "y"));
    let mut solver = Z3Solver::new();
    let less = t.slt(x, y);
    let greater = t.slt(y, x);
    solver.assert(&t, less);
    assert_eq!(solver.check(&t, &[]), Answer::Sat);
    let model = solver.model(&t, &[x, y]).unwrap();
    assert!(t.holds(less, &model));
    let ten = t.bv(10, 32);
    let small = t.slt(y, ten);
    assert_eq!(solver.check(&t, &[small, greater]), Answer::Unsat);
    assert_eq!(solver.core(), vec![greater]);
    assert_eq!(solver.check(&t, &[small]), Answer::Sat);
    solver.push();
    solver.assert(&t, greater);
    assert_eq!(solver.check(&t, &[]), Answer::Unsat);
    solver.pop(1);
    assert_eq!(solver.check(&t, &[]), Answer::Sat);
    assert_eq!(solver.statistics().queries, 5);
}

/// The constructors know what the axioms say; one that went through them became `true`, and a
/// solver was left free to put an object of one byte at the last address.
#[test]
fn axioms_are_not_simplified_by_themselves() {
    let mut t = Terms::new();
    let bases: Vec<Term> = [(0, 1), (1, 1), (4, 4), (16, 8), (1 << 40, 4096)]
        .iter()
        .enumerate()
        .map(|(i, (size, align))| t.object_base(&format!("o{i}"), 64, *size, *align))
        .collect();
    let axioms = t.object_axioms(&bases);
    assert!(axioms.iter().all(|a| !t.is_const(*a)));
    let mut solver = Z3Solver::new();
    for &axiom in &axioms {
        solver.assert(&t, axiom);
    }
    assert_eq!(solver.check(&t, &[]), Answer::Sat);
    let model = solver.model(&t, &bases).unwrap();
    // Plain variables stand for addresses here, so that no constructor knows better.
    for (&base, (size, align)) in
        bases
            .iter()
            .zip([(0u64, 1u64), (1, 1), (4, 4), (16, 8), (1 << 40, 4096)])
    {
        let address = model.get(base).and_then(Value::as_u64).unwrap();
        assert!(address != 0 && address.is_multiple_of(align));
        assert!(address.checked_add(size.max(1)).is_some());
    }
    let plain = t.var("plain", Sort::BitVec(64));
    let last = t.bv(u128::from(u64::MAX), 64);
    let at_the_end = t.eq(plain, last);
    let tie = t.eq(plain, bases[1]);
    assert_eq!(solver.check(&t, &[tie, at_the_end]), Answer::Unsat);
    let null = t.bv(0, 64);
    let at_null = t.eq(plain, null);
    assert_eq!(solver.check(&t, &[tie, at_null]), Answer::Unsat);
}

/// However many terms have the same newest child, and whatever was made in between.
#[test]
fn the_same_content_is_the_same_term() {
    let mut t = Terms::new();
    let old: Vec<Term> = (0..500).map(|i| bv32(&mut t, &format!("a{i}"))).collect();
    let young: Vec<Term> = (0..20).map(|i| bv32(&mut t, &format!("b{i}"))).collect();
    let make = |t: &mut Terms| {
        let mut made = Vec::new();
        for &b in &young {
            for &a in &old {
                made.push(t.mul(a, b));
                made.push(t.udiv(b, a));
            }
        }
        let all = made.iter().step_by(7).copied().collect::<Vec<_>>();
        for &x in &all {
            let flags: Vec<Term> = old[..5].iter().map(|&a| t.ult(a, x)).collect();
            made.push(t.and(&flags));
        }
        made
    };
    let first = make(&mut t);
    let count = t.len();
    assert_eq!(make(&mut t), first);
    assert_eq!(t.len(), count, "nothing new");
    let mut distinct = first.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), first.len());
}
