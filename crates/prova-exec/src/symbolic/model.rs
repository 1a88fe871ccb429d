//! From a solver's model of a path's constraints back to a test.

use super::{PathInput, Source, SymbolicRun};
use crate::domain::Base;
use crate::evaluate::{array_variables, bits_of};
use crate::layout::{heap_size, pinned, unknown_zone, Layout, LayoutError, FUNCTION_SIZE};
use crate::run::Run;
use crate::state_vars::StateVars;
use crate::test::Test;
use prova_ir::{ObjectId, ProcId, Program};
use prova_logic::{Model, Op, Sort, Term, Terms, Value};

impl SymbolicRun<'_> {
    /// The test that a model of the constraints up to `state` describes. `asserted` are the
    /// terms the model satisfies: what they read of first contents goes into the test. Inputs
    /// the model says nothing of keep the value they had in the run; what lies behind `state`
    /// comes from the run's policy.
    pub fn test_of(
        &self,
        terms: &Terms,
        run: &Run,
        model: &Model,
        asserted: &[Term],
        state: u32,
    ) -> Result<Test, LayoutError> {
        let vars = self.machine.domain.context.vars;
        let program = &run.code.program;
        let layout = layout(program, vars, model, &run.layout)?;
        let mut test = Test {
            layout: Some(layout),
            rest: run.test.rest,
            exhausted: run.test.exhausted,
            ..Test::default()
        };
        for &PathInput { var, source, .. } in self.inputs(state) {
            let bits = model.get(var).and_then(bits_of);
            match source {
                Source::Value(n) => {
                    let old = run.inputs.get(n).map_or(0, |used| used.value);
                    if test.values.len() <= n {
                        test.values.resize(n + 1, 0);
                    }
                    test.values[n] = bits.unwrap_or(old);
                }
                Source::Register(reg) => {
                    test.registers
                        .insert(reg, bits.unwrap_or(run.register_at(reg, 0)));
                }
                Source::Fresh {
                    number,
                    offset,
                    bytes,
                } => {
                    let Some(bits) = bits else { continue };
                    for i in 0..u64::from(bytes) {
                        test.fresh
                            .insert((number, offset + i), (bits >> (8 * i)) as u8);
                    }
                }
            }
        }
        contents(terms, vars, model, asserted, &mut test);
        Ok(test)
    }
}

/// First contents that the terms read.
fn contents(terms: &Terms, vars: &StateVars, model: &Model, asserted: &[Term], test: &mut Test) {
    for node in terms.post_order(asserted) {
        if terms.op(node) != Op::Select {
            continue;
        }
        let children = terms.children(node);
        let Some(address) = terms.eval(children[1], model).as_u64() else {
            continue;
        };
        for variable in array_variables(terms, children[0]) {
            let Sort::Array { element, .. } = terms.sort(variable) else {
                continue;
            };
            if !vars.initial_memory.contains(&variable) {
                continue;
            }
            let Some(Value::Array(array)) = model.get(variable) else {
                continue;
            };
            let index = prova_logic::Bits::new(u128::from(address), array.index);
            let Some(bits) = array.select(&index).to_u128() else {
                continue;
            };
            for i in 0..u64::from(element / 8) {
                test.contents
                    .insert(address.wrapping_add(i), (bits >> (8 * i)) as u8);
            }
        }
    }
}

/// The bases of a model, completed: what it says nothing of stays where it was if there is room,
/// and goes elsewhere if not.
fn layout(
    program: &Program,
    vars: &StateVars,
    model: &Model,
    old: &Layout,
) -> Result<Layout, LayoutError> {
    let mut layout = old.clone();
    let mut taken: Vec<(u64, u64)> = Vec::new();
    let zone = unknown_zone(program.model);
    let reserved = program.model.ghost_zone().end - zone.start;
    taken.push((zone.start, reserved));
    let mut open: Vec<Base> = Vec::new();
    let slot = 1 << program.model.slot_bits();
    let objects = (0..program.objects.len())
        .filter(|&i| program.objects[i].pinned().is_none())
        .map(|i| Base::Object(ObjectId::new(i)));
    let functions = (0..program.procedures.len()).map(|i| Base::Function(ProcId::new(i)));
    for base in std::iter::once(Base::Heap).chain(objects).chain(functions) {
        let (term, size, place, align) = match base {
            Base::Heap => (
                vars.heap(),
                heap_size(program.model),
                &mut layout.heap,
                slot,
            ),
            Base::Object(o) => {
                let object = program.object(o);
                let place = &mut layout.objects[o.index()];
                (vars.base(o), object.size.max(1), place, object.align)
            }
            Base::Function(p) => (
                vars.function(p),
                FUNCTION_SIZE,
                &mut layout.functions[p.index()],
                16,
            ),
        };
        match model.get(term).and_then(Value::as_u64) {
            Some(at) if at.is_multiple_of(align.max(1)) => {
                *place = at;
                taken.push((at, size));
            }
            Some(at) => return Err(LayoutError::Bad(format!("{base:?}"), at)),
            None => open.push(base),
        }
    }
    for base in open {
        let (size, place, align) = match base {
            Base::Heap => (heap_size(program.model), &mut layout.heap, slot),
            Base::Object(o) => {
                let object = program.object(o);
                (
                    object.size.max(1),
                    &mut layout.objects[o.index()],
                    object.align.max(16),
                )
            }
            Base::Function(p) => (FUNCTION_SIZE, &mut layout.functions[p.index()], 16),
        };
        if overlaps(&taken, *place, size) {
            *place = free_place(&taken, size, align, program).ok_or(LayoutError::TooLarge(size))?;
        }
        taken.push((*place, size));
    }
    for (object, place) in program.objects.iter().zip(&mut layout.objects) {
        *place = pinned(object, program.model, layout.heap).unwrap_or(*place);
    }
    layout.check(program)?;
    Ok(layout)
}

fn overlaps(taken: &[(u64, u64)], at: u64, size: u64) -> bool {
    taken.iter().any(|&(other, length)| {
        u128::from(at) < u128::from(other) + u128::from(length)
            && u128::from(other) < u128::from(at) + u128::from(size)
    })
}

/// The first place behind something taken that has room.
fn free_place(taken: &[(u64, u64)], size: u64, align: u64, program: &Program) -> Option<u64> {
    let space = 1u128 << program.model.pointer_bits();
    let behind = taken
        .iter()
        .map(|&(at, length)| u128::from(at) + u128::from(length) + 16);
    std::iter::once(0x1_0000)
        .chain(behind)
        .map(|at| at.next_multiple_of(u128::from(align)))
        .filter(|&at| at + u128::from(size) <= space)
        .map(|at| at as u64)
        .filter(|&at| !overlaps(taken, at, size))
        .min()
}
