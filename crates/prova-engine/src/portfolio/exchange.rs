//! What searches that work at once on the same program tell each other, each with an arena of its own.
//!
//! A board holds what was posted, in the order in which it came: tests as they were given
//! ([`Given`]: values and names, no addresses and no terms), so that whoever reads one can run it on
//! its own form of the program; facts as text ([`Lasting`]). Nothing of it is believed: a test says
//! what its run says, and a fact is a candidate until it is proved again. What is there when somebody
//! looks depends on how fast the other is, so nobody has a board by default.
//!
//! What would be unsound: to take a fact from the board into [`Knowledge`](crate::knowledge::Knowledge)
//! in any other way than by proposing it.

use prova_exec::Given;
use prova_task::Lasting;
use std::sync::{Arc, Mutex};

/// What a turn takes from the board, at most: tests have to be run, and facts to be proved.
const MOST_READ: usize = 48;
/// Notes on a board, at most.
const MOST_POSTED: usize = 1_024;

/// What one side tells the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A test.
    Test(Given),
    /// What holds at a place in all runs, it says.
    Fact(Lasting),
}

/// What was posted, and by whom.
type Board = Arc<Mutex<Vec<(Side, Note)>>>;

/// One of two who work at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// With the plans of who works alone.
    #[default]
    First,
    /// With the other plans.
    Second,
}

/// One side's place at the board.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// Whose place it is.
    pub side: Side,
    board: Board,
}

impl Exchange {
    /// Two places at a new board.
    pub fn pair() -> [Exchange; 2] {
        let board = Board::default();
        [Side::First, Side::Second].map(|side| Exchange {
            side,
            board: board.clone(),
        })
    }

    /// Leaves a note for the other side.
    pub fn post(&self, note: Note) {
        let mut board = self.board.lock().unwrap_or_else(|e| e.into_inner());
        if board.len() < MOST_POSTED && !board.iter().any(|(_, known)| *known == note) {
            board.push((self.side, note));
        }
    }

    /// What the other side left behind the first `read` entries; `read` is moved on.
    pub fn news(&self, read: &mut usize) -> Vec<Note> {
        let board = self.board.lock().unwrap_or_else(|e| e.into_inner());
        let mut found = Vec::new();
        while *read < board.len() && found.len() < MOST_READ {
            let (by, note) = &board[*read];
            if *by != self.side {
                found.push(note.clone());
            }
            *read += 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(value: u128) -> Note {
        Note::Test(Given {
            values: vec![value],
            ..Given::default()
        })
    }

    #[test]
    fn each_side_reads_what_the_other_left_once() {
        let [first, second] = Exchange::pair();
        let (mut at_first, mut at_second) = (0, 0);
        first.post(test(1));
        second.post(test(2));
        second.post(test(1));
        assert_eq!(first.news(&mut at_first), [test(2)]);
        assert_eq!(second.news(&mut at_second), [test(1)]);
        assert_eq!(first.news(&mut at_first), []);
        for value in 10..70 {
            second.post(test(value));
        }
        assert_eq!(first.news(&mut at_first).len(), MOST_READ);
        assert_eq!(first.news(&mut at_first).len(), 60 - MOST_READ);
        assert_eq!(second.news(&mut at_second), []);
    }
}
