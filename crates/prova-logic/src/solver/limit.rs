//! Limits of a query.

use std::time::Duration;

/// How much one check may cost. `None` means without limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limit {
    /// A deterministic measure of work: Z3's `rlimit`, cvc5's `rlimit-per`. The units are the
    /// solver's own; a million is in the order of a second.
    pub resource: Option<u64>,
    /// Wall-clock time. Not deterministic: a safety net.
    pub time: Option<Duration>,
}

impl Limit {
    /// No limit.
    pub const NONE: Limit = Limit {
        resource: None,
        time: None,
    };

    /// A resource limit only.
    pub fn resource(units: u64) -> Limit {
        Limit {
            resource: Some(units),
            time: None,
        }
    }

    /// A time limit only.
    pub fn time(time: Duration) -> Limit {
        Limit {
            resource: None,
            time: Some(time),
        }
    }
}
