//! Invariant candidates from tests: relations that hold in every state the forest has at a
//! cutpoint. Cheap to find, mostly wrong in small forests; [`mod@crate::knowledge::houdini`] keeps what is right.
//!
//! For each variable: a constant, a few values, bounds at the constants that the program text
//! and the samples offer, a residue. For pairs of one width: equality, order, a constant sum or
//! difference. For all of one width together: affine equations, by elimination over the samples.

use prova_logic::{Sort, Term, Terms};
use std::collections::BTreeSet;

/// Values of variables in the states of one cutpoint.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// State variables of sort Bool or BitVec (up to 64 bits).
    pub variables: Vec<Term>,
    /// One row per state, a value per variable.
    pub rows: Vec<Vec<u64>>,
}

/// Bounds beyond this are chance, not structure.
const PLAIN: u64 = 1 << 16;
/// More variables than this of one width are not paired with each other.
const PAIRED: usize = 24;
/// Affine equations are sought among at most this many variables.
const AFFINE: usize = 16;

/// Candidates that all rows satisfy.
pub fn mine(terms: &mut Terms, samples: &Samples, constants: &BTreeSet<u64>) -> Vec<Term> {
    if samples.rows.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let columns: Vec<Vec<u64>> = (0..samples.variables.len())
        .map(|i| samples.rows.iter().map(|r| r[i]).collect())
        .collect();
    let mut by_width: std::collections::BTreeMap<u32, Vec<usize>> = Default::default();
    for (i, &v) in samples.variables.iter().enumerate() {
        match terms.sort(v) {
            Sort::Bool => boolean(terms, v, &columns[i], &mut found),
            Sort::BitVec(w) if w <= 64 => {
                single(terms, v, w, &columns[i], constants, &mut found);
                by_width.entry(w).or_default().push(i);
            }
            _ => {}
        }
    }
    for (width, indices) in by_width {
        let varying: Vec<usize> = indices
            .iter()
            .copied()
            .filter(|&i| columns[i].iter().any(|&x| x != columns[i][0]))
            .collect();
        for (k, &i) in varying.iter().take(PAIRED).enumerate() {
            for &j in varying.iter().take(PAIRED).skip(k + 1) {
                let (a, b) = (samples.variables[i], samples.variables[j]);
                pair(terms, a, b, width, &columns[i], &columns[j], &mut found);
            }
        }
        let chosen: Vec<usize> = varying.into_iter().take(AFFINE).collect();
        for reading in [signed, unsigned] {
            affine(terms, samples, &chosen, width, reading, &mut found);
        }
    }
    found.retain(|&t| terms.as_bool(t).is_none());
    found
}

fn boolean(terms: &mut Terms, v: Term, column: &[u64], found: &mut Vec<Term>) {
    if column.iter().all(|&x| x == 1) {
        found.push(v);
    } else if column.iter().all(|&x| x == 0) {
        found.push(terms.not(v));
    }
}

fn signed(value: u64, width: u32) -> i128 {
    let shift = 64 - width;
    i128::from(((value << shift) as i64) >> shift)
}

fn unsigned(value: u64, _: u32) -> i128 {
    i128::from(value)
}

fn mask(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

fn single(
    terms: &mut Terms,
    v: Term,
    width: u32,
    column: &[u64],
    constants: &BTreeSet<u64>,
    found: &mut Vec<Term>,
) {
    let distinct: BTreeSet<u64> = column.iter().copied().collect();
    if distinct.len() <= 4 {
        let cases: Vec<Term> = distinct
            .iter()
            .map(|&x| {
                let c = terms.bv(u128::from(x), width);
                terms.eq(v, c)
            })
            .collect();
        found.push(terms.or(&cases));
    }
    let (low, high) = (
        *distinct.first().expect("not empty"),
        *distinct.last().expect("not empty"),
    );
    let slow = column
        .iter()
        .map(|&x| signed(x, width))
        .min()
        .expect("not empty");
    let shigh = column
        .iter()
        .map(|&x| signed(x, width))
        .max()
        .expect("not empty");
    // The tightest bounds among the program's own constants, and the extremes that were seen.
    let known: BTreeSet<u64> = constants.iter().map(|&c| c & mask(width)).collect();
    let lower = known
        .iter()
        .map(|&c| signed(c, width))
        .filter(|&c| c <= slow)
        .max();
    let upper = known
        .iter()
        .map(|&c| signed(c, width))
        .filter(|&c| c >= shigh)
        .min();
    let plain = |c: &i128| c.unsigned_abs() <= u128::from(PLAIN);
    let lower: BTreeSet<i128> = lower.into_iter().chain([slow]).filter(plain).collect();
    let upper: BTreeSet<i128> = upper.into_iter().chain([shigh]).filter(plain).collect();
    for c in lower {
        let c = terms.bv_signed(c, width);
        found.push(terms.sle(c, v));
    }
    for c in upper {
        let c = terms.bv_signed(c, width);
        found.push(terms.sle(v, c));
    }
    if slow < 0 {
        if let Some(c) = known.iter().copied().filter(|&c| c >= high).min() {
            let c = terms.bv(u128::from(c), width);
            found.push(terms.ule(v, c));
        }
    }
    if distinct.len() > 1 {
        for bits in 1..=3u32.min(width) {
            let modulus = 1u64 << bits;
            let residue = low % modulus;
            if column.iter().all(|&x| x % modulus == residue) {
                let slice = terms.extract(v, bits - 1, 0);
                let c = terms.bv(u128::from(residue), bits);
                found.push(terms.eq(slice, c));
            }
        }
    }
}

fn pair(
    terms: &mut Terms,
    a: Term,
    b: Term,
    width: u32,
    x: &[u64],
    y: &[u64],
    found: &mut Vec<Term>,
) {
    let rows = || x.iter().zip(y).map(|(&p, &q)| (p, q));
    if rows().all(|(p, q)| p == q) {
        found.push(terms.eq(a, b));
        return;
    }
    let m = mask(width);
    let difference = x[0].wrapping_sub(y[0]) & m;
    if rows().all(|(p, q)| p.wrapping_sub(q) & m == difference) {
        let c = terms.bv(u128::from(difference), width);
        let sum = terms.add(b, c);
        found.push(terms.eq(a, sum));
    }
    let total = x[0].wrapping_add(y[0]) & m;
    if rows().all(|(p, q)| p.wrapping_add(q) & m == total) {
        let c = terms.bv(u128::from(total), width);
        let sum = terms.add(a, b);
        found.push(terms.eq(sum, c));
    }
    let s = |v: u64| signed(v, width);
    if rows().all(|(p, q)| s(p) < s(q)) {
        found.push(terms.slt(a, b));
    }
    if rows().all(|(p, q)| s(p) <= s(q)) {
        found.push(terms.sle(a, b));
    }
    if rows().all(|(p, q)| s(q) < s(p)) {
        found.push(terms.slt(b, a));
    }
    if rows().all(|(p, q)| s(q) <= s(p)) {
        found.push(terms.sle(b, a));
    }
    let crossing = |v: &[u64]| v.iter().any(|&p| s(p) < 0) && v.iter().any(|&p| s(p) >= 0);
    if crossing(x) || crossing(y) {
        if rows().all(|(p, q)| p <= q) {
            found.push(terms.ule(a, b));
        }
        if rows().all(|(p, q)| q <= p) {
            found.push(terms.ule(b, a));
        }
    }
    if rows().all(|(p, q)| p != q) {
        found.push(terms.ne(a, b));
    }
}

/// Affine equations `Σ kᵢ xᵢ = c` with small integer coefficients, from the null space of the
/// samples in one reading, found by fraction-free elimination.
fn affine(
    terms: &mut Terms,
    samples: &Samples,
    chosen: &[usize],
    width: u32,
    reading: impl Fn(u64, u32) -> i128,
    found: &mut Vec<Term>,
) {
    let n = chosen.len();
    if n < 2 || samples.rows.len() < 3 {
        return;
    }
    // Rows: (x₁, …, xₙ, 1); the kernel of the matrix gives the equations.
    let mut matrix: Vec<Vec<i128>> = Vec::new();
    for row in &samples.rows {
        let mut line: Vec<i128> = chosen.iter().map(|&i| reading(row[i], width)).collect();
        line.push(1);
        if !reduce(&mut matrix, line) {
            return;
        }
        if matrix.len() > n {
            return;
        }
    }
    for vector in kernel(&matrix, n + 1) {
        let used = vector[..n].iter().filter(|&&k| k != 0).count();
        if used < 2 || vector.iter().any(|k| k.abs() > 1 << 20) {
            continue;
        }
        let mut sum = terms.bv_signed(vector[n], width);
        for (&k, &i) in vector.iter().zip(chosen) {
            if k != 0 {
                let c = terms.bv_signed(k, width);
                let product = terms.mul(c, samples.variables[i]);
                sum = terms.add(sum, product);
            }
        }
        let zero = terms.bv(0, width);
        let equation = terms.eq(sum, zero);
        if !found.contains(&equation) {
            found.push(equation);
        }
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 {
        a.abs()
    } else {
        gcd(b, a % b)
    }
}

fn normalise(line: &mut [i128]) {
    let g = line.iter().fold(0, |g, &x| gcd(g, x));
    if g > 1 {
        line.iter_mut().for_each(|x| *x /= g);
    }
}

/// Adds a line to a matrix in echelon form, if it is independent. `false` on overflow.
fn reduce(matrix: &mut Vec<Vec<i128>>, mut line: Vec<i128>) -> bool {
    for row in matrix.iter() {
        let pivot = row.iter().position(|&x| x != 0).expect("rows are not zero");
        if line[pivot] != 0 {
            let (a, b) = (row[pivot], line[pivot]);
            for k in 0..line.len() {
                let Some(left) = line[k].checked_mul(a) else {
                    return false;
                };
                let Some(right) = row[k].checked_mul(b) else {
                    return false;
                };
                let Some(value) = left.checked_sub(right) else {
                    return false;
                };
                line[k] = value;
            }
            normalise(&mut line);
        }
    }
    if line.iter().any(|&x| x != 0) {
        matrix.push(line);
        matrix.sort_by_key(|row| row.iter().position(|&x| x != 0));
    }
    true
}

/// Vectors `v` with `row · v = 0` for all rows, one per free column.
fn kernel(matrix: &[Vec<i128>], columns: usize) -> Vec<Vec<i128>> {
    let pivots: Vec<usize> = matrix
        .iter()
        .map(|r| r.iter().position(|&x| x != 0).expect("rows are not zero"))
        .collect();
    let mut result = Vec::new();
    'free: for free in (0..columns).filter(|c| !pivots.contains(c)) {
        // Solve from the last row up, keeping everything integral by scaling.
        let mut v = vec![0i128; columns];
        v[free] = 1;
        for (row, &pivot) in matrix.iter().zip(&pivots).rev() {
            let mut rest = 0i128;
            for k in pivot + 1..columns {
                let Some(product) = row[k].checked_mul(v[k]) else {
                    continue 'free;
                };
                let Some(sum) = rest.checked_add(product) else {
                    continue 'free;
                };
                rest = sum;
            }
            let p = row[pivot];
            let g = gcd(p, rest).max(1);
            let scale = (p / g).abs();
            if scale != 1 {
                for x in &mut v {
                    let Some(scaled) = x.checked_mul(scale) else {
                        continue 'free;
                    };
                    *x = scaled;
                }
                let Some(scaled) = rest.checked_mul(scale) else {
                    continue 'free;
                };
                rest = scaled;
            }
            v[pivot] = -rest / p;
            normalise(&mut v);
        }
        result.push(v);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(names: &[&str], rows: &[&[u64]]) -> (Terms, Samples) {
        let mut terms = Terms::new();
        let variables = names
            .iter()
            .map(|n| terms.var(n, Sort::BitVec(32)))
            .collect();
        (
            terms,
            Samples {
                variables,
                rows: rows.iter().map(|r| r.to_vec()).collect(),
            },
        )
    }

    #[test]
    fn a_linear_relation_of_three_variables_is_found() {
        let rows: Vec<Vec<u64>> = (0..6u64)
            .map(|i| vec![i, i * i % 5, 2 * i + 3 * (i * i % 5) + 7])
            .collect();
        let (mut terms, samples) = setup(
            &["x", "y", "z"],
            &rows.iter().map(|r| &r[..]).collect::<Vec<_>>(),
        );
        let found = mine(&mut terms, &samples, &BTreeSet::new());
        let (x, y, z) = (
            samples.variables[0],
            samples.variables[1],
            samples.variables[2],
        );
        let (two, three, seven) = (terms.bv(2, 32), terms.bv(3, 32), terms.bv(7, 32));
        let (a, b) = (terms.mul(two, x), terms.mul(three, y));
        let sum = terms.add(a, b);
        let sum = terms.add(sum, seven);
        let difference = terms.sub(sum, z);
        let zero = terms.bv(0, 32);
        let expected = terms.eq(difference, zero);
        let negated = terms.sub(z, sum);
        let other = terms.eq(negated, zero);
        assert!(
            found.contains(&expected) || found.contains(&other),
            "{found:?}"
        );
    }

    #[test]
    fn every_candidate_holds_in_every_row() {
        let rows: Vec<Vec<u64>> = (0..20u64)
            .map(|i| vec![4 * i, 100 - i, (i * 7) % 13, 0xffff_fff0 + i % 3])
            .collect();
        let (mut terms, samples) = setup(
            &["a", "b", "c", "d"],
            &rows.iter().map(|r| &r[..]).collect::<Vec<_>>(),
        );
        let found = mine(&mut terms, &samples, &[0, 1, 50, 100].into_iter().collect());
        assert!(found.len() > 10);
        for candidate in found {
            for row in &samples.rows {
                let value = terms.eval_with(candidate, |v| {
                    let i = samples.variables.iter().position(|&x| x == v)?;
                    Some(prova_logic::Value::bv(u128::from(row[i]), 32))
                });
                assert_eq!(value.as_bool(), Some(true));
            }
        }
    }
}
