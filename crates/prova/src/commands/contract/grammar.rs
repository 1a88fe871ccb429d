//! What may be required of a caller: conditions over parameters, from a small grammar, and whether one
//! holds where a function is called.
//!
//! | condition | where it may help |
//! |---|---|
//! | `prova_valid(p, n)`, `prova_valid_read(p, n)` with a parameter, a parameter and one more, a product of two, or a number | memory |
//! | `x != 0`, `x >= 0`, `x > 0` | divisors, lengths |
//! | `x < y`, `x <= y` | indices |
//! | `x <= c`, `x >= c` | sums that overflow |
//! | `prova_separate(p, q)` | pointers to the same object |
//!
//! Nothing here is believed: a condition is proposed, and a proof under all of them is what counts.
//! What would be wrong but not unsound: a condition that excludes more calls than it has to.
//! So those come first that exclude little, and none that excludes a call which was seen to do well.

use std::collections::BTreeMap;

use prova_ir::{CType, CTypeId, Expr, ProcId, Program};

/// A parameter that conditions can speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    pub kind: Kind,
}

/// What a parameter is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer of so many bits.
    Number { bits: u16, signed: bool },
    /// A pointer to elements of so many bytes. `plain` if they hold no pointers themselves.
    Pointer { size: u64, plain: bool },
}

/// A call, as far as conditions can see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// Numbers by name.
    pub numbers: BTreeMap<String, i128>,
    /// How many bytes pointers lead to; none if they are null.
    pub bytes: BTreeMap<String, Option<u128>>,
}

/// How many elements a pointer leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Count {
    Constant(u64),
    Of(String),
    OneMore(String),
    Product(String, String),
}

/// A condition on a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    Valid {
        pointer: String,
        count: Count,
        size: u64,
        read: bool,
    },
    NotZero(String),
    Above {
        number: String,
        least: i128,
    },
    Below {
        number: String,
        most: i128,
    },
    Less(String, String),
    LessOrEqual(String, String),
    Separate(String, String),
}

impl Count {
    fn text(&self) -> String {
        match self {
            Count::Constant(n) => n.to_string(),
            Count::Of(n) => n.clone(),
            Count::OneMore(n) => format!("{n} + 1"),
            Count::Product(a, b) => format!("{a} * {b}"),
        }
    }

    fn of(&self, call: &Call) -> Option<i128> {
        let number = |n: &String| call.numbers.get(n).copied();
        match self {
            Count::Constant(n) => Some(i128::from(*n)),
            Count::Of(n) => number(n),
            Count::OneMore(n) => Some(number(n)? + 1),
            Count::Product(a, b) => number(a)?.checked_mul(number(b)?),
        }
    }
}

impl Condition {
    /// As it stands in a contract.
    pub fn text(&self) -> String {
        match self {
            Condition::Valid {
                pointer,
                count,
                read,
                ..
            } => {
                let word = if *read {
                    "prova_valid_read"
                } else {
                    "prova_valid"
                };
                format!("{word}({pointer}, {})", count.text())
            }
            Condition::NotZero(x) => format!("{x} != 0"),
            Condition::Above { number, least } => format!("{number} >= {}", literal(*least)),
            Condition::Below { number, most } => format!("{number} <= {}", literal(*most)),
            Condition::Less(x, y) => format!("{x} < {y}"),
            Condition::LessOrEqual(x, y) => format!("{x} <= {y}"),
            Condition::Separate(p, q) => format!("prova_separate({p}, {q})"),
        }
    }

    /// As the front end takes it, without the header.
    pub fn code(&self) -> String {
        match self {
            Condition::Valid {
                pointer,
                count,
                read,
                ..
            } => {
                let word = if *read {
                    "__prova_valid_read"
                } else {
                    "__prova_valid"
                };
                format!(
                    "{word}(({pointer}), ({}) * sizeof *({pointer}))",
                    count.text()
                )
            }
            Condition::Separate(p, q) => format!("__prova_separate(({p}), ({q}))"),
            other => other.text(),
        }
    }

    /// Whether it holds of a call; what is not known of one does no harm.
    pub fn holds(&self, call: &Call) -> bool {
        let number = |n: &String| call.numbers.get(n).copied();
        let both = |x: &String, y: &String, of: fn(i128, i128) -> bool| {
            number(x).zip(number(y)).is_none_or(|(x, y)| of(x, y))
        };
        match self {
            Condition::Valid {
                pointer,
                count,
                size,
                ..
            } => {
                let (Some(bytes), Some(count)) = (call.bytes.get(pointer), count.of(call)) else {
                    return true;
                };
                // A negative number of elements is a large one.
                let wanted = u128::try_from(count)
                    .ok()
                    .map(|n| n.saturating_mul(u128::from(*size)));
                match (bytes, wanted) {
                    (_, Some(0)) => true,
                    (Some(bytes), Some(wanted)) => *bytes >= wanted,
                    _ => false,
                }
            }
            Condition::NotZero(x) => number(x) != Some(0),
            Condition::Above { number: x, least } => number(x).is_none_or(|v| v >= *least),
            Condition::Below { number: x, most } => number(x).is_none_or(|v| v <= *most),
            Condition::Less(x, y) => both(x, y, |x, y| x < y),
            Condition::LessOrEqual(x, y) => both(x, y, |x, y| x <= y),
            Condition::Separate(..) => true,
        }
    }

    /// Whether it says all that another one says: of two bounds of one number one is enough.
    pub fn covers(&self, other: &Condition) -> bool {
        match (self, other) {
            (Condition::Below { number: a, .. }, Condition::Below { number: b, .. })
            | (Condition::Above { number: a, .. }, Condition::Above { number: b, .. }) => a == b,
            (Condition::Above { number: a, least }, Condition::NotZero(b)) => a == b && *least > 0,
            (Condition::Less(a, b), Condition::LessOrEqual(c, d)) => a == c && b == d,
            _ => self == other,
        }
    }
}

/// A number as C writes it; the least ones of their types have no literal.
fn literal(value: i128) -> String {
    match value {
        _ if value == i128::from(i64::MIN) => "(-9223372036854775807 - 1)".into(),
        _ if value == i128::from(i32::MIN) => "(-2147483647 - 1)".into(),
        _ if value > i128::from(i64::MAX) => format!("{value}u"),
        _ => value.to_string(),
    }
}

/// The parameters of a function that conditions can speak of.
pub fn parameters(program: &Program, function: ProcId) -> Vec<Parameter> {
    let procedure = program.procedure(function);
    let mut found = Vec::new();
    for &parameter in &procedure.parameters {
        let register = program.register(parameter);
        let Some(ctype) = register.ctype.filter(|_| !register.c_name.is_empty()) else {
            continue;
        };
        let kind = match program.ctypes.get(ctype) {
            CType::Int { bits, signed, .. } => Kind::Number {
                bits: *bits,
                signed: *signed,
            },
            CType::Pointer(to) => match size(program, *to) {
                Some(size) => Kind::Pointer {
                    size,
                    plain: is_plain(program, *to),
                },
                None => continue,
            },
            _ => continue,
        };
        found.push(Parameter {
            name: register.c_name.clone(),
            kind,
        });
    }
    found
}

fn size(program: &Program, ctype: CTypeId) -> Option<u64> {
    Some(match program.ctypes.get(ctype) {
        CType::Void | CType::Bool => 1,
        CType::Int { bits, .. } => u64::from(*bits) / 8,
        CType::Float { bits: 80 } => 16,
        CType::Float { bits } => u64::from(*bits) / 8,
        CType::Pointer(_) => u64::from(program.model.pointer_bits()) / 8,
        CType::Array { element, length } => size(program, *element)?.checked_mul((*length)?)?,
        CType::Record { size, fields, .. } if !fields.is_empty() => *size,
        CType::Record { .. } | CType::Function { .. } => return None,
    })
}

fn is_plain(program: &Program, ctype: CTypeId) -> bool {
    match program.ctypes.get(ctype) {
        CType::Pointer(_) | CType::Function { .. } => false,
        CType::Array { element, .. } => is_plain(program, *element),
        CType::Record { fields, .. } => fields.iter().all(|f| is_plain(program, f.ctype)),
        _ => true,
    }
}

/// Numbers that the text of a function has.
pub fn constants(program: &Program, function: ProcId) -> Vec<i128> {
    let mut found = vec![1, 2, 4, 8, 16, 32, 64, 128, 255, 256, 1000, 65535];
    let body = program.procedure(function).body.as_ref();
    for edge in body.iter().flat_map(|b| &b.edges) {
        for root in edge.statement.expressions() {
            for e in program.exprs.subexpressions(root) {
                if let Expr::Int { value, width } = program.exprs.get(e) {
                    let shift = 128 - u32::from(width.clamp(1, 128));
                    found.push(((value << shift) as i128) >> shift);
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What went wrong, as far as it matters to what is tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// An access.
    Memory,
    /// A result that its type does not hold: numbers are too large, one way or the other.
    Overflow,
    /// Anything else.
    Other,
}

/// Conditions that exclude a call and none of those that do well, those that ask for little first.
pub fn candidates(
    parameters: &[Parameter],
    constants: &[i128],
    failing: &Call,
    passing: &[Call],
    family: Family,
) -> Vec<Condition> {
    let pointers = of_pointers(parameters, constants);
    let (signs, bounds) = of_numbers(parameters, constants, failing);
    let mut all = match family {
        Family::Memory => [pointers, signs, bounds].concat(),
        Family::Overflow => [bounds, signs, pointers].concat(),
        Family::Other => [signs, bounds, pointers].concat(),
    };
    all.retain(|c| !c.holds(failing) && passing.iter().all(|call| c.holds(call)));
    all
}

fn of_pointers(parameters: &[Parameter], constants: &[i128]) -> Vec<Condition> {
    let mut found = Vec::new();
    for (at, parameter) in parameters.iter().enumerate() {
        let Kind::Pointer { size, .. } = parameter.kind else {
            continue;
        };
        // A length mostly stands behind its pointer.
        let is_number = |p: &&Parameter| matches!(p.kind, Kind::Number { .. });
        let behind = parameters[at..].iter().filter(is_number);
        let numbers: Vec<&Parameter> = behind
            .chain(parameters[..at].iter().filter(is_number))
            .collect();
        let mut counts: Vec<Count> = numbers.iter().map(|n| Count::Of(n.name.clone())).collect();
        let positive = constants.iter().filter_map(|&c| u64::try_from(c).ok());
        counts.extend(
            positive
                .filter(|c| (1..=4096).contains(c))
                .map(Count::Constant),
        );
        counts.extend(numbers.iter().map(|n| Count::OneMore(n.name.clone())));
        for (i, a) in numbers.iter().enumerate() {
            for b in &numbers[i + 1..] {
                counts.push(Count::Product(a.name.clone(), b.name.clone()));
            }
        }
        found.extend(counts.into_iter().map(|count| Condition::Valid {
            pointer: parameter.name.clone(),
            count,
            size,
            read: false,
        }));
    }
    found
}

/// Signs and relations of numbers; and their bounds, the weakest first.
fn of_numbers(
    parameters: &[Parameter],
    constants: &[i128],
    failing: &Call,
) -> (Vec<Condition>, Vec<Condition>) {
    let numbers = parameters.iter().filter_map(|p| match p.kind {
        Kind::Number { bits, signed } => Some((&p.name, bits, signed)),
        Kind::Pointer { .. } => None,
    });
    let numbers: Vec<(&String, u16, bool)> = numbers.collect();
    let mut found = Vec::new();
    for &(x, _, signed) in &numbers {
        found.push(Condition::NotZero(x.clone()));
        for least in [0, 1].into_iter().filter(|l| signed || *l > 0) {
            found.push(Condition::Above {
                number: x.clone(),
                least,
            });
        }
    }
    for &(x, bits, signed) in &numbers {
        for &(y, _, _) in numbers
            .iter()
            .filter(|n| n.0 != x && (n.1, n.2) == (bits, signed))
        {
            found.push(Condition::LessOrEqual(x.clone(), y.clone()));
            found.push(Condition::Less(x.clone(), y.clone()));
        }
    }
    let mut bounded: Vec<(i128, Condition)> = Vec::new();
    for &(x, bits, signed) in &numbers {
        let Some(&value) = failing.numbers.get(x) else {
            continue;
        };
        let largest = (1i128 << (bits.min(64) - u16::from(signed))) - 1;
        let mut bounds = vec![largest - 1, largest / 2, largest / 4, 0];
        bounds.extend(constants.iter().flat_map(|&c| [c, c - 1]));
        let above = bounds.into_iter();
        let above = above.filter(|b| *b < largest && *b < value && (signed || *b >= 0));
        bounded.extend(above.map(|most| {
            let number = x.clone();
            (most, Condition::Below { number, most })
        }));
        if signed {
            let mut bounds = vec![-largest, -largest / 2, -largest / 4];
            bounds.extend(constants.iter().flat_map(|&c| [c, c + 1]));
            let below = bounds.into_iter().filter(|b| *b > value);
            bounded.extend(below.map(|least| {
                let number = x.clone();
                (-least, Condition::Above { number, least })
            }));
        }
    }
    // What is furthest from zero asks for the least, whatever the number.
    bounded.sort_by_key(|(far, _)| std::cmp::Reverse(*far));
    (found, bounded.into_iter().map(|b| b.1).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter {
                name: "in".into(),
                kind: Kind::Pointer {
                    size: 4,
                    plain: true,
                },
            },
            Parameter {
                name: "n".into(),
                kind: Kind::Number {
                    bits: 32,
                    signed: true,
                },
            },
        ]
    }

    fn call(bytes: Option<u128>, n: i128) -> Call {
        Call {
            numbers: [("n".to_owned(), n)].into(),
            bytes: [("in".to_owned(), bytes)].into(),
        }
    }

    fn first(failing: &Call, passing: &[Call], family: Family) -> String {
        let found = candidates(&parameters(), &[0, 7], failing, passing, family);
        found.first().map(Condition::text).unwrap_or_default()
    }

    #[test]
    fn a_length_is_proposed_before_a_number() {
        let memory = Family::Memory;
        assert_eq!(first(&call(None, 3), &[], memory), "prova_valid(in, n)");
        assert_eq!(first(&call(Some(11), 3), &[], memory), "prova_valid(in, n)");
    }

    #[test]
    fn what_excludes_a_call_that_does_well_is_not_proposed() {
        let well = [call(None, 3)];
        assert_eq!(first(&call(None, 0), &well, Family::Memory), "n != 0");
        // Nothing has to be there for seven elements: not all that is read is that long.
        let well = [call(Some(28), 9)];
        assert_eq!(
            first(&call(Some(8), 3), &well, Family::Memory),
            "prova_valid(in, 7)"
        );
    }

    #[test]
    fn the_weakest_bound_comes_first() {
        let most = call(Some(0), i128::from(i32::MAX));
        assert_eq!(first(&most, &[], Family::Overflow), "n <= 2147483646");
        assert_eq!(first(&call(Some(0), -5), &[], Family::Other), "n >= 0");
        let least = call(Some(0), i128::from(i32::MIN));
        assert_eq!(first(&least, &[], Family::Overflow), "n >= -2147483647");
    }

    #[test]
    fn no_elements_are_always_valid() {
        let condition = Condition::Valid {
            pointer: "in".into(),
            count: Count::Of("n".into()),
            size: 4,
            read: true,
        };
        assert!(condition.holds(&call(None, 0)));
        assert!(!condition.holds(&call(None, 1)));
        assert!(condition.holds(&call(Some(8), 2)));
        assert!(!condition.holds(&call(Some(7), 2)));
        assert!(!condition.holds(&call(Some(7), -1)));
    }
}
