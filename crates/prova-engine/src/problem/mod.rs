//! The prepared program as terms: what every engine works on and none owns.

pub mod alias;
pub mod blocks;
pub mod encoding;
pub mod live;
pub mod names;
pub mod project;
pub mod transitions;
pub mod walk;
