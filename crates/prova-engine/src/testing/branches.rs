//! The branches of a test's path, and tests that take one of them the other way (Godefroid, Klarlund,
//! Sen: *DART: Directed Automated Random Testing*, section 2.4).

use crate::problem::Problem;
use crate::testing::cross::{Asker, Crossed};
use crate::testing::forest::{Crossing, Forest, StateRef};
use prova_exec::symbolic::{Constraint, Why};
use prova_exec::SymbolicRun;
use prova_logic::{Answer, Term, Terms};
use prova_task::{Budget, Unknown};

/// A branch that depends on inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Where in the constraints of its path it stands.
    pub position: usize,
    /// The edge that was taken, counted from the start.
    pub step: u32,
    /// What made the run go this way.
    pub condition: Term,
    /// There is another way: it is a decision and no assumption.
    pub turnable: bool,
}

/// The branches of a path.
pub struct Path {
    /// In order.
    pub branches: Vec<Branch>,
    /// Something else that depends on inputs had to come out as it did, so that these branches are
    /// not all there is.
    pub fixed: bool,
}

impl Forest<'_> {
    /// The branches of a test's path.
    pub fn branches(&mut self, terms: &mut Terms, test: u32) -> Result<Path, Unknown> {
        let constraints = self.constraints_of(terms, test)?;
        let body = self.encoding.prepared.body();
        let mut ways = vec![0; body.locations.len()];
        for edge in &body.edges {
            ways[edge.source.index()] += 1;
        }
        let run = self.run(test);
        let mut path = Path {
            branches: Vec::new(),
            fixed: false,
        };
        for (position, constraint) in constraints.into_iter().enumerate() {
            let Constraint { step, term, why } = constraint;
            path.fixed |= why == Why::Fixed;
            if why == Why::Branch {
                let here = run.location_at(step).location;
                let turnable = ways[here.index()] > 1;
                path.branches.push(Branch {
                    position,
                    step,
                    condition: term,
                    turnable,
                });
            }
        }
        Ok(path)
    }

    /// What a whole path demands of the inputs. An assumption that ended it is not among it.
    fn constraints_of(&mut self, terms: &mut Terms, test: u32) -> Result<Vec<Constraint>, Unknown> {
        let encoding = self.encoding;
        let entry = &mut self.entries[test as usize];
        let fail = |error: prova_exec::translate::Unencodable| Unknown::Unsupported {
            what: error.to_string(),
            span: None,
        };
        if entry.symbolic.is_none() {
            let made = SymbolicRun::new(terms, encoding.context(), &entry.run).map_err(fail)?;
            entry.symbolic = Some(made);
        }
        let symbolic = entry.symbolic.as_mut().expect("made above");
        let end = entry.run.steps();
        symbolic.extend(terms, end).map_err(fail)?;
        Ok(symbolic.constraints(end).to_vec())
    }

    /// A test that takes a path up to one of its branches, and that branch the other way.
    pub fn turned(
        &mut self,
        problem: &Problem,
        terms: &mut Terms,
        asker: &mut Asker,
        budget: &Budget,
        test: u32,
        branch: Branch,
    ) -> Result<Crossed, Unknown> {
        let constraints = self.constraints_of(terms, test)?;
        let mut asserted: Vec<Term> = constraints[..branch.position]
            .iter()
            .map(|c| c.term)
            .collect();
        asserted.push(terms.not(branch.condition));
        let symbolic = self.entries[test as usize].symbolic.as_ref();
        let accesses: Vec<_> = symbolic
            .expect("its constraints were asked for")
            .accesses(branch.step)
            .collect();
        asserted.extend(problem.encoding.separation(terms, &accesses));
        let (answer, model) = asker.ask(problem, terms, budget, asserted);
        let (model, query) = match (answer, model) {
            (Answer::Unsat, _) => return Ok(Crossed::No),
            (Answer::Unknown(reason), _) => return Ok(Crossed::Undecided(reason.to_string())),
            (Answer::Sat, None) => return Ok(Crossed::Undecided("no model was given".into())),
            (Answer::Sat, Some(found)) => found,
        };
        let crossing = Crossing {
            model: &model,
            query: &query,
            edges: &[],
            inputs: &[],
        };
        let step = branch.step;
        let state = Some(StateRef { test, step });
        Ok(match self.test_from_model(terms, state, &crossing) {
            Ok(test) => Crossed::Test(test),
            Err(reason) => Crossed::Undecided(reason),
        })
    }
}
