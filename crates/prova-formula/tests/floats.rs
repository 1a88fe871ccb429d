//! What bounds of floats are said to exclude must not happen: random formulas over two floats, and
//! for those that are called impossible thousands of values, computed by the machine itself.

use prova_formula::{Script, Sort, Term};

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    /// Small numbers often, and any pattern at times: infinities, NaNs, what is nearly nothing.
    fn value(&mut self) -> f32 {
        match self.below(8) {
            0 => f32::from_bits((self.below(1 << 16) << 16 | self.below(1 << 16)) as u32),
            1 => [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, 1e-45]
                [self.below(7) as usize],
            _ => (self.below(400) as f32 - 200.0) / 16.0,
        }
    }
}

/// A formula, and what it means.
enum Float {
    X(usize),
    Constant(f32),
    Two(&'static str, Box<Float>, Box<Float>),
    One(&'static str, Box<Float>),
}

impl Float {
    fn random(dice: &mut Dice, depth: u32) -> Float {
        if depth == 0 || dice.below(4) == 0 {
            return match dice.below(3) {
                0 => Float::Constant(dice.value()),
                _ => Float::X(dice.below(2) as usize),
            };
        }
        let mut part = || Box::new(Float::random(dice, depth - 1));
        let (a, b) = (part(), part());
        match dice.below(7) {
            0..=4 => {
                let all = ["fp.add", "fp.sub", "fp.mul", "fp.div"];
                Float::Two(all[dice.below(4) as usize], a, b)
            }
            _ => Float::One(["fp.neg", "fp.abs"][dice.below(2) as usize], a),
        }
    }

    fn term(&self, script: &mut Script, x: &[Term; 2]) -> Term {
        match self {
            Float::X(i) => x[*i],
            Float::Constant(c) => {
                let bits: u128 = c.to_bits().into();
                if bits.is_multiple_of(2) {
                    let bits = script.bits(bits, 32);
                    return script.apply("(_ to_fp 8 24)", &[bits]);
                }
                let parts = [(bits >> 31, 1), (bits >> 23, 8), (bits, 23)];
                let parts = parts.map(|(bits, width)| script.bits(bits, width));
                script.apply("fp", &parts)
            }
            Float::Two(head, a, b) => {
                let parts = [script.literal("RNE"), a.term(script, x), b.term(script, x)];
                script.apply(head, &parts)
            }
            Float::One(head, a) => {
                let part = a.term(script, x);
                script.apply(head, &[part])
            }
        }
    }

    fn value(&self, x: &[f32; 2]) -> f32 {
        match self {
            Float::X(i) => x[*i],
            Float::Constant(c) => *c,
            Float::Two(head, a, b) => {
                let (a, b) = (a.value(x), b.value(x));
                match *head {
                    "fp.add" => a + b,
                    "fp.sub" => a - b,
                    "fp.mul" => a * b,
                    _ => a / b,
                }
            }
            Float::One("fp.neg", a) => -a.value(x),
            Float::One(_, a) => a.value(x).abs(),
        }
    }
}

/// A comparison, in doubles or not, that holds or does not.
struct Compared {
    head: &'static str,
    sides: (Float, Float),
    wide: bool,
    holds: bool,
}

impl Compared {
    fn random(dice: &mut Dice) -> Compared {
        let heads = ["fp.lt", "fp.leq", "fp.gt", "fp.geq", "fp.eq", "fp.isNaN"];
        let head = heads[dice.below(6) as usize];
        let mut side = |depth| Float::random(dice, depth);
        let sides = (side(2), side(1));
        Compared { head, sides, wide: dice.below(2) == 0, holds: dice.below(2) == 0 }
    }

    fn term(&self, script: &mut Script, x: &[Term; 2]) -> Term {
        let mut parts = vec![self.sides.0.term(script, x), self.sides.1.term(script, x)];
        if self.wide {
            let mode = script.literal("RNE");
            parts = parts.iter().map(|&p| script.apply("(_ to_fp 11 53)", &[mode, p])).collect();
        }
        parts.truncate(if self.head == "fp.isNaN" { 1 } else { 2 });
        let term = script.apply(self.head, &parts);
        if self.holds {
            term
        } else {
            script.not(term)
        }
    }

    fn is_met(&self, x: &[f32; 2]) -> bool {
        let (a, b) = (self.sides.0.value(x), self.sides.1.value(x));
        let truth = match self.head {
            "fp.lt" => a < b,
            "fp.leq" => a <= b,
            "fp.gt" => a > b,
            "fp.geq" => a >= b,
            "fp.eq" => a == b,
            _ => a.is_nan(),
        };
        truth == self.holds
    }
}

#[test]
fn what_is_called_impossible_does_not_happen() {
    let mut dice = Dice(3);
    let mut refuted = 0;
    for _ in 0..3000 {
        let mut script = Script::new(true);
        let x = [(); 2].map(|()| script.constant(Sort::Float(8, 24)));
        let count = 2 + dice.below(4);
        let all: Vec<Compared> = (0..count).map(|_| Compared::random(&mut dice)).collect();
        let mut facts: Vec<Term> = all.iter().map(|c| c.term(&mut script, &x)).collect();
        // The last two as alternatives.
        let last = facts.split_off(facts.len() - 2);
        facts.push(script.apply("or", &last));
        if script.refutation(&facts, &[]).is_some() {
            continue;
        }
        refuted += 1;
        for _ in 0..400 {
            let values = [dice.value(), dice.value()];
            let (some, every) = all.split_at(all.len() - 2);
            let happens =
                some.iter().all(|c| c.is_met(&values)) && every.iter().any(|c| c.is_met(&values));
            assert!(!happens, "{values:?}");
        }
    }
    assert!(refuted > 200, "only {refuted} were called impossible");
}

/// The conditions of `x * x` for x from 0 to 10, which solvers take long for.
#[test]
fn bounds_are_followed_through_products() {
    for (bound, plain) in [(100.5f32, true), (99.0, false)] {
        let mut script = Script::new(true);
        let x = script.constant(Sort::Float(8, 24));
        let number = |script: &mut Script, c: f32| {
            let bits = script.bits(c.to_bits().into(), 32);
            script.apply("(_ to_fp 8 24)", &[bits])
        };
        let [zero, ten, bound] = [0.0, 10.0, bound].map(|c| number(&mut script, c));
        let mode = script.literal("RNE");
        let square = script.apply("fp.mul", &[mode, x, x]);
        let facts = [script.apply("fp.leq", &[zero, x]), script.apply("fp.leq", &[x, ten])];
        let below = script.apply("fp.leq", &[square, bound]);
        assert_eq!(script.refutation(&facts, &[vec![below]]).is_none(), plain);
    }
}

/// A polynomial of doubles, as a certificate and the program write it: constants in two ways, and
/// what is computed compared with several bounds at once.
#[test]
fn several_bounds_of_one_result_are_seen() {
    let mut script = Script::new(true);
    let x = script.constant(Sort::Float(11, 53));
    let written = |script: &mut Script, c: f64| {
        let bits: u128 = c.to_bits().into();
        let parts = [(bits >> 63, 1), (bits >> 52, 11), (bits, 52)];
        let parts = parts.map(|(bits, width)| script.bits(bits, width));
        script.apply("fp", &parts)
    };
    let loaded = |script: &mut Script, c: f64| {
        let bits = script.bits(c.to_bits().into(), 64);
        script.apply("(_ to_fp 11 53)", &[bits])
    };
    let mode = script.literal("RNE");
    let [one, three, most] = [1.0, 3.0, 1.6].map(|c| written(&mut script, c));
    let [unit, half, small, two] = [1.0, 0.5, -0.125, 2.0].map(|c| loaded(&mut script, c));
    let less = script.apply("fp.sub", &[mode, x, unit]);
    let inner = script.apply("fp.mul", &[mode, less, small]);
    let inner = script.apply("fp.add", &[mode, half, inner]);
    let inner = script.apply("fp.mul", &[mode, less, inner]);
    let result = script.apply("fp.add", &[mode, unit, inner]);
    let nan = script.apply("fp.isNaN", &[x]);
    let above = script.apply("fp.leq", &[two, x]);
    let facts = [
        script.not(nan),
        script.apply("fp.leq", &[one, x]),
        script.apply("fp.leq", &[x, three]),
        script.not(above),
    ];
    let nan = script.apply("fp.isNaN", &[result]);
    let claims = vec![
        script.apply("fp.leq", &[one, result]),
        script.not(nan),
        script.apply("fp.leq", &[result, most]),
    ];
    assert_eq!(script.refutation(&facts, &[claims]), None);
    let (same, other) = (written(&mut script, 1.5), loaded(&mut script, 1.5));
    let equal = script.apply("=", &[same, other]);
    assert_eq!(script.refutation(&[], &[vec![equal]]), None);
}
