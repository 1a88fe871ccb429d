//! The end of a search: everything proved again, and written down.
//!
//! | file | what it holds |
//! |---|---|
//! | [`conclude`] | the one place where verdicts are made |
//! | [`recheck`] | a step put to a solver once more |
//! | [`inductive`] | cases at cutpoints as a claim |
//! | [`certificate`] | a proof in the words of `docs/certificates.md` |

pub mod certificate;
pub mod conclude;
pub mod inductive;
pub mod recheck;
