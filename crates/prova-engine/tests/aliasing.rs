//! Laws of aliasing: the work grows linearly with the number of addresses that may be the same.
//! Counts, never times.

mod support;

use prova_engine::{Auto, Dash};
use prova_task::Checker;
use support::aliasing::{blocks, elements, exchanges, handles, pointers, Question};
use support::{check_with, verdict};

/// A family: the text for a size, with a guard left out or not.
type Family = fn(usize, Option<usize>) -> String;

const FAMILIES: [(&str, Option<&str>, Family); 7] = [
    ("either", Some("f"), |n, l| pointers(n, Question::Either, l)),
    ("each", Some("f"), |n, l| pointers(n, Question::Each, l)),
    ("flag", Some("f"), |n, l| pointers(n, Question::Flag, l)),
    ("handles", Some("f"), handles),
    ("elements", None, elements),
    ("exchanges", Some("f"), exchanges),
    ("blocks", None, blocks),
];

/// Every further address takes at most this many iterations.
const EACH: u64 = 6;

fn law(engine: &dyn Checker, sizes: &[usize]) {
    let mut broken = Vec::new();
    for (name, entry, family) in FAMILIES {
        let mut counts: Vec<(usize, u64)> = Vec::new();
        for &n in sizes {
            // More accesses to unnamed objects than 24 are not kept apart by their types, so that a
            // model may be no test: two levels of pointers reach that first.
            if name == "handles" && n > 8 {
                continue;
            }
            let report = check_with(engine, name, &family(n, None), entry, 120);
            let said = verdict(&report);
            println!("{name} {n}: {said} {:?}", report.statistics);
            if said != "true" {
                broken.push(format!("{name}, n = {n}: {said}"));
            }
            counts.push((n, report.statistics.iterations));
        }
        for pair in counts.windows(2) {
            let ((n, a), (m, b)) = (pair[0], pair[1]);
            // What was unwound took no iterations, and is no measure for what was not.
            let a = a.max(EACH * n as u64);
            if b > a + EACH * (m - n) as u64 {
                broken.push(format!("{name} grows faster than linearly: {counts:?}"));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn aliasing_costs_dash_linearly() {
    law(&Dash::default(), &[4, 8, 16]);
}

#[test]
fn aliasing_costs_the_usual_engines_linearly() {
    law(&Auto::default(), &[4, 8]);
}

#[test]
fn addresses_that_may_be_the_same_are_found_so() {
    for (name, entry, family) in FAMILIES {
        for left_out in [0, 3, 7] {
            let source = family(8, Some(left_out));
            let report = check_with(&Dash::default(), name, &source, entry, 120);
            assert_eq!(verdict(&report), "false", "{name} without {left_out}");
        }
    }
}
