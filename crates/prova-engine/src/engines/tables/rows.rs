//! The table: a row for each state that a procedure is entered in, with the states inside and those
//! it returns in; and how it is filled.

use super::matter::Matter;
use crate::engines::dash::calls::units::{Kind, SiteId, Units};
use crate::engines::values::ask::Asked;
use crate::engines::values::domain::{States, Through};
use crate::engines::values::state::{ground, Cells, Precision, State};
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::encoding::Encoding;
use crate::problem::transitions::Transitions;
use crate::reach::domain::Post;
use crate::reach::graph::{Graph, NodeId};
use prova_ir::{ProcId, Span};
use prova_logic::{Op, Sort, Substitution, Terms};
use rustc_hash::FxHashMap;

/// A row, by its number. That of the program's entry is the first.
pub type RowId = usize;

/// A procedure entered in one state.
pub struct Row {
    /// The procedure.
    pub procedure: ProcId,
    /// The states inside.
    pub states: States,
    /// The one it is entered in.
    first: NodeId,
    /// Those of them that are at its exit.
    pub exits: Vec<NodeId>,
    /// Who looks here: row, state and call.
    callers: Vec<(RowId, NodeId, SiteId)>,
    /// Where calls look.
    pub looks: FxHashMap<(NodeId, SiteId), Vec<RowId>>,
}

impl Row {
    /// The state it is entered in.
    pub fn entry(&self) -> &State {
        &self.states[self.first].state
    }
}

/// The program, for whoever fills a table.
pub struct World<'a> {
    /// The state as variables.
    pub encoding: &'a Encoding,
    /// The procedures.
    pub units: &'a Units,
    /// What steps do.
    pub transitions: &'a Transitions,
    /// What is kept.
    pub matter: &'a Matter,
}

/// What came of filling a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// Nothing is left to do.
    Closed,
    /// Told to stop.
    Limit,
    /// A step to an error, as far as values tell.
    Error(Option<Span>),
    /// A step that cannot but trap.
    Trap(Option<Span>),
}

/// Something to be done.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// Take all steps of a state.
    Expand(RowId, NodeId),
    /// Return from a state at an exit to one before a call.
    Return(RowId, NodeId, SiteId, RowId, NodeId),
}

/// All rows.
#[derive(Default)]
pub struct Table {
    /// The rows.
    pub rows: Vec<Row>,
    /// Steps taken.
    pub steps: u64,
    numbers: FxHashMap<(ProcId, State), RowId>,
    work: Vec<Task>,
    cells: Cells,
    precision: Precision,
}

impl Table {
    /// How many states there are.
    pub fn states(&self) -> usize {
        self.rows.iter().map(|r| r.states.count()).sum()
    }

    /// Goes on until something is met or `stop` says so.
    pub fn fill(
        &mut self,
        terms: &mut Terms,
        world: &World,
        asked: &mut Asked,
        stop: impl Fn(u64, &Asked) -> bool,
    ) -> Met {
        if self.rows.is_empty() {
            if let Some(met) = self.start(terms, world, asked) {
                return met;
            }
        }
        while let Some(task) = self.work.pop() {
            if stop(self.steps + 1, asked) {
                self.work.push(task);
                return Met::Limit;
            }
            let met = match task {
                Task::Expand(row, node) => self.expand(terms, world, asked, row, node),
                Task::Return(row, node, site, from, exit) => {
                    self.steps += 1;
                    self.come_back(terms, world, asked, (row, node, site), (from, exit))
                }
            };
            if let Some(met) = met {
                // What is met is met again by whoever goes on.
                self.work.push(task);
                return met;
            }
        }
        Met::Closed
    }

    fn through<'a>(&'a mut self, asked: &'a mut Asked) -> Through<'a> {
        Through {
            precision: &self.precision,
            cells: &mut self.cells,
            asked,
        }
    }

    fn start(&mut self, terms: &mut Terms, world: &World, asked: &mut Asked) -> Option<Met> {
        let entry = world.encoding.prepared.entry();
        let wanted = world
            .matter
            .at(entry, world.units.unit(entry).entry.index());
        let transition = world.transitions.get(world.units.start);
        let nothing = State::default();
        let mut before = Substitution::new();
        let mut through = self.through(asked);
        match through.post(terms, transition, Some(wanted), &nothing, &mut before) {
            Post::To(states) if states.len() == 1 => {
                let state = states.into_iter().next().expect("there is one");
                self.row(world, entry, state);
                None
            }
            // More than one way to begin: nothing is known then.
            _ => {
                self.row(world, entry, State::default());
                None
            }
        }
    }

    /// The row of a procedure entered in a state.
    fn row(&mut self, world: &World, procedure: ProcId, state: State) -> RowId {
        let key = (procedure, state);
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        let number = self.rows.len();
        let unit = world.units.unit(procedure);
        let mut states = Graph::new(unit.blocks.locations.len() + 1);
        let first = states.add(unit.entry, key.1.clone(), None, State::covers);
        self.numbers.insert(key, number);
        let exits = match unit.exit == Some(unit.entry) {
            true => vec![first],
            false => Vec::new(),
        };
        self.rows.push(Row {
            procedure,
            states,
            first,
            exits,
            callers: Vec::new(),
            looks: FxHashMap::default(),
        });
        self.work.push(Task::Expand(number, first));
        number
    }

    fn expand(
        &mut self,
        terms: &mut Terms,
        world: &World,
        asked: &mut Asked,
        row: RowId,
        node: NodeId,
    ) -> Option<Met> {
        let Row {
            procedure, states, ..
        } = &self.rows[row];
        let (procedure, here) = (*procedure, states[node].cutpoint);
        let state = states[node].state.clone();
        let unit = world.units.unit(procedure);
        let mut before = state.substitution(terms);
        for step in unit.steps_from(here) {
            let body = world.encoding.prepared.body_of(procedure);
            let span = step.edges.last().map(|&e| body.edge(e).span);
            let (block, wanted) = match step.kind {
                Kind::Local if unit.blocks.errors.contains(&step.target) => (step.block, None),
                Kind::Local => {
                    let wanted = world.matter.at(procedure, step.target.index());
                    (step.block, Some(wanted))
                }
                Kind::Return(site) => {
                    let callee = world.units.site(site).callee;
                    let wanted = &world.matter.entry[callee.index()];
                    (world.units.plain_bind(site), Some(wanted.as_slice()))
                }
                // An error in a callee is met in its own row.
                Kind::Fail(_) => continue,
            };
            self.steps += 1;
            let transition = world.transitions.get(block);
            let mut through = self.through(asked);
            let found = match through.post(terms, transition, wanted, &state, &mut before) {
                Post::Impossible => continue,
                Post::Trap => return Some(Met::Trap(span)),
                Post::To(found) => found,
            };
            self.rows[row].states.taken.insert(step.block);
            match step.kind {
                _ if wanted.is_none() && !found.is_empty() => return Some(Met::Error(span)),
                Kind::Return(site) => {
                    for entered in found {
                        self.look(world, (row, node, site), entered);
                    }
                }
                _ => {
                    for state in found {
                        self.arrive(row, (node, step.block), step.target, world, state);
                    }
                }
            }
        }
        None
    }

    /// A call looks at the row of the state that its callee is entered in.
    fn look(&mut self, world: &World, call: (RowId, NodeId, SiteId), entered: State) {
        let (row, node, site) = call;
        let callee = world.units.site(site).callee;
        let found = self.row(world, callee, entered);
        let looks = self.rows[row].looks.entry((node, site)).or_default();
        if looks.contains(&found) {
            return;
        }
        looks.push(found);
        self.rows[found].callers.push(call);
        for &exit in &self.rows[found].exits {
            self.work.push(Task::Return(row, node, site, found, exit));
        }
    }

    fn come_back(
        &mut self,
        terms: &mut Terms,
        world: &World,
        asked: &mut Asked,
        (row, node, site): (RowId, NodeId, SiteId),
        (from, exit): (RowId, NodeId),
    ) -> Option<Met> {
        let block = world.units.return_block(site);
        let step = world.units.step(block).expect("returns are steps");
        let state = self.rows[row].states[node].state.clone();
        let left = &self.rows[from].states[exit].state;
        let mut before = returned(terms, world, &state, site, left);
        let procedure = self.rows[row].procedure;
        let wanted = world.matter.at(procedure, step.target.index());
        let transition = world.transitions.get(block);
        let mut through = self.through(asked);
        match through.post(terms, transition, Some(wanted), &state, &mut before) {
            Post::Impossible => {}
            Post::Trap => return Some(Met::Trap(Some(world.units.site(site).span))),
            Post::To(found) => {
                for state in found {
                    self.arrive(row, (node, block), step.target, world, state);
                }
            }
        }
        None
    }

    fn arrive(
        &mut self,
        row: RowId,
        step: (NodeId, BlockId),
        target: Cutpoint,
        world: &World,
        state: State,
    ) {
        let this = &mut self.rows[row];
        let new = this.states.next();
        let node = this.states.add(target, state, Some(step), State::covers);
        this.states.lead(step, node);
        if node != new {
            return;
        }
        if world.units.unit(this.procedure).exit == Some(target) {
            this.exits.push(node);
            for &(caller, before, site) in &this.callers {
                self.work
                    .push(Task::Return(caller, before, site, row, node));
            }
        }
        self.work.push(Task::Expand(row, node));
    }
}

/// A state before a call with what the callee left, for the step past the call: the values of what
/// it may have written, where they are fixed.
pub fn returned(
    terms: &mut Terms,
    world: &World,
    state: &State,
    site: SiteId,
    left: &State,
) -> Substitution {
    let (program, vars) = (&world.encoding.prepared.program, &world.encoding.vars);
    let mut before = state.substitution(terms);
    let record = world.units.site(site);
    let register = |r: prova_ir::RegId| vars.register[r.index()];
    let received = record.result.map(register);
    let result = program.procedure(record.callee).result.map(register);
    let block = world.units.return_block(site);
    let updates = &world.transitions.get(block).transfer.updates;
    for &(variable, after) in updates {
        if terms.op(after) != Op::Var {
            continue;
        }
        if let Sort::Array { .. } = terms.sort(variable) {
            let mut contents = after;
            for &(key, value) in &left.entries {
                let of = terms.op(key) == Op::Select && terms.children(key)[0] == variable;
                if of && ground(terms, value) {
                    let address = terms.children(key)[1];
                    contents = terms.store(contents, address, value);
                }
            }
            before.insert(terms, after, contents);
            continue;
        }
        let source = match Some(variable) == received {
            true => result,
            false => Some(variable),
        };
        let value = source.and_then(|s| {
            let at = left.entries.binary_search_by_key(&s, |e| e.0).ok()?;
            Some(left.entries[at].1)
        });
        if let Some(value) = value.filter(|&v| ground(terms, v)) {
            before.insert(terms, after, value);
        }
    }
    before
}
