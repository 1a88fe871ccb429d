//! Witness files: format 2.0 of sv-witnesses (YAML) out and in, and GraphML 1.0 out.
//!
//! | file | what it holds |
//! |---|---|
//! | [`yaml`] | as much YAML as is needed |
//! | [`mod@format`] | witnesses as data |
//! | [`syntax`] | statements, loops, branchings and calls in a source |
//! | [`positions`] | lines and columns of the file as it lies on disk |
//! | [`atlas`] | all sources: from places to what stands there, and back |
//! | [`metadata`] | what a witness says about itself |
//! | [`violation`], [`graphml`] | witnesses of violations |
//! | [`correctness`], [`expression`], [`scope`] | witnesses of proofs, in C over the names in scope |
//! | [`weave`], `vet` | a witness woven into the program's text, after a look at its expressions |
//! | [`property`] | other properties than unreachability |
//! | [`guess`] | the test that a witness names itself |
//! | [`validate`] | whether a witness is right |

pub mod atlas;
pub mod correctness;
pub mod expression;
pub mod format;
pub mod graphml;
pub mod guess;
pub mod metadata;
pub mod positions;
pub mod property;
pub mod scope;
pub mod syntax;
pub mod validate;
mod vet;
pub mod violation;
pub mod weave;
pub mod yaml;

pub use correctness::correctness_witness;
pub use violation::violation_witness;
