//! The suite that is written: the harness and script of every suite, a line in each test that says
//! what it is for, and a script that runs the tests with gcov.

use std::path::Path;

use prova_cover::Session;
use prova_evidence::suite::Suite;
use prova_exec::Given;
use prova_task::Task;

use super::{print, Work};
use crate::status::Rejected;

/// Writes the suite; a line that says so.
pub fn write(
    work: &Work,
    folder: &Path,
    task: &Task,
    said: &print::Said,
) -> Result<String, Rejected> {
    let given: Vec<Given> = said
        .chosen
        .iter()
        .map(|(t, _)| said.session.tests[*t].given.clone())
        .collect();
    let mut suite = Suite::new(task, &given, false).map_err(Rejected::because)?;
    for (test, (_, goals)) in suite.tests.iter_mut().zip(said.chosen) {
        test.ends = format!("{}. For {}", test.ends, said.purpose(goals));
    }
    written(work, folder, task, suite)
}

/// Tests that cover nothing new and are kept all the same.
pub const MOST_OTHERS: usize = 400;

/// Writes all tests that were run as a suite; a line that says so.
pub fn write_all(
    work: &Work,
    folder: &Path,
    task: &Task,
    session: &Session,
) -> Result<String, Rejected> {
    let kept = session.tests.iter().map(|t| &t.given);
    let given: Vec<Given> = kept.chain(&session.others).cloned().collect();
    let suite = Suite::new(task, &given, false).map_err(Rejected::because)?;
    written(work, folder, task, suite)
}

fn written(work: &Work, folder: &Path, task: &Task, mut suite: Suite) -> Result<String, Rejected> {
    let arguments = work.arguments;
    let check = prova_spec::Check::of_goals(Vec::new());
    let sources = prova_evidence::Sources {
        files: arguments.sources.files.clone(),
        options: arguments.sources.options(),
        calls: check.calls.clone(),
        properties: Vec::new(),
    };
    suite.specification.clone_from(&work.wanted.specification);
    suite
        .write(task, &sources, folder)
        .map_err(Rejected::because)?;
    super::gcov::write(folder)
        .map_err(|e| Rejected::because(format!("{}: {e}", folder.display())))?;
    Ok(format!(
        "{} tests written to {}",
        suite.tests.len(),
        folder.display()
    ))
}
