//! The framework on toys: what covers, what is found again, and that it ends.

mod toys;

use prova_engine::problem::blocks::{BlockId, Cutpoint, Granularity};
use prova_engine::problem::{Problem, Steps};
use prova_engine::reach::domain::{Domain, Index, Scan};
use prova_engine::reach::explore::{Exploration, Found, Manner, Order};
use prova_engine::reach::flow::Flow;
use prova_engine::reach::graph::{Graph, NodeId};
use prova_engine::reach::product::Product;
use prova_exec::state_vars::StateVar;
use prova_ir::RegId;
use prova_logic::{Term, Terms};
use prova_task::prepare::{prepare_as, Form};
use std::fmt::Debug;
use toys::{Bounds, Constants, Parity};

fn problem(body: &str) -> Problem {
    let text = format!(
        "prova-ir 1 lp64\nfile 0 \"t.c\"\nproc main() -> r {{\n  result r : i32\n  local i : i32\n  \
         local x : i32\n  local y : i32\n{body}\n}}\nentry main\n"
    );
    let program = prova_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let form = Form {
        sliced: false,
        ..Form::USUAL
    };
    let prepared = prepare_as(&program, form).expect("one procedure");
    Problem::new(prepared, Granularity::Statement)
}

fn variable(problem: &Problem, name: &str) -> Term {
    let registers = &problem.prepared.program.registers;
    let position = registers.iter().position(|r| r.name == name);
    let register = RegId::new(position.expect("it has this variable"));
    problem.encoding.vars.variable(StateVar::Register(register))
}

/// Both arms leave the same behind: an error that cannot be.
const DIAMOND: &str = "  entry L0 exit L5
  L0 -> L1: x := nondet input \"x\"
  L1 -> L2: assume x == 0:i32
  L1 -> L3: assume !(x == 0:i32)
  L2 -> L4: y := 1:i32
  L3 -> L4: y := 1:i32
  L4 -> L5: assume y == 1:i32
  L4 -> L6: assume !(y == 1:i32)
  error L6 \"unreach-call\" \"no\"";

/// Counts to a limit in steps; any other number behind it is an error.
fn counter(limit: u32, by: u32, end: u32) -> String {
    format!(
        "  entry L0 exit L4
  L0 -> L1: i := 0:i32
  L1 -> L2: assume i <s {limit}:i32
  L1 -> L3: assume !(i <s {limit}:i32)
  L2 -> L1: i := i + {by}:i32
  L3 -> L4: assume i == {end}:i32
  L3 -> L5: assume !(i == {end}:i32)
  error L5 \"unreach-call\" \"no\""
    )
}

const ALL: Manner = Manner::fixed_point(3);

fn begin<D: Domain>(
    terms: &mut Terms,
    flow: &Flow,
    domain: &mut D,
    manner: Manner,
) -> Exploration<D::State, D::Index> {
    let initial = domain.initial(terms);
    Exploration::new(flow, manner, initial)
}

/// The cutpoint where two blocks meet.
fn joint(flow: &Flow) -> Cutpoint {
    let joints = flow
        .order
        .iter()
        .filter(|c| flow.incoming[c.index()].len() == 2);
    *joints.min().expect("arms meet")
}

/// All of a graph that is there to be seen.
fn shown<S: Debug, I: Index<S>>(graph: &Graph<S, I>) -> Vec<String> {
    let nodes = graph.ids().map(|n| {
        let node = &graph[n];
        format!(
            "{n:?} {:?} {:?} {:?}",
            node.cutpoint, node.state, node.parent
        )
    });
    let steps = graph.steps();
    let steps = steps.into_iter().map(|s| format!("{s:?}"));
    nodes.chain(steps).collect()
}

#[test]
fn a_state_that_another_covers_is_not_kept() {
    let problem = problem(DIAMOND);
    let terms = &mut *problem.terms.borrow_mut();
    let steps = problem.steps(terms).expect("it encodes");
    let flow = Flow::new(&steps.blocks);
    let mut domain = Constants {
        steps,
        only: vec![],
    };
    let mut exploration = begin(terms, &flow, &mut domain, Manner::SEARCH);
    let found = exploration.go_on(terms, &flow, &mut domain, |_, _| false);
    assert_eq!(found, Found::Closed);
    let graph = &exploration.graph;
    let &[met] = graph.at(joint(&flow)) else {
        panic!("{:#?}", shown(graph));
    };
    let all = graph.steps();
    let into: Vec<_> = all.iter().filter(|s| s.1.contains(&met)).collect();
    assert_eq!(into.len(), 2, "both arms lead there");
    assert_eq!(graph[met].parent, Some(into[0].0), "the first one found it");
}

#[test]
fn what_a_node_covered_is_found_again_when_it_goes() {
    let problem = problem(DIAMOND);
    let terms = &mut *problem.terms.borrow_mut();
    let steps = problem.steps(terms).expect("it encodes");
    let flow = Flow::new(&steps.blocks);
    let mut domain = Constants {
        steps,
        only: vec![],
    };
    let mut exploration = begin(terms, &flow, &mut domain, Manner::SEARCH);
    exploration.go_on(terms, &flow, &mut domain, |_, _| false);
    let (count, taken) = (exploration.graph.count(), exploration.steps);
    let &[met] = exploration.graph.at(joint(&flow)) else {
        panic!("one node");
    };
    let behind = exploration.graph.steps();
    let behind = behind.iter().find(|s| s.0 .0 == met).expect("an end").1[0];
    exploration.cut(&flow, met);
    assert!(exploration.graph.get(met).is_none());
    assert!(exploration.graph.get(behind).is_none(), "with what follows");
    assert_eq!(exploration.graph.count(), count - 2);
    let found = exploration.go_on(terms, &flow, &mut domain, |_, _| false);
    assert_eq!(found, Found::Closed);
    let graph = &exploration.graph;
    assert_eq!(graph.count(), count);
    let &[again] = graph.at(joint(&flow)) else {
        panic!("{:#?}", shown(graph));
    };
    let into = graph.steps().iter().filter(|s| s.1 == [again]).count();
    assert_eq!(into, 2, "both arms lead there again");
    assert_eq!(
        exploration.steps,
        taken + 4,
        "the arms and two ends, no more"
    );
}

#[test]
fn what_a_node_covered_is_found_again_when_it_shrinks() {
    let problem = problem(DIAMOND);
    let terms = &mut *problem.terms.borrow_mut();
    let steps = problem.steps(terms).expect("it encodes");
    let flow = Flow::new(&steps.blocks);
    let x = variable(&problem, "x");
    let mut domain = Constants {
        steps,
        only: vec![],
    };
    let mut exploration = begin(terms, &flow, &mut domain, Manner::SEARCH);
    exploration.go_on(terms, &flow, &mut domain, |_, _| false);
    let met = exploration.graph.at(joint(&flow))[0];
    let whole = exploration.graph[met].state.clone();
    let mut smaller = whole.clone();
    smaller.insert(x, terms.bv(0, 32));
    exploration.restate(&flow, met, smaller.clone());
    let found = exploration.go_on(terms, &flow, &mut domain, |_, _| false);
    assert_eq!(found, Found::Closed);
    let graph = &exploration.graph;
    let &[shrunk, rest] = graph.at(joint(&flow)) else {
        panic!("{:#?}", shown(graph));
    };
    assert_eq!((shrunk, &graph[shrunk].state), (met, &smaller));
    assert_eq!(graph[rest].state, whole, "nothing that was covered is lost");
}

#[test]
fn an_error_is_told_with_a_shortest_path() {
    let problem = problem(&counter(3, 1, 4));
    let terms = &mut *problem.terms.borrow_mut();
    let steps = problem.steps(terms).expect("it encodes");
    let flow = Flow::new(&steps.blocks);
    let mut domain = Constants {
        steps,
        only: vec![],
    };
    let mut exploration = begin(terms, &flow, &mut domain, Manner::SEARCH);
    let found = exploration.go_on(terms, &flow, &mut domain, |_, _| false);
    let Found::Error((node, block)) = found else {
        panic!("{found:?}");
    };
    let mut path = exploration.graph.path(node);
    path.push(block);
    assert_eq!(flow.source(path[0]), Cutpoint::START);
    assert!(path
        .windows(2)
        .all(|w| flow.target(w[0]) == flow.source(w[1])));
    assert!(flow.is_error(flow.target(block)));
    // The start, what nobody set, the first value, three rounds of two blocks, out and on.
    assert_eq!(path.len(), 1 + 1 + 1 + 3 * 2 + 1 + 1);
    let again = exploration.go_on(terms, &flow, &mut domain, |_, _| false);
    assert_eq!(again, found, "without a change it is found again");

    // Keeping nothing, the loop is left at once.
    let y = variable(&problem, "r");
    let mut domain = Constants {
        steps,
        only: vec![y],
    };
    let mut exploration = begin(terms, &flow, &mut domain, Manner::SEARCH);
    let found = exploration.go_on(terms, &flow, &mut domain, |_, _| false);
    let Found::Error((node, _)) = found else {
        panic!("{found:?}");
    };
    assert_eq!(exploration.graph.path(node).len(), 4);
}

#[test]
fn a_trap_is_no_proof() {
    let problem = problem(
        "  entry L0 exit L4
  L0 -> L1: x := 0:i32
  L1 -> L2: y := 5:i32 /s x
  L2 -> L4: assume !(y == 7:i32)
  L2 -> L3: assume y == 7:i32
  error L3 \"unreach-call\" \"no\"",
    );
    let terms = &mut *problem.terms.borrow_mut();
    let steps = problem.steps(terms).expect("it encodes");
    let flow = Flow::new(&steps.blocks);
    let mut domain = Constants {
        steps,
        only: vec![],
    };
    let mut exploration = begin(terms, &flow, &mut domain, Manner::SEARCH);
    let found = exploration.go_on(terms, &flow, &mut domain, |_, _| false);
    assert!(matches!(found, Found::Trapped(_)), "{found:?}");
}

/// Explores in one go and with a pause after every few steps, and compares.
fn paused<D: Domain>(terms: &mut Terms, flow: &Flow, domain: &mut D, manner: Manner)
where
    D::State: Debug,
{
    let mut whole = begin(terms, flow, domain, manner);
    let end = whole.go_on(terms, flow, domain, |_, _| false);
    for every in 1..6 {
        let mut parts = begin(terms, flow, domain, manner);
        let mut pauses = 0;
        let found = loop {
            let last = parts.steps + every;
            match parts.go_on(terms, flow, domain, |steps, _| steps > last) {
                Found::Limit => pauses += 1,
                found => break found,
            }
        };
        assert!(pauses > 1, "it was paused");
        assert_eq!(found, end);
        assert_eq!(parts.steps, whole.steps);
        assert_eq!(shown(&parts.graph), shown(&whole.graph));
    }
}

#[test]
fn pauses_change_nothing() {
    for (limit, end) in [(5, 5), (5, 6)] {
        let problem = problem(&counter(limit, 1, end));
        let terms = &mut *problem.terms.borrow_mut();
        let steps = problem.steps(terms).expect("it encodes");
        let flow = Flow::new(&steps.blocks);
        let of = variable(&problem, "i");
        for order in [Order::BreadthFirst, Order::ReversePostorder] {
            let manner = Manner {
                order,
                ..Manner::SEARCH
            };
            paused(
                terms,
                &flow,
                &mut Constants {
                    steps,
                    only: vec![],
                },
                manner,
            );
            let manner = Manner { order, ..ALL };
            paused(terms, &flow, &mut Bounds { steps, of }, manner);
            let mut product = Product(Parity { steps, of }, Bounds { steps, of });
            paused(terms, &flow, &mut product, manner);
        }
    }
}

/// The state that the bounds have where a block of the error starts.
fn before_error(
    steps: &Steps,
    flow: &Flow,
    graph: &Graph<(i128, i128), Scan>,
) -> Option<(i128, i128)> {
    let error = steps.blocks.errors[0];
    let block: BlockId = flow.incoming[error.index()][0];
    let node: &NodeId = graph.at(flow.source(block)).first()?;
    Some(graph[*node].state)
}

#[test]
fn widening_ends_and_narrowing_takes_back() {
    let problem = problem(&counter(1_000_000, 1, 1_000_000));
    let terms = &mut *problem.terms.borrow_mut();
    let steps = problem.steps(terms).expect("it encodes");
    let flow = Flow::new(&steps.blocks);
    let of = variable(&problem, "i");
    for order in [Order::BreadthFirst, Order::ReversePostorder] {
        let mut domain = Bounds { steps, of };
        let manner = Manner { order, ..ALL };
        let mut exploration = begin(terms, &flow, &mut domain, manner);
        let found = exploration.go_on(terms, &flow, &mut domain, |steps, _| steps > 100);
        assert_eq!(found, Found::Closed, "a million rounds in a hundred steps");
        let wide = before_error(steps, &flow, &exploration.graph);
        assert_eq!(wide, Some((1_000_000, i32::MAX.into())));
        exploration.narrow(terms, &flow, &mut domain);
        exploration.narrow(terms, &flow, &mut domain);
        let narrow = before_error(steps, &flow, &exploration.graph);
        assert_eq!(narrow, Some((1_000_000, 1_000_000)));
    }
    // Without widening it takes its time.
    let mut domain = Bounds { steps, of };
    let manner = Manner {
        patience: u32::MAX,
        ..ALL
    };
    let mut exploration = begin(terms, &flow, &mut domain, manner);
    let found = exploration.go_on(terms, &flow, &mut domain, |steps, _| steps > 100);
    assert_eq!(found, Found::Limit);
}

#[test]
fn a_product_excludes_what_neither_half_does() {
    // Even and 9 or 10: neither half says which.
    let problem = problem(&counter(9, 2, 10));
    let terms = &mut *problem.terms.borrow_mut();
    let steps = problem.steps(terms).expect("it encodes");
    let flow = Flow::new(&steps.blocks);
    let of = variable(&problem, "i");
    let manner = Manner {
        ends_at_errors: true,
        ..Manner::fixed_point(20)
    };
    fn found<D: Domain>(terms: &mut Terms, flow: &Flow, mut domain: D, manner: Manner) -> Found {
        let mut exploration = begin(terms, flow, &mut domain, manner);
        exploration.go_on(terms, flow, &mut domain, |steps, _| steps > 1_000)
    }
    let (parity, bounds) = (|| Parity { steps, of }, || Bounds { steps, of });
    let alone = found(terms, &flow, parity(), manner);
    assert!(matches!(alone, Found::Error(_)), "{alone:?}");
    let alone = found(terms, &flow, bounds(), manner);
    assert!(matches!(alone, Found::Error(_)), "{alone:?}");
    let both = found(terms, &flow, Product(parity(), bounds()), manner);
    assert_eq!(both, Found::Closed);
    let both = found(terms, &flow, Product(bounds(), parity()), manner);
    assert_eq!(both, Found::Closed);
}

#[test]
fn a_product_joins_where_the_half_that_keeps_apart_agrees() {
    let problem = problem(
        "  entry L0 exit L6
  L0 -> L1: x := nondet input \"x\"
  L1 -> L2: assume x == 0:i32
  L1 -> L3: assume !(x == 0:i32)
  L2 -> L4: i := 1:i32
  L3 -> L4: i := 3:i32
  L4 -> L5: y := 7:i32
  L5 -> L6: assume !(i == 2:i32)
  L5 -> L7: assume i == 2:i32
  error L7 \"unreach-call\" \"no\"",
    );
    let terms = &mut *problem.terms.borrow_mut();
    let steps = problem.steps(terms).expect("it encodes");
    let flow = Flow::new(&steps.blocks);
    let (i, y) = (variable(&problem, "i"), variable(&problem, "r"));
    let bounds = || Bounds { steps, of: i };
    let mut count = |only: Vec<Term>| {
        let mut domain = Product(Constants { steps, only }, bounds());
        let mut exploration = begin(terms, &flow, &mut domain, ALL);
        exploration.go_on(terms, &flow, &mut domain, |_, _| false);
        exploration.graph.at(joint(&flow)).len()
    };
    assert_eq!(count(vec![y]), 1, "nothing tells the arms apart");
    assert_eq!(count(vec![i]), 2, "the constants do");
}
