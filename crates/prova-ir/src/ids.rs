//! Newtype indices. Registers, objects, procedures and expressions are numbered program-wide;
//! locations and edges within their procedure.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of the element at `index`.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than 2^32 elements"))
            }
            /// The position this id stands for.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    )*};
}

ids! {
    /// A procedure of the program.
    ProcId "proc";
    /// A register: a scalar whose address is never taken.
    RegId "reg";
    /// A memory object: a global, a literal, or a procedure's frame object.
    ObjectId "obj";
    /// A location of a procedure.
    LocId "L";
    /// An edge of a procedure.
    EdgeId "edge";
    /// An expression in the program's pool.
    ExprId "expr";
    /// A source file.
    FileId "file";
    /// A place where something was accepted but is not modelled.
    MarkerId "marker";
    /// A C type in the program's table.
    CTypeId "ctype";
}
