//! What bounds of floats show: assertions that cannot hold together.
//!
//! Every float of a question lies between two numbers or is a NaN. Operators that round to nearest
//! are monotone in each operand, so bounds of a result are results of bounds, computed by the
//! machine's own arithmetic, which is the one SMT-LIB means for the formats of `float` and
//! `double`; of other formats and roundings nothing is known. Comparisons narrow the bounds of what
//! they compare, and where that is not enough, the widest bounds are halved and both halves looked
//! at. Zeros of both signs count as one number: nothing here tells them apart.
//!
//! What would be unsound: bounds that leave out a value. So an operator that is not listed gives
//! everything.

use crate::script::{Script, Term};
use crate::sort::Sort;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Larger questions, in terms, are not looked at.
const MOST_TERMS: usize = 20_000;
/// Rounds in which assertions narrow each other's bounds.
const ROUNDS: usize = 4;
/// How often bounds are halved, inside each other and in all.
const DEPTH: u32 = 24;
const HALVED: u32 = 512;
/// Terms that are looked at, in all.
const LOOKED_AT: usize = 2_000_000;

/// What a float can be; no number if the bounds are not in order.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Span {
    low: f64,
    high: f64,
    nan: bool,
}

const ALL: Span = Span { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };

impl Span {
    fn number(low: f64, high: f64, nan: bool) -> Span {
        Span { low, high, nan }
    }

    fn one(value: f64) -> Span {
        match value.is_nan() {
            true => Span { low: 1.0, high: 0.0, nan: true },
            false => Span::number(value, value, false),
        }
    }

    fn is_number(&self) -> bool {
        self.low <= self.high
    }

    fn meet(&self, other: &Span) -> Span {
        Span {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            nan: self.nan && other.nan,
        }
    }

    fn is_empty(&self) -> bool {
        !self.is_number() && !self.nan
    }

    fn join(&self, other: &Span) -> Span {
        let nan = self.nan || other.nan;
        match (self.is_number(), other.is_number()) {
            (false, _) => Span { nan, ..*other },
            (_, false) => Span { nan, ..*self },
            _ => Span::number(self.low.min(other.low), self.high.max(other.high), nan),
        }
    }

    fn has_infinity(&self) -> bool {
        self.is_number() && (self.low == f64::NEG_INFINITY || self.high == f64::INFINITY)
    }

    fn has_zero(&self) -> bool {
        self.low <= 0.0 && self.high >= 0.0
    }

    fn only_zero(&self) -> bool {
        self.low == 0.0 && self.high == 0.0
    }

    /// From the results of bounds; everything, if one of these is a NaN.
    fn spanned(ends: &[f64], nan: bool) -> Span {
        if ends.iter().any(|e| e.is_nan()) {
            return ALL;
        }
        let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Span::number(low, high, nan)
    }

    fn of_one(&self, nan: bool, f: impl Fn(f64) -> f64) -> Span {
        match self.is_number() {
            false => Span::one(f64::NAN),
            true => Span::spanned(&[f(self.low), f(self.high)], self.nan || nan),
        }
    }

    fn of_two(&self, other: &Span, nan: bool, f: impl Fn(f64, f64) -> f64) -> Span {
        if !self.is_number() || !other.is_number() {
            return Span::one(f64::NAN);
        }
        let (a, b) = ((self.low, self.high), (other.low, other.high));
        let ends = [f(a.0, b.0), f(a.0, b.1), f(a.1, b.0), f(a.1, b.1)];
        Span::spanned(&ends, self.nan || other.nan || nan)
    }
}

/// What a term is: a float, or a truth value as far as it is plain.
#[derive(Clone, Copy)]
enum Value {
    Float(Span),
    Truth(Option<bool>),
    Other,
}

/// Bounds that assertions give to floats.
type Bounds = FxHashMap<Term, Span>;

struct Looking<'a> {
    script: &'a Script,
    assertions: &'a [Term],
    /// All terms of the question: each comes behind its parts.
    terms: Vec<Term>,
    halved: u32,
    looked: usize,
}

impl Script {
    /// Whether bounds of floats show that these cannot all hold.
    pub(crate) fn out_of_bounds(&self, assertions: &[Term]) -> bool {
        let (mut seen, mut work) = (BTreeSet::new(), assertions.to_vec());
        while let Some(at) = work.pop() {
            if seen.insert(at) {
                work.extend(self.view(at).1);
            }
        }
        let float = |t: &Term| matches!(self.sort(*t), Sort::Float(..));
        if seen.len() > MOST_TERMS || !seen.iter().any(float) {
            return false;
        }
        let terms = seen.into_iter().collect();
        Looking { script: self, assertions, terms, halved: 0, looked: 0 }
            .refute(Bounds::default(), 0)
    }
}

impl Looking<'_> {
    fn refute(&mut self, mut bounds: Bounds, depth: u32) -> bool {
        let mut values = FxHashMap::default();
        for _ in 0..ROUNDS {
            values = self.values(&bounds);
            self.looked += self.terms.len();
            let before = bounds.clone();
            if !self.assertions.iter().all(|&t| self.take_in(t, &values, &mut bounds)) {
                return true;
            }
            if bounds == before {
                break;
            }
        }
        // The widest of those that nothing else bounds.
        let spread = |t: &Term| match values[t] {
            Value::Float(s) if s.is_number() && !s.nan && !self.computed(*t) => s.high - s.low,
            _ => 0.0,
        };
        let all = self.terms.iter().map(|&t| (spread(&t), t));
        let widest = all.filter(|w| w.0 > 0.0 && w.0.is_finite());
        let Some((_, term)) = widest.max_by(|a, b| a.0.total_cmp(&b.0)) else { return false };
        let Value::Float(span) = values[&term] else { return false };
        let middle = span.low / 2.0 + span.high / 2.0;
        if depth == DEPTH || middle <= span.low || middle >= span.high {
            return false;
        }
        self.halved += 1;
        [Span { high: middle, ..span }, Span { low: middle, ..span }].into_iter().all(|half| {
            let mut bounds = bounds.clone();
            bounds.insert(term, half);
            self.halved <= HALVED && self.looked <= LOOKED_AT && self.refute(bounds, depth + 1)
        })
    }

    /// Whether a float is the result of an operator that is followed.
    fn computed(&self, term: Term) -> bool {
        let (head, parts) = self.script.view(term);
        let literal = || parts.first().is_some_and(|&p| self.script.is_literal(p));
        head == "ite" || head.starts_with("fp.") || parts.len() == 2 || literal()
    }

    fn values(&self, bounds: &Bounds) -> FxHashMap<Term, Value> {
        let mut values = FxHashMap::default();
        for &term in &self.terms {
            let value = match self.script.sort(term) {
                Sort::Float(..) => {
                    let span = self.float(term, &values);
                    Value::Float(bounds.get(&term).map_or(span, |b| b.meet(&span)))
                }
                Sort::Bool => Value::Truth(self.truth(term, &values)),
                _ => Value::Other,
            };
            values.insert(term, value);
        }
        values
    }

    fn float(&self, term: Term, values: &FxHashMap<Term, Value>) -> Span {
        let (head, parts) = self.script.view(term);
        let span = |i: usize| match parts.get(i).map(|p| values[p]) {
            Some(Value::Float(span)) => span,
            _ => ALL,
        };
        let mode = parts.first().map_or("", |&p| self.script.view(p).0);
        // Each operator in the term's own format: a number of it is a `double`, too.
        let single = match self.script.sort(term) {
            Sort::Float(8, 24) => true,
            Sort::Float(11, 53) => false,
            _ => return ALL,
        };
        let two = |f: fn(f32, f32) -> f32, g: fn(f64, f64) -> f64| {
            move |a: f64, b: f64| match single {
                true => f(a as f32, b as f32).into(),
                false => g(a, b),
            }
        };
        let nearest = mode == "RNE";
        let (a, b) = (span(1), span(2));
        match (head, parts.len()) {
            ("fp.add", 3) if nearest => {
                let nan = a.has_infinity() && b.has_infinity();
                a.of_two(&b, nan, two(|x, y| x + y, |x, y| x + y))
            }
            ("fp.sub", 3) if nearest => {
                let nan = a.has_infinity() && b.has_infinity();
                a.of_two(&b, nan, two(|x, y| x - y, |x, y| x - y))
            }
            // Whatever it is multiplied by, a zero stays one or becomes a NaN.
            ("fp.mul", 3) if nearest && [&a, &b].iter().any(|s| s.only_zero()) => {
                let nan = a.nan || b.nan || a.has_infinity() || b.has_infinity();
                Span { nan, ..a.of_two(&b, nan, |_, _| 0.0) }
            }
            ("fp.div", 3) if a.only_zero() && b.only_zero() => Span::one(f64::NAN),
            ("fp.mul", 3) if nearest => {
                // The operands of a square have one sign.
                let (a, b) = if parts[1] == parts[2] { (size(&a), size(&b)) } else { (a, b) };
                let nan = a.has_infinity() && b.has_zero() || b.has_infinity() && a.has_zero();
                a.of_two(&b, nan, two(|x, y| x * y, |x, y| x * y))
            }
            ("fp.div", 3) if nearest && !b.has_zero() => {
                let nan = a.has_infinity() && b.has_infinity();
                a.of_two(&b, nan, two(|x, y| x / y, |x, y| x / y))
            }
            ("fp.neg", 1) => span(0).of_one(false, |x| -x),
            ("fp.abs", 1) => size(&span(0)),
            ("fp.roundToIntegral", 2) => match mode {
                "RTZ" => a.of_one(false, f64::trunc),
                "RTN" => a.of_one(false, f64::floor),
                "RTP" => a.of_one(false, f64::ceil),
                _ => ALL,
            },
            ("ite", 3) => match values[&parts[0]] {
                Value::Truth(Some(true)) => a,
                Value::Truth(Some(false)) => b,
                _ => a.join(&b),
            },
            (_, 1) if head.starts_with("(_ to_fp ") => self.written_down(parts, single),
            ("fp", 3) => self.written_down(parts, single),
            (_, 0) if head.starts_with("(_ +oo ") => Span::one(f64::INFINITY),
            (_, 0) if head.starts_with("(_ -oo ") => Span::one(f64::NEG_INFINITY),
            (_, 0) if head.starts_with("(_ NaN ") => Span::one(f64::NAN),
            (_, 0) if head.contains("zero ") => Span::one(0.0),
            (_, 2) if head.starts_with("(_ to_fp") && nearest => {
                let rounded = |x: f64| if single { f64::from(x as f32) } else { x };
                match self.script.sort(parts[1]) {
                    Sort::Float(8, 24) | Sort::Float(11, 53) => a.of_one(false, rounded),
                    Sort::Bits(n) if n <= 53 => {
                        let all = (1u64 << n) as f64;
                        let (low, high) = match head.starts_with("(_ to_fp ") {
                            true => (-all / 2.0, all / 2.0 - 1.0),
                            false => (0.0, all - 1.0),
                        };
                        Span::number(low, high, false).of_one(false, rounded)
                    }
                    _ => ALL,
                }
            }
            _ => ALL,
        }
    }

    /// The float of a bit pattern, in one piece or several, that is written down.
    fn written_down(&self, pieces: &[Term], single: bool) -> Span {
        let digits = |&p: &Term| self.script.view(p).0.strip_prefix("#b");
        let digits: Option<String> = pieces.iter().map(digits).collect();
        let bits = digits.and_then(|d| u64::from_str_radix(&d, 2).ok());
        let Some(bits) = bits else { return ALL };
        Span::one(match single {
            true => f32::from_bits(bits as u32).into(),
            false => f64::from_bits(bits),
        })
    }

    fn truth(&self, term: Term, values: &FxHashMap<Term, Value>) -> Option<bool> {
        let (head, parts) = self.script.view(term);
        let known = |t: &Term| match values[t] {
            Value::Truth(truth) => truth,
            _ => None,
        };
        let float = |t: Term| match values[&t] {
            Value::Float(span) => Some(span),
            _ => None,
        };
        match (head, parts) {
            ("true", _) => Some(true),
            ("false", _) => Some(false),
            ("not", [a]) => known(a).map(|b| !b),
            ("and", _) if parts.iter().any(|p| known(p) == Some(false)) => Some(false),
            ("and", _) => parts.iter().all(|p| known(p) == Some(true)).then_some(true),
            ("or", _) if parts.iter().any(|p| known(p) == Some(true)) => Some(true),
            ("or", _) => parts.iter().all(|p| known(p) == Some(false)).then_some(false),
            ("fp.isNaN", &[a]) => match float(a)? {
                Span { nan: false, .. } => Some(false),
                span => (!span.is_number()).then_some(true),
            },
            // Zeros that are equal may be two.
            ("=", &[a, b]) => {
                let (a, b) = (float(a)?, float(b)?);
                let one = a.low == a.high && a.low != 0.0 && !a.nan;
                match a.meet(&b).is_empty() {
                    true => Some(false),
                    false => (one && a == b).then_some(true),
                }
            }
            _ => {
                let (a, b, how) = compared(head, parts)?;
                let (a, b) = (float(a)?, float(b)?);
                let numbers = a.is_number() && b.is_number();
                let never = match how {
                    Compared::Less => a.low >= b.high,
                    Compared::LessOrEqual => a.low > b.high,
                    Compared::Equal => a.low > b.high || b.low > a.high,
                };
                let always = match how {
                    Compared::Less => a.high < b.low,
                    Compared::LessOrEqual => a.high <= b.low,
                    Compared::Equal => a.low == b.high && a.high == b.low,
                };
                match numbers && !never {
                    false => Some(false),
                    true => (always && !a.nan && !b.nan).then_some(true),
                }
            }
        }
    }

    /// Takes in that an assertion holds; `false` if it cannot.
    fn take_in(
        &self,
        assertion: Term,
        values: &FxHashMap<Term, Value>,
        bounds: &mut Bounds,
    ) -> bool {
        let mut work = vec![(assertion, true)];
        while let Some((term, holds)) = work.pop() {
            let truth = |t: &Term| match values[t] {
                Value::Truth(truth) => truth,
                _ => None,
            };
            if truth(&term) == Some(!holds) {
                return false;
            }
            let (head, parts) = self.script.view(term);
            let float = |t: Term| match values[&t] {
                Value::Float(span) => span,
                _ => ALL,
            };
            let mut narrow = |t: Term, to: Span| {
                let now = bounds.get(&t).map_or(float(t), |b| b.meet(&float(t))).meet(&to);
                bounds.insert(t, now);
                !now.is_empty()
            };
            match (head, parts, holds) {
                ("not", &[a], _) => work.push((a, !holds)),
                ("and", _, true) | ("or", _, false) => {
                    work.extend(parts.iter().map(|&p| (p, holds)));
                }
                ("or", _, true) | ("and", _, false) => {
                    let mut possible = parts.iter().filter(|p| truth(p) != Some(!holds));
                    match (possible.next(), possible.next()) {
                        (None, _) => return false,
                        (Some(&only), None) => work.push((only, holds)),
                        _ => {}
                    }
                }
                ("fp.isNaN", &[a], _) => {
                    let to = match holds {
                        true => Span::one(f64::NAN),
                        false => Span { nan: false, ..ALL },
                    };
                    if !narrow(a, to) {
                        return false;
                    }
                }
                ("=", &[a, b], true) if matches!(self.script.sort(a), Sort::Float(..)) => {
                    if !narrow(a, float(b)) || !narrow(b, float(a)) {
                        return false;
                    }
                }
                _ => {
                    let Some((a, b, how)) = compared(head, parts) else { continue };
                    let (x, y) = (float(a), float(b));
                    // Of two numbers the one that is not less is greater or equal.
                    let ordered = !x.nan && !y.nan;
                    let (below, above) = match (how, holds) {
                        (Compared::Equal, true) => {
                            let both = |s: Span| Span { nan: false, ..s };
                            if !narrow(a, both(y)) || !narrow(b, both(x)) {
                                return false;
                            }
                            continue;
                        }
                        (Compared::Equal, false) => continue,
                        (_, true) => (a, b),
                        (_, false) if ordered => (b, a),
                        (_, false) => continue,
                    };
                    let (low, high) = (float(below), float(above));
                    let under = Span::number(f64::NEG_INFINITY, high.high, false);
                    let over = Span::number(low.low, f64::INFINITY, false);
                    if !narrow(below, under) || !narrow(above, over) {
                        return false;
                    }
                }
            }
        }
        self.pass_on(bounds)
    }

    /// Lets bounds of a conversion to a wider format, or of a negation, be those of what it is of.
    fn pass_on(&self, bounds: &mut Bounds) -> bool {
        for &term in self.terms.iter().rev() {
            let Some(&span) = bounds.get(&term) else { continue };
            let (head, parts) = self.script.view(term);
            let (inner, span) = match (head, parts) {
                ("(_ to_fp 11 53)", &[_, a]) if self.script.sort(a) == Sort::Float(8, 24) => {
                    (a, span)
                }
                ("fp.neg", &[a]) => (a, Span { low: -span.high, high: -span.low, ..span }),
                _ => continue,
            };
            let both = bounds.get(&inner).map_or(span, |b| b.meet(&span));
            bounds.insert(inner, both);
            if both.is_empty() {
                return false;
            }
        }
        true
    }
}

/// The size of a float.
fn size(span: &Span) -> Span {
    let (low, high) = (span.low.abs(), span.high.abs());
    match span.is_number() {
        false => *span,
        true if span.has_zero() => Span::number(0.0, low.max(high), span.nan),
        true => Span::number(low.min(high), low.max(high), span.nan),
    }
}

#[derive(Clone, Copy)]
enum Compared {
    Less,
    LessOrEqual,
    Equal,
}

/// A comparison of floats, the smaller one first.
fn compared(head: &str, parts: &[Term]) -> Option<(Term, Term, Compared)> {
    let &[a, b] = parts else { return None };
    Some(match head {
        "fp.lt" => (a, b, Compared::Less),
        "fp.leq" => (a, b, Compared::LessOrEqual),
        "fp.gt" => (b, a, Compared::Less),
        "fp.geq" => (b, a, Compared::LessOrEqual),
        "fp.eq" => (a, b, Compared::Equal),
        _ => return None,
    })
}
