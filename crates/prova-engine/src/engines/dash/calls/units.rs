//! Procedures as graphs of steps: blocks of their own, and calls.
//!
//! All blocks of all procedures have numbers in one table of transitions, so that preimages and
//! questions work alike on each. A call gives up to three of them:
//!
//! * *return*: from before the call to behind it. Its transition forgets what the callee may
//!   write, and so says what crosses the call untouched;
//! * *fail*: from before the call to the goal, where an error inside the callee counts;
//! * *bind*: from the caller's state before the call to the callee's at its entry (made when
//!   first needed, see [`Units::bind`]).

use super::effects::{effects, Effects};
use crate::problem::blocks::{BlockId, Blocks, Cutpoint, Granularity};
use crate::problem::encoding::Encoding;
use crate::problem::transitions::Transitions;
use prova_exec::points_to::ClassId;
use prova_exec::state_vars::StateVar;
use prova_exec::transfer::{Composer, Input, Receiver, Transfer};
use prova_exec::translate::Unencodable;
use prova_ir::passes::call_graph::{call_graph, CallGraph};
use prova_ir::{Callee, EdgeId, Origin, ProcId, RegId, Span, Statement, Type};
use prova_logic::{Term, Terms};
use prova_task::Unknown;
use rustc_hash::{FxHashMap, FxHashSet};

/// A call in the text of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub u32);

/// What a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A block of the procedure itself.
    Local,
    /// A call that returns.
    Return(SiteId),
    /// A call that ends in an error.
    Fail(SiteId),
}

/// A step between two cutpoints.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its transition.
    pub block: BlockId,
    /// Where it starts.
    pub source: Cutpoint,
    /// Where it ends.
    pub target: Cutpoint,
    /// Its IR edges.
    pub edges: Vec<EdgeId>,
    /// What it is.
    pub kind: Kind,
}

/// A call.
#[derive(Clone, Debug)]
pub struct Site {
    /// Who calls.
    pub caller: ProcId,
    /// Who is called.
    pub callee: ProcId,
    /// The call's edge.
    pub edge: EdgeId,
    /// Receives the result.
    pub result: Option<RegId>,
    /// Where it stands.
    pub span: Span,
    /// Conditions and parameters, without ghosts.
    binding: Transfer,
}

/// A procedure.
pub struct Unit {
    /// Which.
    pub procedure: ProcId,
    /// Its cutpoints.
    pub blocks: Blocks,
    /// Its steps, in the order of their sources.
    pub steps: Vec<Step>,
    /// Where it starts.
    pub entry: Cutpoint,
    /// Where it returns; `None` if it never does.
    pub exit: Option<Cutpoint>,
    /// The virtual cutpoint behind everything, where a query's goal is.
    pub goal: Cutpoint,
    /// The loop nest of each cutpoint.
    pub component: Vec<u32>,
    /// Conditions that are tested, or whose negations are, in more than one place: what happens
    /// at one may depend on what happened at another.
    pub repeated: FxHashSet<Term>,
}

/// All procedures that a run can enter.
pub struct Units {
    units: Vec<Option<Unit>>,
    /// All calls.
    pub sites: Vec<Site>,
    /// What calls may do, by procedure.
    pub effects: Vec<Effects>,
    /// Registers by the procedure they belong to.
    owned: Vec<Vec<RegId>>,
    kinds: FxHashMap<BlockId, (ProcId, usize)>,
    binds: FxHashMap<(SiteId, Vec<(Term, Term)>), BlockId>,
    bound: FxHashMap<BlockId, (SiteId, Vec<(Term, Term)>)>,
    returns: Vec<BlockId>,
    /// The block that sets the program up.
    pub start: BlockId,
}

impl Units {
    /// Cuts all procedures and translates their blocks.
    pub fn new(
        encoding: &Encoding,
        terms: &mut Terms,
        transitions: &mut Transitions,
        granularity: Granularity,
    ) -> Result<Units, Unknown> {
        let program = &encoding.prepared.program;
        let graph = call_graph(program);
        let effects = effects(program, &encoding.partition, &graph);
        let start = encoding.start(terms).map_err(|e| unsupported(&e, None))?.0;
        let start = transitions.push(terms, start);
        let mut owned = vec![Vec::new(); program.procedures.len()];
        for (i, register) in program.registers.iter().enumerate() {
            if let Some(owner) = register.owner {
                owned[owner.index()].push(RegId::new(i));
            }
        }
        let mut units = Units {
            units: program.procedures.iter().map(|_| None).collect(),
            sites: Vec::new(),
            effects,
            owned,
            kinds: FxHashMap::default(),
            binds: FxHashMap::default(),
            bound: FxHashMap::default(),
            returns: Vec::new(),
            start,
        };
        for p in graph.reachable_from(encoding.prepared.entry()) {
            if program.procedure(p).body.is_some() {
                let unit = units.cut(encoding, terms, transitions, &graph, p, granularity)?;
                units.units[p.index()] = Some(unit);
            }
        }
        Ok(units)
    }

    /// A procedure.
    pub fn unit(&self, procedure: ProcId) -> &Unit {
        self.units[procedure.index()]
            .as_ref()
            .expect("only procedures that are called are asked for")
    }

    /// All procedures.
    pub fn all(&self) -> impl Iterator<Item = &Unit> {
        self.units.iter().flatten()
    }

    /// The step that a block is; `None` for the start, binds and goals.
    pub fn step(&self, block: BlockId) -> Option<&Step> {
        let &(procedure, index) = self.kinds.get(&block)?;
        Some(&self.unit(procedure).steps[index])
    }

    /// A call.
    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.0 as usize]
    }

    /// All calls by their numbers.
    pub fn site_ids(&self) -> impl Iterator<Item = SiteId> {
        (0..self.sites.len() as u32).map(SiteId)
    }

    /// The step past a call.
    pub fn return_block(&self, site: SiteId) -> BlockId {
        self.returns[site.0 as usize]
    }

    /// The block that binds a call's parameters and nothing else, once it was asked for.
    pub fn plain_bind(&self, site: SiteId) -> BlockId {
        self.binds[&(site, Vec::new())]
    }

    /// The callee's ghosts that a bind gives values, and the caller's variables they come from.
    pub fn ghosts(&self, bind: BlockId) -> &[(Term, Term)] {
        self.bound.get(&bind).map_or(&[], |(_, ghosts)| ghosts)
    }

    /// The call of a step, if it is one.
    pub fn site_of(&self, block: BlockId) -> Option<SiteId> {
        match self.step(block)?.kind {
            Kind::Local => None,
            Kind::Return(site) | Kind::Fail(site) => Some(site),
        }
    }

    fn cut(
        &mut self,
        encoding: &Encoding,
        terms: &mut Terms,
        transitions: &mut Transitions,
        graph: &CallGraph,
        procedure: ProcId,
        granularity: Granularity,
    ) -> Result<Unit, Unknown> {
        let body = encoding.prepared.body_of(procedure);
        let blocks = Blocks::new(body, granularity);
        let at = |location: prova_ir::LocId| blocks.cutpoint_of[location.index()];
        let entry = at(body.entry).expect("the entry is a cutpoint");
        let goal = Cutpoint(blocks.locations.len() as u32);
        let mut steps = Vec::new();
        // The first block of all is the program's start; callees are entered by binds.
        for block in &blocks.blocks[1..] {
            let calls = block.edges.iter().find_map(|&e| {
                let edge = body.edge(e);
                match &edge.statement {
                    Statement::Call {
                        callee: Callee::Direct(callee),
                        ..
                    } => Some((e, edge, *callee)),
                    _ => None,
                }
            });
            let last = block.edges.last().map(|&e| body.edge(e).span);
            let mut step = |units: &mut Units, block_id, target, kind| {
                units.kinds.insert(block_id, (procedure, steps.len()));
                steps.push(Step {
                    block: block_id,
                    source: block.source,
                    target,
                    edges: block.edges.clone(),
                    kind,
                });
            };
            let Some((e, edge, callee)) = calls else {
                let mut store = Composer::new(encoding.context());
                block
                    .edges
                    .iter()
                    .try_for_each(|&e| {
                        let site = format!("{}.{}", procedure.0, e.0);
                        encoding.apply_in(terms, &mut store, procedure, e, &site)
                    })
                    .map_err(|error| unsupported(&error, last))?;
                let id = transitions.push(terms, store.finish());
                step(self, id, block.target, Kind::Local);
                continue;
            };
            let site = SiteId(self.sites.len() as u32);
            let (binding, crossing) = call_transfers(
                encoding,
                terms,
                &edge.statement,
                callee,
                &self.owned[callee.index()],
                &self.effects[callee.index()],
            )
            .map_err(|error| unsupported(&error, last))?;
            let result = edge.statement.written_register();
            self.sites.push(Site {
                caller: procedure,
                callee,
                edge: e,
                result,
                span: edge.span,
                binding: binding.clone(),
            });
            let id = transitions.push(terms, crossing);
            self.returns.push(id);
            step(self, id, block.target, Kind::Return(site));
            if self.effects[callee.index()].errs {
                let only_conditions = Transfer {
                    updates: Vec::new(),
                    ..binding
                };
                let id = transitions.push(terms, only_conditions);
                step(self, id, goal, Kind::Fail(site));
            }
        }
        // A call that may come back to this procedure is a loop through its entry.
        let again: Vec<(Cutpoint, Cutpoint)> = steps
            .iter()
            .filter_map(|s: &Step| match s.kind {
                Kind::Return(site) => Some((s.source, self.site(site).callee)),
                _ => None,
            })
            .filter(|(_, callee)| {
                graph.recursive[procedure.index()]
                    && graph.reachable_from(*callee).contains(&procedure)
            })
            .map(|(source, _)| (source, entry))
            .collect();
        let component = blocks.components_with(&again);
        let repeated = repeated_conditions(terms, transitions, &steps);
        Ok(Unit {
            procedure,
            repeated,
            entry,
            exit: at(body.exit),
            goal,
            component,
            steps,
            blocks,
        })
    }

    /// The block that binds a call's parameters, and the callee's ghosts to variables of the
    /// caller.
    pub fn bind(
        &mut self,
        terms: &mut Terms,
        transitions: &mut Transitions,
        site: SiteId,
        ghosts: &[(Term, Term)],
    ) -> BlockId {
        let key = (site, ghosts.to_vec());
        if let Some(&known) = self.binds.get(&key) {
            return known;
        }
        let mut transfer = self.site(site).binding.clone();
        transfer.updates.extend_from_slice(ghosts);
        let block = transitions.push(terms, transfer);
        self.bound.insert(block, key.clone());
        self.binds.insert(key, block);
        block
    }
}

impl Unit {
    /// Steps that start at a cutpoint.
    pub fn steps_from(&self, cutpoint: Cutpoint) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(move |s| s.source == cutpoint)
    }
}

fn repeated_conditions(
    terms: &mut Terms,
    transitions: &Transitions,
    steps: &[Step],
) -> FxHashSet<Term> {
    let mut places: FxHashMap<Term, Cutpoint> = FxHashMap::default();
    let mut found = FxHashSet::default();
    for step in steps.iter().filter(|s| s.kind == Kind::Local) {
        let conditions = transitions.get(step.block).transfer.assumed.clone();
        for condition in conditions {
            let negation = terms.not(condition);
            for t in [condition, negation] {
                if *places.entry(t).or_insert(step.source) != step.source {
                    found.insert(t);
                }
            }
        }
    }
    found
}

fn unsupported(error: &Unencodable, span: Option<Span>) -> Unknown {
    Unknown::Unsupported {
        what: error.to_string(),
        span,
    }
}

/// What a call does to the caller's state as the callee's entry sees it, and as its own behind.
fn call_transfers(
    encoding: &Encoding,
    terms: &mut Terms,
    statement: &Statement,
    callee: ProcId,
    owned: &[RegId],
    effects: &Effects,
) -> Result<(Transfer, Transfer), Unencodable> {
    let program = &encoding.prepared.program;
    let vars = &encoding.vars;
    let Statement::Call {
        result, arguments, ..
    } = statement
    else {
        return Err(Unencodable::Call);
    };
    let target = program.procedure(callee);
    let mut binding = Composer::new(encoding.context());
    let mut values = Vec::with_capacity(arguments.len());
    for &argument in arguments {
        values.push(binding.value(terms, argument)?);
    }
    let mut crossing = binding.clone();
    let mut inputs = Vec::new();
    for &id in owned {
        let register = program.register(id);
        let value = match target.parameters.iter().position(|&p| p == id) {
            Some(at) if at < values.len() => values[at],
            // A local of the callee holds anything; it must not be taken for the caller's own.
            _ => {
                let var = terms.fresh(&format!("unset.{}", register.name), sort(terms, vars, id));
                inputs.push(arbitrary(var, register.ty, id));
                var
            }
        };
        binding.set(StateVar::Register(id), value);
    }
    let mut binding = binding.finish();
    binding.inputs = inputs;
    // An assignment that does not change the variable is none, also where both are of one
    // procedure: recursion passes a parameter on.
    binding
        .updates
        .retain(|(variable, value)| variable != value);

    let mut inputs = Vec::new();
    let written = effects.registers.iter().copied().chain(*result);
    for id in written {
        let register = program.register(id);
        let var = terms.fresh(&format!("after.{}", register.name), sort(terms, vars, id));
        inputs.push(arbitrary(var, register.ty, id));
        crossing.set(StateVar::Register(id), var);
    }
    // No test is made from these: only their variables matter, which no predicate may keep.
    let nobody = RegId::new(0);
    for &class in &effects.classes {
        let var = havoc_class(terms, encoding, class);
        inputs.push(arbitrary(var, Type::Int(8), nobody));
        crossing.set(StateVar::Memory(class), var);
    }
    if effects.allocates {
        let top = vars.heap_top;
        let var = terms.fresh("after.heap", terms.sort(top));
        inputs.push(arbitrary(var, Type::Ptr, nobody));
        crossing.set(StateVar::HeapTop, var);
    }
    let mut crossing = crossing.finish();
    crossing.inputs = inputs;
    Ok((binding, crossing))
}

fn havoc_class(terms: &mut Terms, encoding: &Encoding, class: ClassId) -> Term {
    let sort = terms.sort(encoding.vars.memory[class.index()]);
    terms.fresh(
        &format!("after.{}", encoding.partition.class(class).name),
        sort,
    )
}

fn sort(
    terms: &Terms,
    vars: &prova_exec::state_vars::StateVars,
    register: RegId,
) -> prova_logic::Sort {
    terms.sort(vars.register[register.index()])
}

fn arbitrary(var: Term, ty: Type, register: RegId) -> Input {
    Input {
        var,
        origin: Origin::Uninitialised,
        ty,
        receiver: Receiver::Register(register),
    }
}
