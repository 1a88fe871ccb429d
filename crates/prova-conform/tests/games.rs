//! Games between small machines: the paper's Figures 1 and 2, with exact relations.

use prova_conform::game::{Game, Position};
use prova_conform::lts::expand::machine;
use prova_conform::lts::read::parse;
use prova_conform::lts::subsets::subsets;
use prova_conform::lts::{Alphabet, Lts};

/// Two machines of a text: what is done, and what is allowed.
fn machines(text: &str) -> (Alphabet, Lts, Lts) {
    let file = parse("game.lts", text).unwrap_or_else(|e| panic!("{e}"));
    let mut alphabet = Alphabet::default();
    let mut one = |i: usize| {
        machine(&file, &file.machines[i].name, &mut alphabet).unwrap_or_else(|e| panic!("{e}"))
    };
    let (implementation, specification) = (one(0), one(1));
    (alphabet, implementation, specification)
}

fn related(implementation: &Lts, specification: &Lts) -> Option<Vec<(String, String)>> {
    let Ok(game) = Game::play(implementation, specification, &mut || None);
    let Ok(found) = game.relation(implementation);
    let name = |p: &Position| {
        let left = implementation.states[p.implementation as usize].clone();
        (left, specification.states[p.specification as usize].clone())
    };
    game.simulates().then(|| found.iter().map(name).collect())
}

/// Figure 1: from (S2, T2) two challenges, each with two responses. What the text does not say of
/// the picture (the moves of S3, S4, T4 and T5) is chosen such that the implementation wins.
const FIGURE_1: &str = "
    machine I { S1: a -> S2; S2: b -> S3 | b -> S4; S3: c -> S5 | d -> S5; S4: c -> S5; S5: ; }
    machine S {
        T1: a -> T2 | a -> T3;
        T2: b -> T4 | b -> T5;
        T3: b -> T5;
        T4: c -> T6;
        T5: d -> T6;
        T6: ;
    }";

#[test]
fn figure_1_and_2() {
    let (alphabet, i, s) = machines(FIGURE_1);
    let Ok(game) = Game::play(&i, &s, &mut || None);
    assert!(!game.simulates());
    let strategies = game.strategies(4);
    assert!(!strategies.is_empty());
    for strategy in &strategies {
        // C1: the root is where the game starts.
        let root = &strategy.nodes[0];
        assert_eq!(i.states[root.position.implementation as usize], "S1");
        assert_eq!(s.states[root.position.specification as usize], "T1");
        for node in &strategy.nodes {
            // C2 and C3: a child for each response, and none where there is no response.
            let answers = s.successors(node.position.specification, node.step.action);
            let mut wanted: Vec<u32> = answers.collect();
            wanted.sort_unstable();
            let children = node.children.iter().map(|&c| &strategy.nodes[c]);
            let mut found: Vec<u32> = children.map(|c| c.position.specification).collect();
            found.sort_unstable();
            assert_eq!(found, wanted);
        }
        // The challenges from the first one on: a, then b to S3, then c or d as T answers.
        let shown: Vec<String> = strategy.nodes[..2]
            .iter()
            .map(|n| alphabet.action(n.step.action).to_string())
            .collect();
        assert_eq!(shown, ["a", "b"]);
        let leaves = strategy.leaves().map(|l| strategy.nodes[l].step.action);
        let mut leaves: Vec<String> = leaves.map(|a| alphabet.action(a).to_string()).collect();
        leaves.sort();
        leaves.dedup();
        assert!(leaves == ["c", "d"] || leaves == ["c"], "{leaves:?}");
    }
    // All traces of I are traces of S.
    let (deterministic, _) = subsets(&s).expect("small");
    assert!(related(&i, &deterministic).is_some());
}

#[test]
fn the_relation_is_exact() {
    let (_, i, s) = machines(
        "machine I { i0: a -> i1; i1: b -> i0; }
         machine S { s0: a -> s1 | a -> s2; s1: c -> s0; s2: b -> s0; }",
    );
    let wanted = [("i0", "s0"), ("i1", "s2")].map(|(a, b)| (a.to_string(), b.to_string()));
    assert_eq!(related(&i, &s).expect("simulated"), wanted);
}

#[test]
fn who_never_is_stuck_wins() {
    let (_, i, s) = machines("machine I { i: a -> i; } machine S { s: a -> t; t: a -> s; }");
    assert!(related(&i, &s).is_some());
    assert!(related(&s, &i).is_some());
}

/// Simulation as a fixed point that is computed in another way, for random machines.
fn naive(i: &Lts, s: &Lts) -> bool {
    let mut related = vec![vec![true; s.states.len()]; i.states.len()];
    loop {
        let mut changed = false;
        for a in 0..i.states.len() {
            for b in 0..s.states.len() {
                let answered = i.moves[a].iter().all(|&(action, to)| {
                    let mut answers = s.successors(b as u32, action);
                    answers.any(|other| related[to as usize][other as usize])
                });
                if related[a][b] && !answered {
                    related[a][b] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return related[i.initial as usize][s.initial as usize];
        }
    }
}

#[test]
fn random_games_end_as_the_fixed_point_says() {
    let mut seed = 7u64;
    let mut next = |below: u64| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) % below
    };
    let (mut yes, mut no) = (0, 0);
    for _ in 0..400 {
        let mut random = |states: u64, moves: u64| {
            let mut lts = Lts::default();
            for state in 0..states {
                lts.state(format!("s{state}"));
            }
            for _ in 0..moves {
                let (from, to) = (next(states) as u32, next(states) as u32);
                lts.add(from, 1 + next(2) as u32, to);
            }
            lts
        };
        let (i, s) = (random(5, 6), random(5, 12));
        let Ok(game) = Game::play(&i, &s, &mut || None);
        assert_eq!(game.simulates(), naive(&i, &s));
        match game.simulates() {
            true => yes += 1,
            false => {
                no += 1;
                assert!(!game.strategies(3).is_empty());
            }
        }
    }
    assert!(yes > 20 && no > 20, "{yes} and {no}");
}
