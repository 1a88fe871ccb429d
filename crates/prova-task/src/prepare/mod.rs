//! From a task's program to the one procedure that engines work on: no calls, no indirect jumps,
//! nothing that cannot matter.
//!
//! Inputs keep their order through all of it, so that a test found on the prepared program is a
//! test of the original one.

pub mod procedures;

use crate::outcome::Unknown;
use crate::scope::Scope;
use prova_exec::cells::{follow_cells, Ghosts};
use prova_exec::passes::CELLS;
use prova_ir::passes::devirtualise::devirtualise;
use prova_ir::passes::entries::Entry;
use prova_ir::passes::externals::externals;
use prova_ir::passes::inline::{inline_with, InlineError, Inlined, Recursion};
use prova_ir::passes::named::{MOST_LOCATIONS, ONE_PROCEDURE};
use prova_ir::passes::simplify_graph::{simplify_graph, Labels};
use prova_ir::passes::slice::{slice, SliceOptions};
use prova_ir::passes::uninitialised::uninitialised;
use prova_ir::{Body, EdgeId, LocId, ProcId, Program, Span, Statement};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The passes of [`prepare`], as certificates name them: the checker applies them again, from
/// this list.
pub const PASSES: &[&str] = ONE_PROCEDURE;

/// How a program becomes one procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Without what cannot matter for an error. A slice has runs that the program ends before, by
    /// undefined behaviour that the slice left out.
    pub sliced: bool,
    /// With procedures that call themselves, once. A run that goes deeper ends in an error
    /// location of its own, so that a proof is one for all depths.
    pub recursive: bool,
}

impl Form {
    /// What most programs become.
    pub const USUAL: Form = Form {
        sliced: true,
        recursive: false,
    };

    /// What programs with procedures that call themselves become, for engines of one procedure.
    pub const NOT_DEEP: Form = Form {
        sliced: true,
        recursive: true,
    };

    /// Its passes.
    fn passes(self) -> Vec<&'static str> {
        let kept = PASSES.iter().filter(|p| self.sliced || **p != "slice");
        kept.map(|pass| match *pass {
            "inline" if self.recursive => "inline-recursion-once",
            pass => pass,
        })
        .collect()
    }

    fn recursion(self) -> Recursion {
        match self.recursive {
            true => Recursion::UpTo(1),
            false => Recursion::Refused,
        }
    }
}

/// A program ready for an engine.
#[derive(Debug)]
pub struct Prepared {
    /// The program that is analysed: one procedure, or several that call one another.
    pub program: Arc<Program>,
    /// The program before inlining, on which tests are confirmed.
    pub original: Arc<Program>,
    /// The passes that made it from what was written.
    pub passes: Vec<&'static str>,
    /// What loops were entered with, where that is kept.
    pub entries: Vec<Entry>,
    inlined: Option<Inlined>,
    entry: ProcId,
}

/// The program as its author wrote it, with everything arbitrary made an input: tests of
/// violations are tests of this form.
pub fn as_written(program: &Program) -> Program {
    let mut original = program.clone();
    devirtualise(&mut original);
    externals(&mut original, &|_| false);
    // Arbitrary first values become inputs now, so that inlining adds none that tests would count.
    uninitialised(&mut original);
    // Before anything counts refilled memory: all forms of the program number it alike.
    prova_exec::separate_nan_bits(&mut original);
    original
}

/// Why a program cannot become one procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unprepared {
    /// These procedures call one another in a circle.
    Recursion(Vec<String>),
    /// Anything else.
    Other(String),
}

impl From<Unprepared> for Unknown {
    fn from(reason: Unprepared) -> Unknown {
        Unknown::Unsupported {
            what: match reason {
                Unprepared::Recursion(names) => format!("recursion ({})", names.join(", ")),
                Unprepared::Other(what) => what,
            },
            span: None,
        }
    }
}

/// Which calls are inlined. A program that recurses is analysed procedure by procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Inline {
    /// None.
    Never,
    /// All, where nothing recurses.
    #[default]
    Always,
}

impl Inline {
    /// Prepares a program: as one procedure if it is to be and can be, else as several.
    pub fn prepare(self, program: &Program) -> Result<Prepared, Unknown> {
        match self {
            Inline::Never => procedures::prepare(program),
            Inline::Always => match prepare(program) {
                Err(Unprepared::Recursion(_)) => procedures::prepare(program),
                other => other.map_err(Unknown::from),
            },
        }
    }
}

/// Prepares a program whose error locations are woven in.
pub fn prepare(program: &Program) -> Result<Prepared, Unprepared> {
    prepare_as(program, Form::USUAL)
}

/// Prepares a program in one of the forms.
pub fn prepare_as(program: &Program, form: Form) -> Result<Prepared, Unprepared> {
    let original = as_written(program);
    let inlined = inline_with(&original, form.recursion(), MOST_LOCATIONS);
    let mut inlined = inlined.map_err(|e| match e {
        InlineError::Recursion(names) => Unprepared::Recursion(names),
        other => Unprepared::Other(other.to_string()),
    })?;
    let entry = inlined.program.entry.expect("inlining keeps the entry");
    let maps = simplify_graph(&mut inlined.program, Labels::Drop);
    inlined.relocate(&maps[entry.index()]);
    if form.sliced {
        let sliced = slice(&mut inlined.program, SliceOptions::default());
        inlined.relocate(&sliced.map);
    }
    Ok(Prepared {
        passes: form.passes(),
        entries: Vec::new(),
        program: Arc::new(inlined.program.clone()),
        original: Arc::new(original),
        inlined: Some(inlined),
        entry,
    })
}

/// Prepares a program once more as it was for a proof, from the passes that the proof names.
pub fn prepare_again(program: &Program, passes: &[&str]) -> Result<Prepared, Unprepared> {
    let form = Form {
        sliced: passes.contains(&"slice"),
        recursive: passes.contains(&"inline-recursion-once"),
    };
    let mut prepared = prepare_as(program, form)?;
    if passes.contains(&"entries") {
        prepared = prepared.with_entries().unwrap_or(prepared);
    }
    for (i, cells) in CELLS.iter().enumerate() {
        if passes.contains(cells) {
            let followed = prepared.with_cells(i + 1);
            prepared = followed.map_err(Unprepared::Other)?.0;
        }
    }
    Ok(prepared)
}

impl Prepared {
    /// A program of several procedures, made from `original`.
    pub(crate) fn of_procedures(program: Program, original: Program, entry: ProcId) -> Prepared {
        Prepared {
            program: Arc::new(program),
            original: Arc::new(original),
            passes: procedures::PASSES.to_vec(),
            entries: Vec::new(),
            inlined: None,
            entry,
        }
    }

    /// The same with what loops were entered with kept, if it is one procedure and there is any.
    pub fn with_entries(&self) -> Option<Prepared> {
        let mut inlined = self.inlined.clone()?;
        let entries = inlined.keep_entries();
        if entries.is_empty() {
            return None;
        }
        Some(Prepared {
            program: Arc::new(inlined.program.clone()),
            original: self.original.clone(),
            passes: self.passes.iter().copied().chain(["entries"]).collect(),
            entries,
            inlined: Some(inlined),
            entry: self.entry,
        })
    }

    /// The same with ghosts that follow so many arbitrary cells of arrays. Its tests are no tests of
    /// the program.
    pub fn with_cells(&self, count: usize) -> Result<(Prepared, Ghosts), String> {
        let pass = *CELLS.get(count.wrapping_sub(1)).ok_or("no such pass")?;
        let mut inlined = self.inlined.clone().ok_or("several procedures")?;
        let ghosts = follow_cells(&mut inlined.program, count)?;
        for old in ghosts.beside.iter().map(|l| l.index()) {
            inlined.instance_of.push(inlined.instance_of[old]);
            inlined.origin.push(inlined.origin[old]);
        }
        let prepared = Prepared {
            program: Arc::new(inlined.program.clone()),
            original: self.original.clone(),
            passes: self.passes.iter().copied().chain([pass]).collect(),
            entries: self.entries.clone(),
            inlined: Some(inlined),
            entry: self.entry,
        };
        Ok((prepared, ghosts))
    }

    /// Whether all calls were inlined.
    pub fn is_one_procedure(&self) -> bool {
        self.inlined.is_some()
    }

    /// The procedure where execution starts.
    pub fn entry(&self) -> ProcId {
        self.entry
    }

    /// Its graph.
    pub fn body(&self) -> &Body {
        self.body_of(self.entry)
    }

    /// The graph of a procedure that is called.
    pub fn body_of(&self, procedure: ProcId) -> &Body {
        self.program
            .procedure(procedure)
            .body
            .as_ref()
            .expect("what is called has a body")
    }

    /// The edge that a step of a run took; `None` for a return.
    pub fn edge_at(&self, place: &prova_exec::Place) -> Option<&prova_ir::Edge> {
        Some(self.body_of(place.proc).edge(place.edge?))
    }

    /// The calls that lead to a location of the entry, outermost first: procedures with the
    /// call's position.
    pub fn call_path(&self, location: LocId) -> Vec<(ProcId, Option<Span>)> {
        match &self.inlined {
            Some(inlined) => inlined.call_path(location),
            None => vec![(self.entry, None)],
        }
    }

    /// What an edge of the entry does that is not modelled, if anything.
    pub fn marker_on(&self, edge: EdgeId) -> Option<(String, Span)> {
        self.marker_of(self.body().edge(edge))
    }

    /// The user's own place of where a run ended: inside a library model, that of the call.
    pub fn own_place(&self, run: &prova_exec::Run, at: prova_exec::At) -> Span {
        let own = |span: &Span| self.program.is_own(*span);
        let span = self.body_of(at.proc).location(at.location).span;
        if own(&span) {
            return span;
        }
        let mut calls = match at.proc == self.entry {
            true => self.call_path(at.location),
            false => Vec::new(),
        };
        calls.reverse();
        let call = calls.into_iter().find_map(|(_, call)| call.filter(own));
        let passed = || {
            let spans = run
                .path()
                .filter_map(|(_, place)| Some(self.edge_at(&place)?.span));
            spans.filter(own).last()
        };
        call.or_else(passed).unwrap_or(span)
    }

    /// The user's own place of a step: inside a library model, that of what led there.
    pub fn own_span(&self, run: &prova_exec::Run, step: u32) -> Option<Span> {
        const FURTHEST: usize = 1 << 12;
        let place = run.edge_at(step)?;
        let here = self.edge_at(&place)?.span;
        if self.program.is_own(here) {
            return Some(here);
        }
        if self.inlined.is_some() {
            let calls = self.call_path(place.source);
            let mut calls = calls.into_iter().rev().filter_map(|c| c.1);
            if let Some(call) = calls.find(|span| self.program.is_own(*span)) {
                return Some(call);
            }
        }
        let steps = (0..=step).rev().take(FURTHEST);
        let mut spans = steps.filter_map(|s| Some(self.edge_at(&run.edge_at(s)?)?.span));
        spans.find(|span| self.program.is_own(*span))
    }

    /// The procedure that a location was inlined from, and which of its copies this is, from one.
    pub fn instance(&self, location: LocId) -> Option<(ProcId, u32)> {
        let inlined = self.inlined.as_ref()?;
        let own = *inlined.instance_of.get(location.index())? as usize;
        let procedure = inlined.instances.get(own)?.procedure;
        let copies = inlined.instances[..=own].iter();
        let copy = copies.filter(|i| i.procedure == procedure).count();
        Some((procedure, copy as u32))
    }

    /// The copy that a location belongs to and those that lead to it, its own first, each as
    /// [`instance`](Self::instance) numbers it.
    pub fn instances_at(&self, location: LocId) -> Vec<(ProcId, u32)> {
        let Some(inlined) = &self.inlined else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let mut at = inlined.instance_of.get(location.index()).copied();
        while let Some(own) = at {
            let instance = &inlined.instances[own as usize];
            let before = inlined.instances[..=own as usize].iter();
            let copy = before.filter(|i| i.procedure == instance.procedure).count();
            found.push((instance.procedure, copy as u32));
            at = instance.caller.map(|(caller, _)| caller);
        }
        found
    }

    /// How many copies of a procedure there are.
    pub fn copies(&self, procedure: ProcId) -> u32 {
        let instances = self.inlined.iter().flat_map(|i| &i.instances);
        instances.filter(|i| i.procedure == procedure).count() as u32
    }

    /// What an edge does that is not modelled, if anything.
    pub fn marker_of(&self, edge: &prova_ir::Edge) -> Option<(String, Span)> {
        match edge.statement {
            Statement::Marker(id) => {
                let marker = &self.program.markers[id.index()];
                Some((marker.kind.to_string(), marker.span))
            }
            _ => None,
        }
    }

    /// What any verdict on this program rests on, before a search.
    pub fn scope(&self) -> Scope {
        let mut scope = Scope::default();
        let mut seen = FxHashSet::default();
        let bodies = self
            .program
            .procedures
            .iter()
            .filter_map(|p| p.body.as_ref());
        for edge in bodies.flat_map(|b| &b.edges) {
            if let Statement::Marker(id) = edge.statement {
                if seen.insert(id) {
                    let marker = &self.program.markers[id.index()];
                    scope.markers.push((marker.kind.to_string(), marker.span));
                }
            }
        }
        scope
    }
}
