//! C types as people wrote them. The semantics never looks here: these shape printed expressions
//! (`pi->lock` instead of a load at offset 0) and the inputs of an entry function.

use crate::ids::CTypeId;

/// A C type, with its layout already decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CType {
    /// `void`.
    Void,
    /// `_Bool`.
    Bool,
    /// An integer type (also enumerations, by their underlying type).
    Int {
        /// Its name: `unsigned int`, `size_t`, `enum colour`.
        name: String,
        /// Bits.
        bits: u16,
        /// Whether it is signed.
        signed: bool,
    },
    /// A floating type: 32, 64 or 80 bits.
    Float {
        /// Bits of the value representation.
        bits: u16,
    },
    /// A pointer.
    Pointer(CTypeId),
    /// An array; `None` where the length is unknown or varies at run time.
    Array {
        /// Element type.
        element: CTypeId,
        /// Number of elements.
        length: Option<u64>,
    },
    /// A structure or union.
    Record {
        /// `struct` or `union` with its tag, for example `struct lock`.
        name: String,
        /// Whether it is a union.
        union: bool,
        /// Size in bytes.
        size: u64,
        /// Members in order; empty for an incomplete type.
        fields: Vec<CField>,
    },
    /// A function type.
    Function {
        /// Result.
        result: CTypeId,
        /// Parameters as passed.
        parameters: Vec<CTypeId>,
        /// Whether more arguments may follow.
        variadic: bool,
    },
}

/// A member of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CField {
    /// Name; empty for an anonymous member.
    pub name: String,
    /// Offset in bytes of the member, or of the storage unit that holds a bit-field.
    pub offset: u64,
    /// For a bit-field: first bit within the unit, and width.
    pub bits: Option<(u16, u16)>,
    /// Type.
    pub ctype: CTypeId,
}

/// The program's C types. Records refer to one another through ids, so that recursive types
/// need no indirection of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CTypes {
    types: Vec<CType>,
}

impl CTypes {
    /// Adds a type.
    pub fn push(&mut self, ctype: CType) -> CTypeId {
        self.types.push(ctype);
        CTypeId::new(self.types.len() - 1)
    }

    /// Replaces a type, to complete a record added before its members were known.
    pub fn set(&mut self, id: CTypeId, ctype: CType) {
        self.types[id.index()] = ctype;
    }

    /// The type with this id.
    pub fn get(&self, id: CTypeId) -> &CType {
        &self.types[id.index()]
    }

    /// All types, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (CTypeId, &CType)> {
        self.types
            .iter()
            .enumerate()
            .map(|(i, t)| (CTypeId::new(i), t))
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }
}
