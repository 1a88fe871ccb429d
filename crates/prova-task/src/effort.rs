//! Where a search spends itself: for progress on a terminal, and for people who get no answer.

use prova_ir::Span;
use prova_logic::Term;
use std::collections::BTreeMap;

/// A place that was split, and by what last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refined {
    /// Where.
    pub span: Span,
    /// How often.
    pub splits: u32,
    /// The last predicate there.
    pub last: String,
}

/// Where the search is now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    /// The place of the frontier.
    pub span: Option<Span>,
    /// Regions there are.
    pub regions: u64,
    /// Steps that the nearest test took to the frontier.
    pub depth: u32,
    /// Abstract steps from there to the error.
    pub distance: u32,
    /// Queries inside one another.
    pub queries: u32,
    /// Time in the solver so far.
    pub solving: std::time::Duration,
}

/// Places that are told.
const MOST: usize = 3;

/// Counts splits by place.
#[derive(Debug, Default)]
pub struct Splits {
    places: BTreeMap<Span, (u32, Term)>,
}

impl Splits {
    /// A place was split.
    pub fn add(&mut self, span: Option<Span>, predicate: Term) {
        if let Some(span) = span.filter(|s| s.is_known()) {
            let (count, last) = self.places.entry(span).or_insert((0, predicate));
            *count += 1;
            *last = predicate;
        }
    }

    /// The places that were split most, most often first.
    pub fn most(&self, text: impl Fn(Term) -> String) -> Vec<Refined> {
        let mut places: Vec<_> = self.places.iter().collect();
        places.sort_by_key(|(span, (count, _))| (std::cmp::Reverse(*count), **span));
        let most = places.into_iter().take(MOST);
        most.map(|(&span, &(splits, last))| Refined {
            span,
            splits,
            last: text(last),
        })
        .collect()
    }
}
