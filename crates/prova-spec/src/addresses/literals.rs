//! String literals that may share their bytes: C leaves it open whether two that are equal are one
//! object (C11 6.4.5 §7), and linkers also let one be the tail of another.

use prova_ir::{Initial, ObjectId, Program, Storage};

/// Whether an object lies in memory that cannot be written: a string literal, or a `const` object
/// with static storage.
pub(crate) fn is_constant(program: &Program, object: ObjectId) -> bool {
    let storage = &program.object(object).storage;
    matches!(storage, Storage::Static { constant: true, .. })
}

/// The bytes of a string literal.
fn text(program: &Program, object: ObjectId) -> Option<Vec<u8>> {
    let object = program.object(object);
    let Storage::Static {
        initial,
        constant: true,
    } = &object.storage
    else {
        return None;
    };
    if !object.c_name.is_empty() {
        return None;
    }
    let mut bytes = vec![0; usize::try_from(object.size).ok()?];
    for (offset, part) in initial {
        let Initial::Bytes(part) = part else {
            return None;
        };
        let at = usize::try_from(*offset).ok()?;
        bytes.get_mut(at..at + part.len())?.copy_from_slice(part);
    }
    Some(bytes)
}

/// A string literal and its bytes.
pub(super) type Literal = (ObjectId, Vec<u8>);

/// The string literals among some objects.
pub(super) fn literals(program: &Program, objects: &[ObjectId]) -> Vec<Literal> {
    let found = objects.iter().filter_map(|&o| Some((o, text(program, o)?)));
    found.collect()
}

/// Pairs of literals that may be one, or one the tail of the other; at most `most`.
pub(super) fn merged(
    left: &[Literal],
    right: &[Literal],
    most: usize,
) -> Vec<(ObjectId, ObjectId)> {
    let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
    pairs
        .filter(|((a, x), (b, y))| a != b && (x.ends_with(y) || y.ends_with(x)))
        .map(|((a, _), (b, _))| (*a, *b))
        .take(most)
        .collect()
}
