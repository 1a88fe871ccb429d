//! Machines of a thousand states against components of a thousand lines are decided, and what that takes
//! grows as the components do: counted, not timed. `cargo bench --bench growth` has the seconds.

#[path = "../benches/shapes/mod.rs"]
mod shapes;

use prova_c::Options;
use prova_conform::conform::{conform, Question, Relation, Verdict};
use prova_conform::lts::read::parse;
use prova_conform::search::{Effort, Settings, States};
use prova_engine::Granularity;
use prova_ir::World;
use prova_logic::SolverChoice;
use prova_task::Budget;
use std::time::Duration;

fn effort(shape: &shapes::Shape) -> Effort {
    let own = tempfile::tempdir().expect("a folder");
    let program = own.path().join("g.c");
    std::fs::write(&program, shapes::component(shape)).expect("written");
    let file = parse("g.lts", &shapes::specification(shape)).unwrap_or_else(|e| panic!("{e}"));
    let question = Question {
        files: &[program],
        options: &Options::default(),
        world: &World::default(),
        file: &file,
        target: None,
        relation: Relation::Simulation,
        settings: Settings {
            states: States::Both,
            ..Settings::default()
        },
        granularity: Granularity::Basic,
        facts: false,
        solvers: vec![SolverChoice::Z3],
        patience: Duration::from_secs(40),
        folder: own.path(),
        keep: false,
        replay: Duration::from_secs(10),
        native: true,
    };
    let budget = Budget::new(Some(Duration::from_secs(300)), None);
    let answer = conform(&question, &budget).unwrap_or_else(|e| panic!("{e:?}"));
    assert!(matches!(answer.verdict, Verdict::Conforms { .. }));
    answer.effort
}

#[test]
fn a_thousand_lines_take_what_a_thousand_lines_must() {
    let mut largest = 0;
    for (name, make) in shapes::SHAPES {
        let (half, whole) = (make(500), make(1_000));
        largest = largest.max(whole.states.len());
        let (less, more) = (effort(&half), effort(&whole));
        // A switch with n cases is n comparisons for each of n values.
        let factor = match name {
            "switch" | "long cases" => 4.5,
            _ => 2.2,
        };
        let ratio = |a: usize, b: usize| b as f64 / a as f64;
        let told = format!("{name}: {less:?} and {more:?}");
        assert!(ratio(less.states, more.states) < factor, "{told}");
        assert!(ratio(less.positions, more.positions) < factor, "{told}");
        // One that runs away is stopped, and begun again with twice the steps.
        assert!(more.iterations <= less.iterations + 6, "{told}");
        assert!(more.questions <= 3 * less.questions.max(10), "{told}");
    }
    assert!(largest > 1_000, "{largest}");
}
