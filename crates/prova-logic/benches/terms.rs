//! Building terms.
fn main() {}
