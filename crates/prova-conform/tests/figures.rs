//! The paper's worked example (Figures 6 to 9) with exact models and relations: states are named by
//! what is about to be done, as in the pictures.

use prova_c::Options;
use prova_conform::game::{Game, Implementation};
use prova_conform::lts::read::parse;
use prova_conform::lts::{ActionId, TAU};
use prova_conform::model::images::Images;
use prova_conform::model::predicates::Predicates;
use prova_conform::model::program::Component;
use prova_conform::model::Model;
use prova_conform::plan::Plan;
use prova_conform::session::Session;
use prova_conform::unit::Purpose;
use prova_engine::problem::blocks::Cutpoint;
use prova_engine::problem::Problem;
use prova_engine::Granularity;
use prova_ir::World;
use prova_logic::SolverConfig;
use prova_task::prepare::{prepare_as, Form};
use prova_task::Budget;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What is shown along moves of a model, silence left out: pairs of actions that follow each other.
fn sequences(model: &mut Model, name: &dyn Fn(ActionId) -> String) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut model = model;
    let start = (&mut model as &mut &mut Model).initial().expect("a start");
    let mut work: Vec<(u32, String)> = start.into_iter().map(|s| (s, String::new())).collect();
    while let Some((state, so_far)) = work.pop() {
        let steps = (&mut model as &mut &mut Model).steps(state).expect("steps");
        if steps.is_empty() {
            found.insert(so_far.trim().to_string());
        }
        for step in steps {
            let more = match step.action {
                TAU => so_far.clone(),
                action => format!("{so_far} {}", name(action)),
            };
            work.push((step.target, more));
        }
    }
    found
}

#[test]
fn figure_9_with_and_without_predicates() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/conform");
    let text = std::fs::read_to_string(folder.join("figure6.lts")).expect("a text");
    let file = parse("figure6.lts", &text).unwrap_or_else(|e| panic!("{e}"));
    let plan = Plan::new(&file, None).unwrap_or_else(|e| panic!("{e}"));
    let own = tempfile::tempdir().expect("a folder");
    let (options, world) = (Options::default(), World::default());
    let files: [PathBuf; 1] = [folder.join("figure6.c")];
    let session = Session::new(&files, &options, &world, own.path(), &plan).expect("a session");
    let loaded = session.load(&plan, &Purpose::Model).expect("a program");
    let form = Form {
        sliced: false,
        recursive: false,
    };
    let prepared = prepare_as(&loaded.program, form).expect("one procedure");
    let problem = Problem::new(prepared, Granularity::Basic);
    let mut terms = problem.terms.borrow_mut();
    let component = Component::new(&problem, &mut terms, Granularity::Basic).expect("a component");
    let mut images = Images::new(&SolverConfig::default(), &Budget::unlimited()).expect("z3");
    let specification = plan.specification.stuttering();
    let name = |a: ActionId| plan.alphabet.action(a).to_string();

    // Figure 9(a): without predicates both answers of each branch are possible.
    let none = Predicates::none(&component);
    let mut model = Model::new(&component, &mut terms, &mut images, &none);
    let game = Game::play(&mut model, &specification, &mut || None).expect("a game");
    assert!(!game.simulates());
    let wanted = [
        "a return 0",
        "a return other",
        "b return 2",
        "b return other",
    ];
    let wanted: BTreeSet<String> = wanted.iter().map(|w| w.to_string()).collect();
    // Nothing is known of what is returned either, so each branch may return all there is.
    let found = sequences(&mut model, &name);
    assert!(found.is_superset(&wanted), "{found:?}");

    // Figure 9(b): with y < 10 and y > 5, the conditions of the two inner branches.
    let mut some = Predicates::none(&component);
    let blocks = &component.steps.blocks;
    let mut chosen = 0;
    for number in 1..blocks.locations.len() as u32 {
        let at = Cutpoint(number);
        let guards: Vec<_> = component.outgoing[at.index()]
            .iter()
            .flat_map(|&b| component.steps.transitions.guard(b).to_vec())
            .collect();
        for guard in guards {
            let shown = terms.display(guard).to_string();
            if shown.contains("y <") || shown.contains("y >") || shown.contains("result") {
                some.add(&component, &mut terms, (at, guard));
                chosen += 1;
            }
        }
    }
    assert!(chosen >= 4, "{chosen}");
    let mut model = Model::new(&component, &mut terms, &mut images, &some);
    let game = Game::play(&mut model, &specification, &mut || None).expect("a game");
    assert!(game.simulates());
    let wanted: BTreeSet<String> = ["a return 0", "b return 2"].map(String::from).into();
    assert_eq!(sequences(&mut model, &name), wanted);

    // The relation: every state of the model with one state of the specification, which is t0 until
    // an action was shown, then t1 or t2, and at the end STOP.
    let relation = game.relation(&mut model).expect("a relation");
    let mut states: Vec<&str> = relation
        .iter()
        .map(|p| plan.specification.states[p.specification as usize].as_str())
        .collect();
    assert_eq!(relation.len(), model.size());
    states.sort_unstable();
    states.dedup();
    assert_eq!(states, ["STOP", "t0", "t1", "t2"]);
}
