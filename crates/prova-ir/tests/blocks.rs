//! Loops and blocks of random and of small graphs.

mod common;

use common::random_program;
use prova_ir::passes::blocks::{BlockGraph, Granularity};
use prova_ir::passes::loops::Loops;
use prova_ir::text::parse;
use prova_ir::*;
use std::collections::BTreeSet;

fn body(lines: &str) -> Body {
    let text = format!(
        "prova-ir 1 lp64\nproc f() {{\n  temp b : i1\n  temp x : i32\n{lines}\n}}\nextern proc g()"
    );
    let mut program = parse(&text).unwrap();
    assert_eq!(validate(&program), []);
    program.procedures[0].body.take().unwrap()
}

/// `a` dominates `b` if `b` cannot be reached without `a`.
fn dominates_by_definition(body: &Body, a: LocId, b: LocId) -> bool {
    let outgoing = body.outgoing();
    let mut seen = BTreeSet::from([body.entry]);
    let mut work = vec![body.entry];
    while let Some(l) = work.pop() {
        if l != a {
            for &e in &outgoing[l.index()] {
                if seen.insert(body.edge(e).target) {
                    work.push(body.edge(e).target);
                }
            }
        }
    }
    a == b || a == body.entry || !(seen.contains(&b))
}

fn acyclic_without(body: &Body, cut: &BTreeSet<LocId>) -> bool {
    // Repeatedly drop locations without incoming edges from those left.
    let mut left: BTreeSet<LocId> = (0..body.locations.len()).map(LocId::new).collect();
    left.retain(|l| !cut.contains(l));
    loop {
        let before = left.len();
        let entered: BTreeSet<LocId> = body
            .edges
            .iter()
            .filter(|e| left.contains(&e.source))
            .map(|e| e.target)
            .collect();
        left.retain(|l| entered.contains(l));
        if left.len() == before {
            return left.is_empty();
        }
    }
}

#[test]
fn loops_of_random_graphs() {
    for seed in 0..300 {
        let program = random_program(seed);
        for body in program.procedures.iter().filter_map(|p| p.body.as_ref()) {
            let loops = Loops::of(body);
            let reached: Vec<LocId> = loops.order.clone();
            for &a in &reached {
                for &b in &reached {
                    assert_eq!(loops.dominates(a, b), dominates_by_definition(body, a, b));
                }
            }
            let mut cut: BTreeSet<LocId> = loops.heads.iter().copied().collect();
            cut.extend(
                (0..body.locations.len())
                    .map(LocId::new)
                    .filter(|l| !reached.contains(l)),
            );
            assert!(acyclic_without(body, &cut), "a cycle has no head");
            assert!(loops.heads.iter().all(|&h| loops.is_head(h)));
        }
    }
}

#[test]
fn blocks_of_random_graphs() {
    use Granularity::*;
    for seed in 0..300 {
        let program = random_program(seed);
        for body in program.procedures.iter().filter_map(|p| p.body.as_ref()) {
            let loops = Loops::of(body);
            for granularity in [Statement, Basic, LoopFree] {
                let graph = BlockGraph::of(body, granularity);
                let cut: BTreeSet<LocId> = graph.cutpoints.iter().copied().collect();
                let mut covered = BTreeSet::new();
                for block in &graph.edges {
                    check_block(body, block, &cut);
                    assert!(granularity == LoopFree || block.is_straight(body));
                    covered.extend(block.steps.iter().copied());
                }
                let all = (0..body.edges.len()).map(EdgeId::new);
                let live: BTreeSet<EdgeId> = all
                    .filter(|e| loops.position[body.edge(*e).source.index()].is_some())
                    .collect();
                assert_eq!(covered, live, "every edge is in some block");
            }
        }
    }
}

fn check_block(body: &Body, block: &prova_ir::passes::blocks::BlockEdge, cut: &BTreeSet<LocId>) {
    assert!(cut.contains(&block.source) && cut.contains(&block.target));
    let mut entered = BTreeSet::from([block.source]);
    let mut left = BTreeSet::new();
    for &step in &block.steps {
        let edge = body.edge(step);
        assert!(entered.contains(&edge.source), "not topological");
        left.insert(edge.source);
        if edge.target == block.target {
            continue;
        }
        assert!(!cut.contains(&edge.target), "runs through a cutpoint");
        assert!(!left.contains(&edge.target), "not topological");
        entered.insert(edge.target);
    }
    assert_eq!(entered, left, "a step leads nowhere");
}

#[test]
fn a_loop_with_a_diamond() {
    let body = body(
        "  entry L0 exit L9\n  L0 -> L1: x := 0:i32\n  L1 -> L2: assume b\n  L1 -> L9: assume !b\n  \
         L2 -> L3: assume x == 1:i32\n  L2 -> L4: assume !(x == 1:i32)\n  L3 -> L5: x := 2:i32\n  \
         L4 -> L5: x := 3:i32\n  L5 -> L1: skip",
    );
    let loops = Loops::of(&body);
    assert_eq!(loops.heads, [LocId(1)]);
    assert_eq!(loops.back_edges, [EdgeId(7)]);
    assert_eq!(
        loops.natural_loop(&body, LocId(1)),
        [1, 2, 3, 4, 5].map(LocId)
    );
    let free = BlockGraph::of(&body, Granularity::LoopFree);
    assert_eq!(free.cutpoints, [LocId(0), LocId(1), LocId(9)]);
    let shape: Vec<_> = free
        .edges
        .iter()
        .map(|e| (e.source.0, e.target.0, e.steps.len()))
        .collect();
    assert_eq!(shape, [(0, 1, 1), (1, 1, 6), (1, 9, 1)]);
    let basic = BlockGraph::of(&body, Granularity::Basic);
    assert_eq!(basic.edges.len(), 6);
    assert_eq!(
        BlockGraph::of(&body, Granularity::Statement).edges.len(),
        body.edges.len()
    );
}

#[test]
fn an_irreducible_loop_and_calls_are_cut() {
    let two_entries = body(
        "  entry L0 exit L9\n  L0 -> L1: assume b\n  L0 -> L2: assume !b\n  L1 -> L2: x := 1:i32\n  \
         L2 -> L1: x := 2:i32",
    );
    let loops = Loops::of(&two_entries);
    assert_eq!(loops.heads.len(), 1);
    assert_eq!(
        (loops.back_edges.len(), loops.irreducible_edges.len()),
        (0, 1)
    );
    let calls = body(
        "  entry L0 exit L4\n  L0 -> L1: skip\n  L1 -> L2: call g()\n  L2 -> L3: skip\n  L3 -> L4: skip",
    );
    let graph = BlockGraph::of(&calls, Granularity::LoopFree);
    assert_eq!(graph.cutpoints, [0, 1, 2, 4].map(LocId));
}
