//! The end of a search: everything proved again, and written down.

pub mod certificate;
pub mod recheck;
