//! The program's state as variables, and its blocks as transitions over them.

use crate::problem::blocks::Blocks;
use crate::problem::transitions::{Failure, Transitions};
use prova_exec::points_to::Partition;
use prova_exec::state_vars::StateVars;
use prova_exec::transfer::{initial, separation, Access, Composer, Transfer, CELL_LIMIT};
use prova_exec::translate::{Context, Unencodable};
use prova_ir::passes::activations::{called_once, edges_on_cycles};
use prova_ir::{EdgeId, ObjectId, ProcId, Program, Statement};
use prova_logic::{Op, Term, Terms};
use prova_task::prepare::Prepared;
use prova_task::Unknown;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Everything terms are made from.
pub struct Encoding {
    /// The program.
    pub prepared: Arc<Prepared>,
    /// How memory is split.
    pub partition: Partition,
    /// The state variables.
    pub vars: StateVars,
    /// Edges that start the life of an object and may do so again.
    repeated: FxHashSet<(ProcId, EdgeId)>,
}

impl Encoding {
    /// Makes the variables.
    pub fn new(terms: &mut Terms, prepared: Arc<Prepared>) -> Encoding {
        let partition = Partition::new(&prepared.program);
        let vars = StateVars::new(terms, &prepared.program, &partition);
        let repeated = repeated_entries(&prepared.program);
        Encoding {
            prepared,
            partition,
            vars,
            repeated,
        }
    }

    /// What translation needs.
    pub fn context(&self) -> Context<'_> {
        Context {
            program: &self.prepared.program,
            partition: &self.partition,
            vars: &self.vars,
        }
    }

    /// Applies an edge of the entry to a symbolic store.
    pub fn apply(
        &self,
        terms: &mut Terms,
        store: &mut Composer,
        edge: EdgeId,
        site: &str,
    ) -> Result<(), Unencodable> {
        self.apply_in(terms, store, self.prepared.entry(), edge, site)
    }

    /// Applies an edge of a procedure to a symbolic store.
    pub fn apply_in(
        &self,
        terms: &mut Terms,
        store: &mut Composer,
        procedure: ProcId,
        edge: EdgeId,
        site: &str,
    ) -> Result<(), Unencodable> {
        let statement = &self.prepared.body_of(procedure).edge(edge).statement;
        let again = self.repeated.contains(&(procedure, edge));
        store.apply(terms, statement, site, again)
    }

    /// Offsets and sizes of the cells that an edge gives arbitrary contents; `None` if it does
    /// nothing of the kind.
    pub fn fresh_cells(
        &self,
        procedure: ProcId,
        edge: EdgeId,
    ) -> Result<Option<Vec<(u64, u32)>>, String> {
        let cells = match self.prepared.body_of(procedure).edge(edge).statement {
            Statement::Havoc { address, size, .. } => {
                self.partition.cells(address, size, CELL_LIMIT)
            }
            Statement::Enter(object) if self.repeated.contains(&(procedure, edge)) => {
                let size = self.prepared.program.object(object).size;
                self.partition.object_cells(object, size, CELL_LIMIT)
            }
            _ => return Ok(None),
        };
        let cells = cells.map_err(|_| "too much memory made arbitrary at once")?;
        Ok(Some(cells.iter().map(|c| (c.offset, c.bytes)).collect()))
    }

    /// The state when the program starts, and the objects whose contents it leaves open.
    pub fn start(&self, terms: &mut Terms) -> Result<(Transfer, Vec<ObjectId>), Unencodable> {
        let start = initial(terms, self.context())?;
        Ok((start.transfer, start.arbitrary))
    }

    /// All blocks as transitions.
    pub fn transitions(&self, terms: &mut Terms, blocks: &Blocks) -> Result<Transitions, Unknown> {
        let mut built = Vec::with_capacity(blocks.blocks.len());
        for block in &blocks.blocks {
            let transfer = if block.edges.is_empty() {
                self.start(terms).map(|s| s.0)
            } else {
                let mut store = Composer::new(self.context());
                block
                    .edges
                    .iter()
                    .try_for_each(|&e| self.apply(terms, &mut store, e, &e.0.to_string()))
                    .map(|()| store.finish())
            };
            built.push(transfer.map_err(|error| Failure {
                error,
                edges: block.edges.clone(),
            }));
        }
        Transitions::new(terms, built).map_err(|failure| Unknown::Unsupported {
            what: failure.error.to_string(),
            span: failure
                .edges
                .last()
                .map(|&e| self.prepared.body().edge(e).span),
        })
    }

    /// What is known of the objects and the first contents of memory that `roots` speak of:
    /// where objects lie, and that pointers nobody wrote are null or point to unknown objects.
    pub fn axioms(&self, terms: &mut Terms, roots: &[Term]) -> Vec<Term> {
        let mut axioms = self.vars.layout_axioms(terms, roots);
        let class_of: FxHashMap<Term, usize> = self
            .vars
            .initial_memory
            .iter()
            .chain(&self.vars.memory)
            .copied()
            .zip((0..self.vars.memory.len()).cycle())
            .collect();
        for t in terms.post_order(roots) {
            if terms.op(t) != Op::Select {
                continue;
            }
            let (mut array, index) = (terms.children(t)[0], terms.children(t)[1]);
            while terms.op(array) == Op::Store {
                array = terms.children(array)[0];
            }
            let Some(&class) = class_of.get(&array) else {
                continue;
            };
            let info = &self.partition.classes()[class];
            if info.cell_type == Some(prova_ir::Type::Ptr)
                && self.vars.initial_memory[class] == array
            {
                let first = terms.select(array, index);
                axioms.push(self.vars.arbitrary_pointer(terms, first, 1));
            }
        }
        axioms.sort_unstable();
        axioms.dedup();
        axioms
    }
}

/// More accesses than this are not kept apart pairwise.
const SEPARATED: usize = 24;

impl Encoding {
    /// Cells of different classes do not overlap: an object that the program does not name is
    /// accessed with one type (C11 6.5 §7), as the partition assumes.
    pub fn separation(&self, terms: &mut Terms, accesses: &[Access]) -> Vec<Term> {
        separation(terms, &self.partition, accesses, SEPARATED)
    }
}

/// `Enter` edges that a run may pass more than once: those on a cycle, and those of procedures
/// that may be called more than once.
fn repeated_entries(program: &Program) -> FxHashSet<(ProcId, EdgeId)> {
    let once = called_once(program);
    let mut found = FxHashSet::default();
    for (p, procedure) in program.procedures.iter().enumerate() {
        let Some(body) = &procedure.body else {
            continue;
        };
        let cycles = edges_on_cycles(body);
        for (i, edge) in body.edges.iter().enumerate() {
            if matches!(edge.statement, Statement::Enter(_)) && (!once[p] || cycles[i]) {
                found.insert((ProcId::new(p), EdgeId::new(i)));
            }
        }
    }
    found
}
