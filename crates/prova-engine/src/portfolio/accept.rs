//! Whether a proof is good enough to end a search with several engines.
//!
//! A proof counts once a checker of its own accepts its certificate, and there are proofs that cost
//! far more to check than to find. Whoever asks for a verdict can give its checker here: then a
//! proof that the checker does not get through is not the end, its engine goes home, and the others
//! go on. Nothing is believed for it: whoever asked still decides what it calls proved.

use prova_task::{Budget, Proof, Task};
use std::sync::Arc;

/// Somebody who checks proofs.
pub trait Acceptance: Send + Sync {
    /// Whether this proof is one of the task, as far as that can be found out within the budget; an
    /// error says why not.
    fn judge(&self, task: &Task, proof: &Proof, budget: &Budget) -> Result<(), String>;
}

/// Who is asked, if anybody.
#[derive(Clone, Default)]
pub struct Accept(pub Option<Arc<dyn Acceptance>>);

impl Accept {
    /// Asks. Where nobody has to be asked, every proof is good enough.
    pub fn judge(&self, task: &Task, proof: &Proof, budget: &Budget) -> Result<(), String> {
        match &self.0 {
            Some(judge) => judge.judge(task, proof, budget),
            None => Ok(()),
        }
    }
}

impl std::fmt::Debug for Accept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.0 {
            Some(_) => "Accept(somebody)",
            None => "Accept(nobody)",
        })
    }
}
