//! Rules for interfaces in SLIC, the specification language of SLAM and Yogi (Beckman et
//! al., *Proofs from Tests*, Figure 16; Ball and Rajamani, MSR-TR-2001-21). `docs/slic.md` is the manual.
//!
//! | file | what it holds |
//! |---|---|
//! | [`syntax`] | a rule as it is written |
//! | [`parse`](mod@parse) | text to syntax, with messages that show the place |
//! | [`translate`](mod@translate) | syntax to C that is compiled with the program and called at its calls |
//!
//! What is left to the front end: that the functions exist and have the parameters that handlers
//! speak of, and that the C in the handlers makes sense.

pub mod parse;
pub mod syntax;
pub mod translate;

pub use parse::parse;
pub use syntax::Rule;
pub use translate::translate;
