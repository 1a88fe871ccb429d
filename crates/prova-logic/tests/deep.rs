//! Terms a million deep neither overflow the stack nor cost quadratic time.

use prova_logic::*;

#[test]
fn a_million_deep() {
    let mut t = Terms::new();
    let x = t.var("x", Sort::BitVec(32));
    let y = t.var("y", Sort::BitVec(32));
    let mut deep = x;
    for i in 0..1_000_000u32 {
        deep = match i % 3 {
            0 => t.bv_xor(deep, y),
            1 => t.add(deep, y),
            _ => t.mul(deep, x),
        };
    }
    let goal = t.eq(deep, x);
    assert!(t.size(goal) > 900_000);
    assert_eq!(t.free_vars(goal), vec![x, y]);
    let model: Model = [(x, Value::bv(3, 32)), (y, Value::bv(5, 32))]
        .into_iter()
        .collect();
    let value = t.eval(deep, &model);
    let three = t.bv(3, 32);
    let five = t.bv(5, 32);
    let mut substitution = Substitution::from_pairs(&t, &[(x, three), (y, five)]);
    let closed = t.substitute(deep, &mut substitution);
    assert_eq!(t.value(&value), closed);
    assert!(t.smtlib(goal).len() > 1_000_000);
    assert!(t.smtlib_script(&[goal]).len() > 1_000_000);
    assert!(t.display(goal).to_string().contains('…'));
}

#[test]
fn a_long_path_condition_and_a_sum_of_many_inputs() {
    let mut t = Terms::new();
    let mut path = t.tru();
    let mut sum = t.bv(0, 32);
    for i in 0..100_000 {
        let x = t.var(&format!("x{i}"), Sort::BitVec(32));
        sum = t.add(sum, x);
        let bound = t.bv(10, 32);
        let small = t.slt(x, bound);
        path = t.and2(path, small);
    }
    assert_eq!(t.conjuncts(path).len(), 100_000);
    assert_eq!(t.free_vars(sum).len(), 100_000);
    assert_eq!(t.free_vars(path).len(), 100_000);
}

#[test]
fn frames_cost_no_term() {
    let mut t = Terms::new();
    let x = t.var("x", Sort::BitVec(32));
    let y = t.var("y", Sort::BitVec(32));
    let one = t.bv(1, 32);
    let next = t.add(y, one);
    let predicate = t.slt(x, one);
    let before = t.len();
    let mut substitution = Substitution::from_pairs(&t, &[(y, next)]);
    assert_eq!(t.substitute(predicate, &mut substitution), predicate);
    assert_eq!(t.len(), before);
}
