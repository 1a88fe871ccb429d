//! All engines, once: the command line, `prova.toml`, the documentation and `auto` read this list.

use crate::engine::{Engine, Quota};
use crate::engines::ai::Interpretation;
use crate::engines::bmc::{bounds::Bounds, Bmc};
use crate::engines::cells::Cells;
use crate::engines::classes::ByClasses;
use crate::engines::dart::{self, Dart};
use crate::engines::dash::Dash;
use crate::engines::fabricate::Fabricate;
use crate::engines::fuzz::{Fuzz, Kept};
use crate::engines::impact::Impact;
use crate::engines::kind::Kind;
use crate::engines::lazy::domain::Abstraction;
use crate::engines::lazy::Lazy;
use crate::engines::lee_yannakakis::LeeYannakakis;
use crate::engines::pdr::Pdr;
use crate::engines::random::Random;
use crate::engines::slam::Slam;
use crate::engines::states::States;
use crate::engines::synergy::Synergy;
use crate::engines::tables::Tables;
use crate::engines::values::Values;
use crate::interpolation::First;
use crate::knowledge::sources::Sources;
use crate::portfolio::accept::Accept;
use crate::portfolio::exchange::{Exchange, Side};
use crate::portfolio::{alone, Auto};
use crate::problem::blocks::Granularity;
use prova_logic::SolverConfig;
use prova_task::{Budget, Checker, Inline, Observer, Report, Task};

/// What may be chosen about engines, whichever it is.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How large a step is.
    pub granularity: Granularity,
    /// Which calls are inlined.
    pub inline: Inline,
    /// The solver.
    pub solver: SolverConfig,
    /// Where facts and predicates come from.
    pub sources: Sources,
    /// Whether callees are asked anew at every call.
    pub without_summaries: bool,
    /// How much an engine by itself may do, where not as much as the budget allows.
    pub quota: Option<Quota>,
    /// Which path `dart` runs next.
    pub order: dart::Order,
    /// How far loops are followed, for engines that unwind them.
    pub bounds: Bounds,
    /// How predicate abstraction keeps combinations of predicates.
    pub abstraction: Abstraction,
    /// Who is asked for interpolants first.
    pub interpolants: First,
    /// Tests that fuzzing begins with, beside those that are known.
    pub seeds: Vec<prova_fuzz::Candidate>,
    /// Where fuzzing leaves the tests that it keeps, if somebody wants them.
    pub kept: Option<Kept>,
    /// Who has to accept a proof before it ends a search with several engines.
    pub accept: Accept,
    /// Where tests are exchanged with a search that works at the same time, if there is one.
    pub exchange: Option<Exchange>,
}

impl Settings {
    /// Which of two searches this is.
    pub fn side(&self) -> Side {
        self.exchange.as_ref().map_or(Side::First, |e| e.side)
    }
}

/// An engine as people choose it.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    make: fn(&Settings) -> Box<dyn Engine>,
}

/// The engines.
pub const ENGINES: &[Entry] = &[
    Entry {
        name: "dash",
        about: "proofs from tests: tests and a partition refined together, one question per step",
        paper: "Beckman, Nori, Rajamani, Simmons: Proofs from Tests (ISSTA 2008)",
        make: |settings| {
            Box::new(Dash {
                granularity: settings.granularity,
                solver: settings.solver.clone(),
                sources: settings.sources,
                inline: settings.inline,
                without_summaries: settings.without_summaries,
                ..Dash::default()
            })
        },
    },
    Entry {
        name: "values",
        about: "explicit values of the variables that matter, refined by paths that cannot be run",
        paper: "Beyer, Löwe: Explicit-State Software Model Checking (FASE 2013)",
        make: |settings| {
            Box::new(Values {
                solver: settings.solver.clone(),
                ..Values::default()
            })
        },
    },
    Entry {
        name: "states",
        about: "explicit states at loop heads, the program run from each, inputs in classes",
        paper: "Holzmann: The Model Checker SPIN (TSE 1997)",
        make: |settings| {
            Box::new(States {
                solver: settings.solver.clone(),
            })
        },
    },
    Entry {
        name: "tables",
        about: "explicit values procedure by procedure: what each entry state returns with, once",
        paper: "Sharir, Pnueli: Two Approaches to Interprocedural Data Flow Analysis (1981)",
        make: |settings| {
            Box::new(Tables {
                solver: settings.solver.clone(),
            })
        },
    },
    Entry {
        name: "pdr",
        about: "cubes that lead to an error excluded frame by frame, until a frame repeats",
        paper: "Lange, Neuhäußer, Noll: IC3 Software Model Checking on Control Flow Automata (FMCAD 2015)",
        make: |settings| {
            Box::new(Pdr {
                solver: settings.solver.clone(),
                sources: settings.sources,
            })
        },
    },
    Entry {
        name: "cells",
        about: "arrays by one or two arbitrary cells, which stand for all; gives proofs only",
        paper: "Monniaux, Gonnord: Cell Morphing: From Array Programs to Array-Free Horn Clauses (SAS 2016)",
        make: |settings| {
            Box::new(Cells {
                solver: settings.solver.clone(),
            })
        },
    },
    Entry {
        name: "synergy",
        about: "tests and a partition refined together, by preimages of whole regions",
        paper: "Gulavani, Henzinger, Kannan, Nori, Rajamani: SYNERGY: A New Algorithm for Property Checking (FSE 2006)",
        make: |settings| {
            Box::new(Synergy {
                solver: settings.solver.clone(),
                sources: settings.sources,
            })
        },
    },
    Entry {
        name: "lee-yannakakis",
        about: "the reachable bisimulation quotient; ends where that is finite",
        paper: "Lee, Yannakakis: Online Minimization of Transition Systems (STOC 1992)",
        make: |settings| {
            Box::new(LeeYannakakis {
                solver: settings.solver.clone(),
            })
        },
    },
    Entry {
        name: "dart",
        about: "directed testing alone, path by path; a proof where all paths were run",
        paper: "Godefroid, Klarlund, Sen: DART: Directed Automated Random Testing (PLDI 2005)",
        make: |settings| {
            Box::new(Dart {
                order: settings.order,
                solver: settings.solver.clone(),
            })
        },
    },
    Entry {
        name: "bmc",
        about: "the program unwound, loops round by round, and one question about all paths",
        paper: "Clarke, Kroening, Lerda: A Tool for Checking ANSI-C Programs (TACAS 2004)",
        make: |settings| {
            Box::new(Bmc {
                solver: settings.solver.clone(),
                bounds: settings.bounds.clone(),
            })
        },
    },
    Entry {
        name: "kind",
        about: "k-induction between loop heads, with facts from the other engines and sources",
        paper: "Sheeran, Singh, Stålmarck: Checking Safety Properties Using Induction and a \
                SAT-Solver (FMCAD 2000)",
        make: |settings| {
            Box::new(Kind {
                solver: settings.solver.clone(),
            })
        },
    },
    Entry {
        name: "impact",
        about: "an unwinding with labels from interpolants alone, covering and uncovering",
        paper: "McMillan: Lazy Abstraction with Interpolants (CAV 2006)",
        make: |settings| {
            Box::new(Impact {
                solver: settings.solver.clone(),
                first: settings.interpolants,
                ..Impact::default()
            })
        },
    },
    Entry {
        name: "lazy",
        about:
            "lazy abstraction: predicates at each place, where a path that cannot be run needs them",
        paper: "Henzinger, Jhala, Majumdar, Sutre: Lazy Abstraction (POPL 2002)",
        make: |settings| {
            Box::new(Lazy {
                solver: settings.solver.clone(),
                first: settings.interpolants,
                abstraction: settings.abstraction,
            })
        },
    },
    Entry {
        name: "slam",
        about: "predicate abstraction of the whole program, its Boolean program checked with BDDs",
        paper: "Ball, Rajamani: The SLAM Project (POPL 2002)",
        make: |settings| {
            Box::new(Slam {
                solver: settings.solver.clone(),
                abstraction: settings.abstraction,
            })
        },
    },
    Entry {
        name: "classes",
        about: "variables as classes of values between the constants that they are compared with",
        paper: "Graf, Saïdi: Construction of Abstract State Graphs with PVS (CAV 1997)",
        make: |settings| {
            Box::new(ByClasses {
                solver: settings.solver.clone(),
            })
        },
    },
    Entry {
        name: "ai",
        about: "an abstract interpretation and no search: intervals, bits, differences and sums",
        paper: "Miné: The Octagon Abstract Domain (HOSC 2006)",
        make: |settings| {
            Box::new(Interpretation {
                solver: settings.solver.clone(),
            })
        },
    },
    Entry {
        name: "fabricate",
        about: "abstract states that tests cover, closed by states that are fabricated and run",
        paper: "Yorsh, Ball, Sagiv: Testing, Abstraction, Theorem Proving: Better Together! (ISSTA 2006)",
        make: |settings| {
            Box::new(Fabricate {
                solver: settings.solver.clone(),
            })
        },
    },
    Entry {
        name: "fuzz",
        about: "tests by the hundred thousand, changed at random and by what runs compared",
        paper: "Böhme, Pham, Roychoudhury: Coverage-based Greybox Fuzzing as Markov Chain (CCS 2016)",
        make: |settings| {
            Box::new(Fuzz {
                seeds: settings.seeds.clone(),
                kept: settings.kept.clone(),
            })
        },
    },
    Entry {
        name: "random",
        about: "random tests and nothing else: finds what is easy to find",
        paper: "the example of CONTRIBUTING.md",
        make: |_| Box::new(Random),
    },
];

/// What `auto` is: engines by turns.
pub const AUTO: (&str, &str) = (
    "auto",
    "engines by turns, each with what the others have found; the one to begin with",
);

/// All names, `auto` first.
pub fn names() -> impl Iterator<Item = &'static str> {
    [AUTO.0].into_iter().chain(ENGINES.iter().map(|e| e.name))
}

/// An engine by its name.
pub fn engine(name: &str, settings: &Settings) -> Option<Box<dyn Engine>> {
    let entry = ENGINES.iter().find(|e| e.name == name)?;
    Some((entry.make)(settings))
}

/// Whoever goes by this name, ready to decide tasks.
pub fn checker(name: &str, settings: &Settings) -> Option<Box<dyn Checker>> {
    if name == AUTO.0 {
        let settings = settings.clone();
        return Some(Box::new(Auto { settings }));
    }
    Some(Box::new(Alone {
        engine: engine(name, settings)?,
        settings: settings.clone(),
    }))
}

struct Alone {
    engine: Box<dyn Engine>,
    settings: Settings,
}

impl Checker for Alone {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn check(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Report {
        alone(&*self.engine, &self.settings, task, budget, observer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_goes_by_its_name() {
        for name in names() {
            let made = checker(name, &Settings::default()).expect("it is in the list");
            assert_eq!(made.name(), name);
        }
        assert!(checker("nobody", &Settings::default()).is_none());
    }
}
