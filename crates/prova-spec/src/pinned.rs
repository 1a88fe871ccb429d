//! Objects of a check whose place is fixed: made once, whoever needs them.

use prova_ir::{Object, ObjectId, Pinned, Program, Span, Storage};

/// The object of a program that is pinned like this; made if there is none.
pub(crate) fn pinned(program: &mut Program, pinned: Pinned) -> ObjectId {
    let found = program
        .objects
        .iter()
        .position(|o| o.pinned() == Some(pinned));
    if let Some(found) = found {
        return ObjectId::new(found);
    }
    let zone = program.model.ghost_zone();
    program.add_object(Object {
        name: pinned.name().into(),
        c_name: String::new(),
        size: match pinned {
            Pinned::HeapStart => 0,
            Pinned::Table => zone.end - zone.start,
        },
        align: 16,
        storage: Storage::Static {
            initial: Vec::new(),
            constant: false,
        },
        ctype: None,
        span: Span::NONE,
    })
}
