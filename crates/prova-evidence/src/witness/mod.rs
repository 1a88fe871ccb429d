//! Witness files: format 2.0 of sv-witnesses (YAML) out and in, and GraphML 1.0 out.
//!
//! | file | what it holds |
//! |---|---|
//! | [`yaml`] | as much YAML as is needed |
//! | [`format`] | witnesses as data |
//! | [`syntax`] | statements, loops, branchings and calls in a source |
//! | [`positions`] | lines and columns of the file as it lies on disk |

pub mod format;
pub mod positions;
pub mod syntax;
pub mod yaml;
