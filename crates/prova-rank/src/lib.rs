//! Measures that show that a program ends, and what they have to meet.
//!
//! A *ranking* says for every loop and every circle of calls why it ends: a tuple of numbers that
//! falls in every round. [`weave`](weave::weave) puts this into the program as a check: where a loop
//! comes round and its measure has not fallen, there is an error location. So what has to be proved
//! is that no run gets to one, with the invariants that it takes; engines do that as they do it for
//! any other property, and the checker of certificates makes its conditions from the woven program as
//! it makes them from any other.
//!
//! | file | what it holds |
//! |---|---|
//! | [`measure`] | measures, and their text |
//! | [`components`](mod@components) | loops: the circles of a graph, each with a head that cuts it, nested |
//! | [`valid`] | memory that can be read where a measure looks at it |
//! | [`expression`] | measures as expressions of a program |
//! | [`weave`](mod@weave) | the checks |
//! | [`descend`](mod@descend) | procedures that call themselves, as loops |
//! | [`again`] | the search for states that come again |
//! | [`narrow`] | a program whose errors are its ends, for runs that never end |
//! | [`rounds`] | a count of rounds, for runs that never end |
//!
//! What would be unsound, and is decided here and nowhere else: a circle that no measure covers, a
//! measure that reads memory where nothing lies (the run would end there, and seem to be over), a
//! measure that compares addresses of different blocks (the order in which memory is given out is
//! nobody's promise), arithmetic that wraps (numbers are made wide enough before they are added).
//!
//! Podelski, Rybalchenko: *A Complete Method for the Synthesis of Linear Ranking Functions* (VMCAI
//! 2004), for what a measure is; Bradley, Manna, Sipma: *Linear Ranking with Reachability* (CAV
//! 2005), for tuples; Bourdoncle: *Efficient Chaotic Iteration Strategies with Widenings* (1993),
//! §3, for the nesting of circles.

pub mod again;
pub mod components;
pub mod descend;
pub mod expression;
pub mod measure;
pub mod narrow;
pub mod rounds;
pub mod valid;
pub mod weave;

pub use components::{components, Component};
pub use measure::{Atom, Extreme, Kind, Order, Part, Place, Ranking, Subject, Tuple};
pub use weave::{weave, Refused, TERMINATION};
