//! Inline assembly: accepted, not modelled. Its outputs become arbitrary, and a marker keeps any
//! proof from resting on it, unless the user says that its outputs are all that it changes.

use super::lvalue::Location;
use super::*;
use crate::preprocess::Assembly;
use lang_c::ast::*;

impl<'a> Lowerer<'a> {
    pub fn assembly(&mut self, asm: &'a Node<AsmStatement>) -> Result<()> {
        let extended = match &asm.node {
            AsmStatement::GnuBasic(text) => {
                // An empty template is only a barrier for the compiler.
                if !is_blank(&text.node) {
                    self.assembles(asm.span);
                }
                return Ok(());
            }
            AsmStatement::GnuExtended(extended) => extended,
        };
        let barrier = is_blank(&extended.template.node) && extended.outputs.is_empty();
        for input in &extended.inputs {
            if !is_label_operand(&input.node) {
                self.effect(&input.node.variable_name)?;
            }
        }
        if barrier {
            return Ok(());
        }
        let origin = match self.assembles(asm.span) {
            Some(marker) => Origin::Unmodelled(marker),
            None => Origin::Choice("what inline assembly writes".into()),
        };
        for output in &extended.outputs {
            let e = &output.node.variable_name;
            let place = self.lvalue(e)?;
            self.arbitrary(place.at, place.ty, origin.clone(), e.span)?;
        }
        Ok(())
    }

    /// Notes that there is assembly: a marker, if nothing may be assumed of it.
    fn assembles(&mut self, span: CSpan) -> Option<MarkerId> {
        match self.assembly {
            Assembly::Unmodelled => Some(self.mark(MarkerKind::Assembly, span)),
            Assembly::Outputs => {
                self.runs_assembly = true;
                None
            }
        }
    }

    /// Makes what a place holds arbitrary.
    pub fn arbitrary(
        &mut self,
        at: Location,
        ty: QType,
        origin: Origin,
        span: CSpan,
    ) -> Result<()> {
        match at {
            Location::Register(target) => {
                self.emit(Op::Nondet { target, origin });
            }
            Location::Memory(address) => {
                let size = self.size_of(ty.id, span)?;
                self.emit(Op::Havoc {
                    address,
                    size,
                    origin,
                });
            }
            Location::Bits(address, bits) => {
                let target = self.temporary(Type::Int(bits.unit));
                self.emit(Op::Nondet { target, origin });
                let value = self.program.read(target);
                self.write_bits(address, bits, value);
            }
        }
        Ok(())
    }
}

fn is_blank(template: &[String]) -> bool {
    template
        .iter()
        .all(|t| t.trim_matches('"').trim().is_empty())
}

fn is_label_operand(operand: &GnuAsmOperand) -> bool {
    operand.constraints.node.iter().any(|c| c.contains("!!"))
}
