//! Goals put to an engine, as `check` puts a property to one; a proof counts once the checker has
//! accepted its certificate.

use prova_cover::{Answer, Prover, Session};
use prova_exec::Given;
use prova_ir::Program;
use prova_spec::goals::Target;
use prova_spec::Check;
use prova_task::{check_modelled, Budget, Checker, Outcome, Silent, Stop, Task, Unknown};

use super::{print, Arguments};
use crate::commands::check::certify;
use crate::commands::check::property::{woven, Woven};
use crate::watchdog::Floor;

/// An engine, with the checker behind it.
pub struct Certifying<'a> {
    pub arguments: &'a Arguments,
    pub program: &'a Program,
    pub entry: &'a Option<String>,
    pub engine: &'a dyn Checker,
    /// Who is quick at tests, if the engine is not that one.
    pub quick: Option<&'a dyn Checker>,
    pub floor: &'a Floor<print::Progress>,
    /// How each proof was certified, for people.
    pub certified: Vec<String>,
}

impl Prover for Certifying<'_> {
    fn decide(&mut self, targets: &[Target], earlier: &[Given], budget: &Budget) -> Answer {
        self.put(self.engine, targets, earlier, budget)
    }

    fn try_quickly(
        &mut self,
        targets: &[Target],
        earlier: &[Given],
        budget: &Budget,
    ) -> Option<Answer> {
        Some(self.put(self.quick?, targets, earlier, budget))
    }

    fn told(&mut self, session: &Session) {
        self.floor.take().known = print::Progress::of(session);
    }
}

impl Certifying<'_> {
    /// Puts targets to an engine, and its proof to the checker.
    fn put(
        &mut self,
        engine: &dyn Checker,
        targets: &[Target],
        earlier: &[Given],
        budget: &Budget,
    ) -> Answer {
        let open = |why: String, again: bool, tests: Vec<Given>| Answer::Open { why, again, tests };
        if let Some(stop) = budget.poll() {
            return open(stop.to_string(), true, Vec::new());
        }
        let check = Check::of_goals(targets.to_vec());
        let world = &self.arguments.sources.world;
        let Woven {
            program,
            assumed,
            unmodelled,
            ..
        } = match woven(self.program, &check, self.entry, world) {
            Ok(Ok(woven)) => woven,
            Ok(Err(error)) => return open(error.to_string(), false, Vec::new()),
            Err(error) => return open(error.to_string(), false, Vec::new()),
        };
        let task = Task {
            earlier: earlier.to_vec(),
            assumed,
            unmodelled,
            ..Task::new(program, self.arguments.seed)
        };
        let report = check_modelled(engine, &task, budget, &mut Silent);
        let subject = certify::Subject {
            measures: &[],
            sources: &self.arguments.sources,
            property: &check.key(),
            entry: self.entry,
            label: &None,
        };
        let options = &self.arguments.certify;
        let (report, certified) = match certify::gate(options, &subject, &task, budget, report) {
            Ok(gated) => gated,
            Err(error) => return open(error.to_string(), false, Vec::new()),
        };
        let mut tests = report.scope.tests;
        match report.outcome {
            Outcome::Proved(_) => match certified {
                Some(certified) => {
                    self.certified.push(certified.line());
                    Answer::Impossible(certified.text)
                }
                None => open("the proof was not certified".into(), false, tests),
            },
            Outcome::Violated(violation) => {
                let mut all = vec![given(&task, &violation.test)];
                all.append(&mut tests);
                Answer::Reached(all)
            }
            Outcome::Bounded(bounded) => {
                let place = |span| crate::input::place(&task.program, span).unwrap_or_default();
                open(bounded.message(place), false, tests)
            }
            Outcome::Unknown(unknown) => {
                // What gave up before its time was over would give up again.
                let again = matches!(
                    unknown,
                    Unknown::Stopped(Stop::Time) | Unknown::Certificate(_)
                );
                open(unknown.to_string(), again, tests)
            }
        }
    }
}

/// A test of a task, told without addresses.
fn given(task: &Task, test: &prova_exec::Test) -> Given {
    let Ok(code) = prova_evidence::recording::code(task) else {
        return Given::default();
    };
    let limits = prova_exec::Limits {
        time: Some(std::time::Duration::from_secs(5)),
        ..prova_exec::Limits::default()
    };
    Given::of(&prova_exec::Run::new(&code, test, limits))
}
