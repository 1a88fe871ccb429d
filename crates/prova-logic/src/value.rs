//! Values and models.

use crate::bits::Bits;
use crate::sort::{FloatFormat, Sort};
use crate::term::Term;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeMap;
use std::fmt;

/// The value of a term under a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    BitVec(Bits),
    /// A float: its format and its IEEE bits, a NaN's being the canonical ones.
    Float(FloatFormat, u128),
    /// An array.
    Array(Box<ArrayValue>),
}

/// An array value: a default, and the elements that differ from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayValue {
    /// Width of an index.
    pub index: u32,
    /// The element everywhere else.
    pub default: Bits,
    /// Elements by index; none equals the default.
    entries: BTreeMap<Bits, Bits>,
}

impl ArrayValue {
    /// The array that holds one element everywhere.
    pub fn new(index: u32, default: Bits) -> ArrayValue {
        ArrayValue {
            index,
            default,
            entries: BTreeMap::new(),
        }
    }

    /// The element at an index.
    pub fn select(&self, index: &Bits) -> &Bits {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Replaces one element.
    pub fn store(&mut self, index: Bits, value: Bits) {
        // Entries equal to the default are left out, so that equal arrays have equal maps. (An
        // array with an entry for every index could still be written in two ways; no index
        // here is that narrow in practice, and `same` settles it where it is.)
        if value == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, value);
        }
    }

    /// The elements that differ from the default, by ascending index.
    pub fn entries(&self) -> impl Iterator<Item = (&Bits, &Bits)> {
        self.entries.iter()
    }

    /// Equality as functions, whatever the defaults.
    pub fn same(&self, other: &ArrayValue) -> bool {
        if self.default == other.default {
            return self.entries == other.entries;
        }
        // Different defaults: equal only if entries cover every index.
        let covered = self
            .entries
            .keys()
            .chain(other.entries.keys())
            .collect::<std::collections::BTreeSet<_>>();
        let all = u64::checked_shl(1, self.index).filter(|_| self.index < 64);
        all == Some(covered.len() as u64)
            && covered
                .into_iter()
                .all(|i| self.select(i) == other.select(i))
    }
}

impl Value {
    /// Zero: `false`, 0, +0.0, the array of zeros.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVec(width) => Value::BitVec(Bits::zero(width)),
            Sort::Float(format) => Value::Float(format, 0),
            Sort::Array { index, element } => {
                Value::Array(Box::new(ArrayValue::new(index, Bits::zero(element))))
            }
        }
    }

    /// A bit-vector value.
    pub fn bv(value: u128, width: u32) -> Value {
        Value::BitVec(Bits::new(value, width))
    }

    /// The sort.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::BitVec(bits) => Sort::BitVec(bits.width()),
            Value::Float(format, _) => Sort::Float(*format),
            Value::Array(array) => Sort::Array {
                index: array.index,
                element: array.default.width(),
            },
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The bit-vector, if it is one.
    pub fn as_bits(&self) -> Option<&Bits> {
        match self {
            Value::BitVec(bits) => Some(bits),
            _ => None,
        }
    }

    /// The unsigned value of a bit-vector, if it is one and fits.
    pub fn as_u64(&self) -> Option<u64> {
        self.as_bits().and_then(Bits::to_u64)
    }

    /// The signed value of a bit-vector of at most 128 bits.
    pub fn as_i128(&self) -> Option<i128> {
        self.as_bits().and_then(Bits::to_i128)
    }

    /// The IEEE bits of a float.
    pub fn as_float_bits(&self) -> Option<u128> {
        match self {
            Value::Float(_, bits) => Some(*bits),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::BitVec(bits) => match bits.to_i128() {
                Some(signed) => write!(f, "{signed}"),
                None => write!(f, "{bits}"),
            },
            Value::Float(FloatFormat::F32, bits) => {
                write!(f, "{:?}f", f32::from_bits(*bits as u32))
            }
            Value::Float(FloatFormat::F64, bits) => write!(f, "{:?}", f64::from_bits(*bits as u64)),
            Value::Float(_, bits) => write!(f, "float({bits:#x})"),
            Value::Array(array) => {
                write!(f, "[")?;
                for (index, value) in array.entries() {
                    write!(f, "{index}: {value}, ")?;
                }
                write!(f, "else {}]", array.default)
            }
        }
    }
}

/// Values of variables. A variable that is absent has the value zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    values: IndexMap<Term, Value, FxBuildHasher>,
}

impl Model {
    /// The model that makes everything zero.
    pub fn new() -> Model {
        Model::default()
    }

    /// Sets the value of a variable.
    pub fn insert(&mut self, variable: Term, value: Value) {
        self.values.insert(variable, value);
    }

    /// The value of a variable, if there is one.
    pub fn get(&self, variable: Term) -> Option<&Value> {
        self.values.get(&variable)
    }

    /// The variables and their values, in the order they were set.
    pub fn iter(&self) -> impl Iterator<Item = (Term, &Value)> {
        self.values.iter().map(|(term, value)| (*term, value))
    }

    /// Number of variables that have a value.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no variable has a value.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl FromIterator<(Term, Value)> for Model {
    fn from_iter<I: IntoIterator<Item = (Term, Value)>>(iter: I) -> Self {
        Model {
            values: iter.into_iter().collect(),
        }
    }
}
