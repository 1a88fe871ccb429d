//! A strategy seen in native runs.
//!
//! Where one of its leaves is the end of a trace that the specification does not have, one run
//! suffices: the text is compiled with the specification as a monitor, which complains when it
//! cannot follow. Else the strategy branches, and no single run shows anything. Then each leaf's
//! actions are seen in a native run of their own; and the runs together, as a tree that branches
//! where inputs differ, are played against the specification once more. The tree is a part of what
//! the component does, so a specification that does not simulate the tree does not simulate the
//! component.

use crate::conform::Question;
use crate::game::{Game, Strategy};
use crate::lts::{ActionId, Lts, StateId, TAU};
use crate::model::program::{shown, Component};
use crate::plan::Plan;
use crate::session::{errors, Loaded, Session};
use crate::told::Told;
use crate::unit::{Purpose, OWN};
use prova_c::Diagnostic;
use prova_engine::registry;
use prova_evidence::told::told;
use prova_evidence::{confirm, How, Options, Sources};
use prova_exec::{Code, Given, Limits, Run, Test};
use prova_ir::{Program, Statement};
use prova_spec::weave_unreach_call;
use prova_task::observer::Silent;
use prova_task::outcome::Input;
use prova_task::{check_modelled, Budget, Outcome, Task, Unknown, Violation};
use std::collections::BTreeSet;
use std::time::Duration;

/// A violation that was seen.
pub struct Shown {
    /// The strategy, for people.
    pub tree: Vec<Told>,
    /// Native runs, one where a trace suffices, else one for each leaf.
    pub runs: Vec<Seen>,
    /// Whether the runs show it together only.
    pub branching: bool,
}

/// A native run.
pub struct Seen {
    /// The actions that it showed, the last being the one that has no answer.
    pub actions: Vec<String>,
    /// What it was given.
    pub inputs: Vec<Input>,
    /// Command lines that repeat it, if texts are kept.
    pub repeat: Vec<String>,
    /// What to know about it.
    pub notes: Vec<String>,
}

/// Steps of a run by interpretation.
const STEPS: u64 = 10_000_000;
/// The property that a monitor's complaint breaks; nothing else is evidence.
const PROPERTY: &str = "unreach-call";
/// Seconds that finding the run again may take.
const AGAIN: u64 = 20;

/// Shows a strategy, which people are told as `tree`; the inner error is the reason why it cannot.
#[allow(clippy::too_many_arguments)]
pub fn show(
    question: &Question,
    plan: &Plan,
    session: &Session,
    component: &Component,
    strategy: &Strategy,
    tree: Vec<Told>,
    tests: &[(usize, Test)],
    budget: &Budget,
) -> Result<Result<Shown, Unknown>, Vec<Diagnostic>> {
    let prepared = &component.problem.prepared;
    let code = match Code::new(prepared.program.clone()) {
        Ok(code) => code,
        Err(e) => return Ok(Err(Unknown::Replay(e.to_string()))),
    };
    let limits = Limits {
        steps: STEPS,
        time: Some(
            budget
                .remaining()
                .unwrap_or(question.replay)
                .min(question.replay),
        ),
        ..Limits::default()
    };
    let mut seen = Vec::new();
    for (leaf, test) in tests {
        let path = strategy.path_to(*leaf);
        let wanted: Vec<ActionId> = path
            .iter()
            .map(|&n| strategy.nodes[n].step.action)
            .filter(|&a| a != TAU)
            .collect();
        let run = Run::new(&code, test, limits);
        let events = events(component, &run);
        let happened: Vec<ActionId> = events.iter().filter_map(Event::action).collect();
        if !happened.starts_with(&wanted) {
            let why = "the run that was computed takes another way".to_string();
            return Ok(Err(Unknown::Replay(why)));
        }
        seen.push((wanted, events, Given::of(&run)));
    }
    let raw = &plan.specification;
    let alone = seen.iter().find(|(wanted, ..)| !has_trace(raw, wanted));
    if let Some((_, _, given)) = alone {
        let loaded = session.load(plan, &Purpose::Follow(raw))?;
        let run = natively(question, plan, loaded, None, given, 1, budget);
        return Ok(run.map(|run| Shown {
            tree,
            runs: vec![run],
            branching: false,
        }));
    }
    if let Err(why) = refuted(raw, &seen) {
        return Ok(Err(Unknown::Replay(why)));
    }
    let mut runs = Vec::new();
    for (number, (wanted, _, given)) in seen.iter().enumerate() {
        let loaded = session.load(plan, &Purpose::Sequence(wanted))?;
        match natively(
            question,
            plan,
            loaded,
            Some(wanted),
            given,
            number + 1,
            budget,
        ) {
            Ok(run) => runs.push(run),
            Err(why) => return Ok(Err(why)),
        }
    }
    Ok(Ok(Shown {
        tree,
        runs,
        branching: true,
    }))
}

/// What a run was given and what it showed, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Event {
    Input(u128),
    Action(ActionId),
}

impl Event {
    fn action(&self) -> Option<ActionId> {
        match self {
            Event::Action(action) => Some(*action),
            Event::Input(_) => None,
        }
    }
}

fn events(component: &Component, run: &Run) -> Vec<Event> {
    let prepared = &component.problem.prepared;
    let mut inputs = run.inputs.iter();
    let mut found = Vec::new();
    for (_, place) in run.path() {
        let Some(edge) = prepared.edge_at(&place) else {
            continue;
        };
        if matches!(edge.statement, Statement::Nondet { .. }) {
            found.extend(inputs.next().map(|i| Event::Input(i.value)));
        }
        found.extend(shown(&prepared.program, edge).map(Event::Action));
    }
    found
}

/// Whether the specification has a trace.
fn has_trace(specification: &Lts, trace: &[ActionId]) -> bool {
    let silently = |states: BTreeSet<StateId>| -> BTreeSet<StateId> {
        let reached = states
            .iter()
            .flat_map(|&s| specification.reach(s, |a| a == TAU));
        reached.collect()
    };
    let mut now = silently(BTreeSet::from([specification.initial]));
    for &action in trace {
        let next = now
            .iter()
            .flat_map(|&s| specification.successors(s, action));
        now = silently(next.collect());
    }
    !now.is_empty()
}

/// Whether runs, as a tree, are not simulated; an error says why that cannot be told.
fn refuted(specification: &Lts, seen: &[(Vec<ActionId>, Vec<Event>, Given)]) -> Result<(), String> {
    let rest = |given: &Given| Given {
        values: Vec::new(),
        ..given.clone()
    };
    if seen.windows(2).any(|w| rest(&w[0].2) != rest(&w[1].2)) {
        return Err("its runs differ in what memory holds at first".into());
    }
    let mut tree = Lts::default();
    tree.initial = tree.state("start");
    // Where an input was read, which children there are by its value.
    let mut children: Vec<(StateId, Event, StateId)> = Vec::new();
    for (wanted, events, _) in seen {
        let (mut at, mut shown) = (tree.initial, 0);
        for event in events {
            if shown == wanted.len() {
                break;
            }
            let known = children.iter().find(|c| c.0 == at && c.1 == *event);
            let next = match known {
                Some(child) => child.2,
                None => {
                    let next = tree.state(format!("{}", tree.states.len()));
                    let action = event.action().unwrap_or(TAU);
                    tree.moves[at as usize].push((action, next));
                    children.push((at, event.clone(), next));
                    next
                }
            };
            shown += usize::from(event.action().is_some());
            at = next;
        }
    }
    let closed = specification.stuttering();
    let Ok(game) = Game::play(&tree, &closed, &mut || None);
    match game.simulates() {
        true => Err("its runs do not show it together".into()),
        false => Ok(()),
    }
}

/// Sees a run natively: one with exactly these actions, or one that the specification cannot follow.
fn natively(
    question: &Question,
    plan: &Plan,
    mut loaded: Loaded,
    wanted: Option<&[ActionId]>,
    given: &Given,
    number: usize,
    budget: &Budget,
) -> Result<Seen, Unknown> {
    weave_unreach_call(&mut loaded.program, &errors());
    let task = Task {
        earlier: vec![given.clone()],
        assumed: loaded.assumed,
        unmodelled: loaded.unmodelled,
        ..Task::new(loaded.program, 0)
    };
    let violation = again(&task, budget)?;
    let sources = Sources {
        files: loaded.files,
        options: loaded.options,
        calls: errors(),
        properties: vec![PROPERTY.into()],
    };
    let harness = question.folder.join(format!("harness{number}.c"));
    let options = Options {
        native: true,
        harness: question.keep.then_some(harness),
        time: question.replay,
    };
    let confirmed = confirm(&task, &sources, &violation, &options)
        .map_err(|refuted| Unknown::Replay(refuted.what))?;
    if confirmed.how != How::Native {
        return Err(Unknown::Replay("no compiled program shows it".into()));
    }
    let program = &confirmed.recording.program;
    let inputs = told(&violation.inputs).into_iter();
    let inputs = inputs
        .filter_map(|i| of_interest(plan, program, i))
        .collect();
    let happened = actions_of(&confirmed.recording.program, &confirmed.recording.run);
    let right = match wanted {
        Some(wanted) => happened == wanted,
        None => !has_trace(&plan.specification, &happened),
    };
    if !right {
        return Err(Unknown::Replay(
            "the native run shows something else".into(),
        ));
    }
    let actions = happened
        .iter()
        .map(|&a| plan.alphabet.action(a).to_string());
    Ok(Seen {
        actions: actions.collect(),
        inputs,
        repeat: confirmed.repeat,
        notes: confirmed.notes,
    })
}

/// The actions that a run on the text with the monitor showed.
fn actions_of(program: &Program, run: &Run) -> Vec<ActionId> {
    let prefix = format!("{OWN}act_");
    // A call is in a run's path when it returns; that it began is seen by the first step inside.
    let begins = |place: prova_exec::Place| {
        let procedure = program.procedure(place.proc);
        let number = procedure.c_name.strip_prefix(&prefix)?.parse().ok()?;
        let entry = procedure.body.as_ref()?.entry;
        (place.source == entry).then_some(number)
    };
    run.path().filter_map(|(_, place)| begins(place)).collect()
}

/// An input as it is told: those that only our own text and the library's models ask for are not;
/// a choice of an assumed routine is one.
fn of_interest(plan: &Plan, program: &Program, input: Input) -> Option<Input> {
    if plan.target.names.contains(&input.name) {
        return Some(input);
    }
    let file = program.files.get(input.span.file.index());
    let ours = file.is_some_and(|f| f.name.ends_with("conform.c"));
    if input.name.starts_with("__VERIFIER_nondet_int") && ours {
        let name = "a choice of an assumed routine".to_string();
        return Some(Input { name, ..input });
    }
    let own = input.span.is_known() && program.is_own(input.span);
    let named = !input.name.is_empty() && !input.name.starts_with(OWN);
    (own && named && !ours).then_some(input)
}

/// Finds the run on the text with the monitor.
fn again(task: &Task, budget: &Budget) -> Result<Violation, Unknown> {
    let left = budget.remaining().unwrap_or(Duration::from_secs(AGAIN));
    let time = left.min(Duration::from_secs(AGAIN));
    let share = Budget::new(Some(time), budget.memory_limit());
    let engine = registry::checker("dash", &registry::Settings::default())
        .ok_or_else(|| Unknown::Replay("there is no engine to run it".into()))?;
    match check_modelled(&*engine, task, &share, &mut Silent).outcome {
        Outcome::Violated(violation) if violation.property == PROPERTY => Ok(*violation),
        Outcome::Violated(other) => Err(Unknown::Replay(other.message)),
        Outcome::Unknown(why) => Err(Unknown::Replay(why.to_string())),
        _ => Err(Unknown::Replay("the monitor does not see it".into())),
    }
}
