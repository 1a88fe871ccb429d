//! What is done with strategies (Chaki, Clarke, Jha, Veith, §7): one that a concrete state can play
//! shows a violation; one that none can is taken from the model by more predicates.
//!
//! | file | what it holds |
//! |---|---|
//! | [`validity`] | whether some run plays a strategy (`VerCon`) |
//! | [`can_play`] | whether a model with other predicates could (`CanPlay`) |
//! | [`choose`] | a smallest set of conditions that stops all strategies at hand |

pub mod can_play;
pub mod choose;
pub mod validity;
