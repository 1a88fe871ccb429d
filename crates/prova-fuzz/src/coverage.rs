//! What a run did, as cheaply as it can be told: which jumps of its path followed one another, how
//! often, how near it came to an error, and, if wanted, which words it compared.

use prova_exec::domain::{Fresh, Watch};
use prova_exec::Code;
use prova_ir::{Body, LocId, UNMODELLED};
use std::collections::VecDeque;
use std::sync::Arc;

/// Pairs of jumps are told apart by so many bits.
const BITS: u32 = 16;
/// Comparisons of a run that are kept.
const MOST_COMPARED: usize = 4096;
/// Pieces of memory of a run that are kept, and how large one may be.
const MOST_FILLED: usize = 64;
const LARGEST_FILLED: u64 = 1 << 12;
/// Where no error lies ahead.
pub const FAR: u32 = u32::MAX;

/// Looks on at a run. With `COMPARE`, comparisons are kept.
#[derive(Default)]
pub struct Coverage<const COMPARE: bool> {
    counts: Vec<u8>,
    touched: Vec<u32>,
    last: u32,
    /// By position: how many edges lie between it and an error.
    distances: Arc<[u32]>,
    /// The nearest of them.
    pub nearest: u32,
    /// Words that were compared and differ, with their width.
    pub compared: Vec<(u8, u64, u64)>,
    /// Memory that got arbitrary contents.
    pub filled: Vec<Filled>,
}

/// A piece of memory that got arbitrary contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filled {
    /// Its first byte.
    pub address: u64,
    /// Its bytes.
    pub size: u64,
    /// Which new contents these are; `None` for the first.
    pub number: Option<u32>,
}

impl<const COMPARE: bool> Watch for Coverage<COMPARE> {
    const COMPARISONS: bool = COMPARE;

    #[inline(always)]
    fn path(&mut self, position: u32) {
        let pair = (self.last.rotate_left(15) ^ position).wrapping_mul(0x9e37_79b1);
        let index = pair >> (32 - BITS);
        self.last = position;
        if let Some(count) = self.counts.get_mut(index as usize) {
            if *count == 0 {
                self.touched.push(index);
            }
            *count = count.saturating_add(1);
        }
        let distance = self.distances.get(position as usize);
        self.nearest = self.nearest.min(distance.copied().unwrap_or(FAR));
    }

    fn compared(&mut self, w: u8, a: u64, b: u64) {
        if a != b && self.compared.len() < MOST_COMPARED {
            self.compared.push((w, a, b));
        }
    }

    fn filled(&mut self, address: u64, size: u64, fresh: Fresh) {
        let number = match fresh {
            Fresh::First => None,
            Fresh::Again(number) => Some(number),
            Fresh::Library => return,
        };
        if size > 0 && size <= LARGEST_FILLED && self.filled.len() < MOST_FILLED {
            self.filled.push(Filled {
                address,
                size,
                number,
            });
        }
    }
}

impl<const COMPARE: bool> Coverage<COMPARE> {
    /// Looks on at runs of this code.
    pub fn new(distances: &Arc<[u32]>) -> Self {
        Coverage {
            counts: vec![0; 1 << BITS],
            distances: Arc::clone(distances),
            nearest: FAR,
            ..Coverage::default()
        }
    }

    /// Forgets a run.
    pub fn clear(&mut self) {
        for index in self.touched.drain(..) {
            self.counts[index as usize] = 0;
        }
        self.compared.clear();
        self.filled.clear();
        (self.last, self.nearest) = (0, FAR);
    }

    /// How many pairs of jumps there were.
    pub fn pairs(&self) -> usize {
        self.touched.len()
    }
}

/// What all runs did together.
pub struct Covered {
    seen: Vec<u8>,
    /// Pairs of jumps that some run took.
    pub pairs: usize,
}

/// What is new about a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum News {
    /// Nothing.
    Nothing,
    /// It took something more often, or less often, than others did.
    Count,
    /// It took a pair of jumps that none took.
    Pair,
}

impl Default for Covered {
    fn default() -> Self {
        Covered {
            seen: vec![0; 1 << BITS],
            pairs: 0,
        }
    }
}

impl Covered {
    /// Notes a run, and says what is new about it.
    pub fn note<const COMPARE: bool>(&mut self, run: &Coverage<COMPARE>) -> News {
        let mut news = News::Nothing;
        for &index in &run.touched {
            // One, two, three, up to seven, up to fifteen … times: more differences are noise.
            let count = run.counts[index as usize];
            let class = match count {
                0..=3 => count,
                4..=7 => 4,
                8..=15 => 5,
                16..=127 => 6,
                _ => 7,
            };
            let seen = &mut self.seen[index as usize];
            if *seen & (1 << class) == 0 {
                news = news.max(match *seen {
                    0 => News::Pair,
                    _ => News::Count,
                });
                self.pairs += usize::from(*seen == 0);
                *seen |= 1 << class;
            }
        }
        news
    }
}

/// By position, how many edges lie between it and an error of its procedure that is one of the
/// program's own.
pub fn distances(code: &Code) -> Arc<[u32]> {
    let program = &code.program;
    let of = |body: &Body| -> Vec<u32> {
        let mut found = vec![FAR; body.locations.len()];
        let mut before: Vec<Vec<LocId>> = vec![Vec::new(); body.locations.len()];
        for edge in &body.edges {
            before[edge.target.index()].push(edge.source);
        }
        let mut open = VecDeque::new();
        for error in body.errors.iter().filter(|e| e.property != UNMODELLED) {
            found[error.location.index()] = 0;
            open.push_back(error.location);
        }
        while let Some(at) = open.pop_front() {
            for &source in &before[at.index()] {
                if found[source.index()] == FAR {
                    found[source.index()] = found[at.index()] + 1;
                    open.push_back(source);
                }
            }
        }
        found
    };
    let bodies = program.procedures.iter().map(|p| p.body.as_ref().map(of));
    let bodies: Vec<Option<Vec<u32>>> = bodies.collect();
    let near = |place: &prova_exec::Place| match &bodies[place.proc.index()] {
        Some(found) => found[place.target.index()],
        None => FAR,
    };
    code.places.iter().map(near).collect()
}
