//! The program every later part works on: control-flow automata in the form of the DASH paper
//! (Beckman et al., *Proofs from Tests*, §4), made exact for C.
//!
//! | file | what it holds |
//! |---|---|
//! | [`ids`] | newtype indices |
//! | [`source`] | files and positions |
//! | [`types`] | value types and data models |
//! | [`ctype`] | C types as people wrote them, for printing and for shaping inputs |
//! | [`decision`] | conditions as they were put together in the source |
//! | [`expr`] | side-effect-free expressions in a hash-consed pool |
//! | [`program`] | program, procedures, locations, edges, statements, objects, registers |
//! | [`text`] | the text form, printed and parsed
//!
//! No C syntax, no solver and no file access in this crate.
//!
//! # Semantics in one page
//!
//! A state is a location, a value per register, and memory. Memory is flat: an address is a
//! number of the data model's pointer width. Objects (globals, literals, frame objects, heap
//! blocks) are disjoint, aligned, never at address zero; nothing else is known of where they lie.
//!
//! An edge is taken by executing its statement. A location has
//! * no outgoing edge: the procedure's exit, an error location, or a place that no run gets to,
//!   as after a [`Statement::Halt`];
//! * one outgoing edge with any statement; or
//! * two, `assume c` and `assume not c` over the same `c`: a branch.
//!
//! So programs are deterministic up to [`Statement::Nondet`], [`Statement::Havoc`], uninitialised
//! storage, the placement of objects and what functions without a body return.
//!
//! Evaluating an expression can *trap*: a division by zero, or a load from an address where no
//! object lies. A trap ends the run (C calls it undefined behaviour). Every operand of an
//! expression is evaluated, also both arms of [`expr::Expr::Ite`]; short-circuits are edges.

pub mod assumption;
pub mod ctype;
pub mod decision;
pub mod dot;
pub mod expr;
pub mod fold;
pub mod graph;
pub mod ids;
pub mod passes;
pub mod program;
pub mod source;
pub mod stats;
pub mod text;
mod traverse;
pub mod types;
pub mod validate;

pub use assumption::{Assumption, Limit, Pointers, Undefined, World};
pub use ctype::{CType, CTypes};
pub use decision::{Decision, Junction};
pub use expr::{BinaryOp, CastOp, Expr, ExprPool, UnaryOp};
pub use ids::{CTypeId, EdgeId, ExprId, FileId, LocId, MarkerId, ObjectId, ProcId, RegId};
pub use program::{
    Allocation, Body, Callee, Edge, ErrorLocation, Halt, Initial, Location, Marker, MarkerKind,
    Object, Origin, Pinned, Procedure, Program, Register, Role, Statement, Storage, BEYOND_TYPE,
    LOOP_CONTRACT, MEASURE, UNMODELLED, UNMODELLED_DEREF,
};
pub use source::{SourceFile, Span};
pub use stats::Stats;
pub use types::{DataModel, FloatKind, Type};
pub use validate::{debug_validate, validate, Violation};
