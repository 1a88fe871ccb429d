//! The simulation game (Chaki, Clarke, Jha, Veith, §4 and §5). The implementation poses a challenge:
//! it moves and shows an action. The specification responds with the same action. Who cannot move
//! has lost; if nobody ever is stuck, the specification wins.
//!
//! The implementation wins a position if *some* challenge has only responses that it wins. That is
//! a Horn clause for each challenge ([`horn`]), so winning positions are found in linear time, with
//! the challenge that wins each. From these, trees are made: *strategies* of the implementation,
//! which are the counterexamples.

pub mod horn;

use crate::lts::{ActionId, Lts, StateId};
use horn::{Horn, Solution};
use rustc_hash::FxHashMap;

/// A move of the implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// What it shows.
    pub action: ActionId,
    /// Where it leads.
    pub target: u32,
    /// Which of the ways there: the number of a block, for a program.
    pub via: u32,
}

/// Who is challenged to follow: states by number, and what each may do.
pub trait Implementation {
    /// Why moves cannot be said.
    type Error;

    /// Where it starts.
    fn initial(&mut self) -> Result<Vec<u32>, Self::Error>;

    /// The moves of a state.
    fn steps(&mut self, state: u32) -> Result<Vec<Step>, Self::Error>;
}

impl Implementation for &Lts {
    type Error = std::convert::Infallible;

    fn initial(&mut self) -> Result<Vec<u32>, Self::Error> {
        Ok(vec![self.initial])
    }

    fn steps(&mut self, state: u32) -> Result<Vec<Step>, Self::Error> {
        let moves = self.moves[state as usize].iter().enumerate();
        Ok(moves
            .map(|(via, &(action, target))| Step {
                action,
                target,
                via: via as u32,
            })
            .collect())
    }
}

/// Where the two pebbles are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The implementation's.
    pub implementation: u32,
    /// The specification's.
    pub specification: StateId,
}

/// A challenge in a position.
struct Challenge {
    position: u32,
    step: Step,
}

/// All positions that can come up, and who wins them.
pub struct Game<'s> {
    specification: &'s Lts,
    /// Positions by number; those that the game starts in first.
    pub positions: Vec<Position>,
    starts: usize,
    challenges: Vec<Challenge>,
    horn: Horn,
    solution: Solution,
    numbers: FxHashMap<Position, u32>,
}

impl<'s> Game<'s> {
    /// Plays all there is to play against a specification that may stutter
    /// ([`Lts::stuttering`]). `stop` is asked now and then.
    pub fn play<I: Implementation>(
        mut implementation: I,
        specification: &'s Lts,
        stop: &mut dyn FnMut() -> Option<I::Error>,
    ) -> Result<Game<'s>, I::Error> {
        let mut game = Game {
            specification,
            positions: Vec::new(),
            starts: 0,
            challenges: Vec::new(),
            horn: Horn::default(),
            solution: Solution {
                reasons: Vec::new(),
            },
            numbers: FxHashMap::default(),
        };
        for state in implementation.initial()? {
            game.number(Position {
                implementation: state,
                specification: specification.initial,
            });
        }
        game.starts = game.positions.len();
        let mut at = 0;
        while at < game.positions.len() {
            if at % 256 == 0 {
                if let Some(error) = stop() {
                    return Err(error);
                }
            }
            let position = game.positions[at];
            for step in implementation.steps(position.implementation)? {
                let responses = game.responses(position, step);
                game.horn.add(at as u32, &responses);
                game.challenges.push(Challenge {
                    position: at as u32,
                    step,
                });
            }
            at += 1;
        }
        game.solution = game.horn.solve(&[], u64::from);
        Ok(game)
    }

    fn number(&mut self, position: Position) -> u32 {
        let next = self.positions.len() as u32;
        let number = *self.numbers.entry(position).or_insert(next);
        if number == next {
            self.positions.push(position);
        }
        number
    }

    fn responses(&mut self, position: Position, step: Step) -> Vec<u32> {
        let to: Vec<StateId> = self
            .specification
            .successors(position.specification, step.action)
            .collect();
        let mut responses: Vec<u32> = to
            .into_iter()
            .map(|specification| {
                self.number(Position {
                    implementation: step.target,
                    specification,
                })
            })
            .collect();
        responses.sort_unstable();
        responses.dedup();
        responses
    }

    /// Whether the specification simulates the implementation.
    pub fn simulates(&self) -> bool {
        (0..self.starts as u32).all(|start| !self.solution.holds(start))
    }

    /// Whether the implementation wins a position.
    pub fn wins(&self, position: u32) -> bool {
        self.solution.holds(position)
    }

    /// A simulation relation: positions that a specification keeps to that answers each challenge
    /// with its first good response. Empty if there is none.
    pub fn relation<I: Implementation>(
        &self,
        mut implementation: I,
    ) -> Result<Vec<Position>, I::Error> {
        if !self.simulates() {
            return Ok(Vec::new());
        }
        let mut kept = vec![false; self.positions.len()];
        let mut work: Vec<u32> = (0..self.starts as u32).collect();
        work.iter().for_each(|&p| kept[p as usize] = true);
        let mut found = Vec::new();
        while let Some(number) = work.pop() {
            let position = self.positions[number as usize];
            found.push(position);
            for step in implementation.steps(position.implementation)? {
                let answers = self
                    .specification
                    .successors(position.specification, step.action);
                let mut numbers = answers.map(|specification| {
                    self.numbers[&Position {
                        implementation: step.target,
                        specification,
                    }]
                });
                let answer = numbers.find(|&n| !self.solution.holds(n));
                let answer = answer.expect("a position that is not lost has an answer");
                if !std::mem::replace(&mut kept[answer as usize], true) {
                    work.push(answer);
                }
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    /// At most `count` strategies of the implementation that differ, small ones first. The first
    /// is made from the first challenges that win; each further one may not end as those before it
    /// do, or at least prefers other ends.
    pub fn strategies(&self, count: usize) -> Vec<Strategy> {
        let mut found: Vec<Strategy> = Vec::new();
        let mut barred = vec![false; self.challenges.len()];
        for attempt in 0..4 * count as u64 {
            if found.len() == count {
                break;
            }
            let shuffled = |clause: u32| match attempt {
                0 => u64::from(clause),
                _ => (u64::from(clause) + attempt).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20,
            };
            let mut solution = self.horn.solve(&barred, shuffled);
            let mut start = (0..self.starts as u32).find(|&s| solution.holds(s));
            if start.is_none() {
                // All ends were used: begin again, in another order.
                barred.fill(false);
                solution = self.horn.solve(&barred, shuffled);
                start = (0..self.starts as u32).find(|&s| solution.holds(s));
            }
            let Some(start) = start else { break };
            let Some(strategy) = self.strategy(&solution, start) else {
                continue;
            };
            for node in strategy.nodes.iter().filter(|n| n.children.is_empty()) {
                barred[node.challenge as usize] = true;
            }
            if !found.contains(&strategy) {
                found.push(strategy);
            }
        }
        found
    }

    /// The tree that a solution makes (Figure 5 of the paper).
    fn strategy(&self, solution: &Solution, start: u32) -> Option<Strategy> {
        let mut strategy = Strategy { nodes: Vec::new() };
        let mut work = vec![(start, None)];
        while let Some((position, parent)) = work.pop() {
            let number = strategy.nodes.len();
            if number >= LARGEST {
                return None;
            }
            if let Some(parent) = parent {
                let parent: &mut Node = &mut strategy.nodes[parent];
                parent.children.push(number);
            }
            let challenge = solution.reasons[position as usize]?;
            let posed = &self.challenges[challenge as usize];
            debug_assert_eq!(posed.position, position);
            let at = self.positions[position as usize];
            strategy.nodes.push(Node {
                position: at,
                step: posed.step,
                challenge,
                parent,
                children: Vec::new(),
            });
            let answers = self
                .specification
                .successors(at.specification, posed.step.action);
            let mut answers: Vec<u32> = answers
                .map(|specification| {
                    self.numbers[&Position {
                        implementation: posed.step.target,
                        specification,
                    }]
                })
                .collect();
            answers.sort_unstable();
            answers.dedup();
            work.extend(answers.into_iter().rev().map(|a| (a, Some(number))));
        }
        Some(strategy)
    }
}

/// A strategy with more nodes is not looked at.
const LARGEST: usize = 100_000;

/// How the implementation wins: a tree of challenges, with a child for every response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// The root comes first, children behind their parents.
    pub nodes: Vec<Node>,
}

/// A position in a strategy and the challenge that is posed there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Where the pebbles are.
    pub position: Position,
    /// The challenge.
    pub step: Step,
    challenge: u32,
    /// The node before; none for the root.
    pub parent: Option<usize>,
    /// A node for each response; none if there is no response: then the game is won.
    pub children: Vec<usize>,
}

impl Strategy {
    /// The nodes from the root to this one.
    pub fn path_to(&self, node: usize) -> Vec<usize> {
        let mut path = vec![node];
        while let Some(parent) = self.nodes[path[path.len() - 1]].parent {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// The nodes at which the game is won.
    pub fn leaves(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|&n| self.nodes[n].children.is_empty())
    }
}
