//! Inline assembly: accepted, not modelled. Its outputs become arbitrary, and a marker keeps any
//! proof from resting on it.

use super::lvalue::Location;
use super::*;
use lang_c::ast::*;

impl<'a> Lowerer<'a> {
    pub fn assembly(&mut self, asm: &'a Node<AsmStatement>) -> Result<()> {
        let extended = match &asm.node {
            AsmStatement::GnuBasic(text) => {
                // An empty template is only a barrier for the compiler.
                if !is_blank(&text.node) {
                    self.mark(MarkerKind::Assembly, asm.span);
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
        let marker = self.mark(MarkerKind::Assembly, asm.span);
        for output in &extended.outputs {
            let e = &output.node.variable_name;
            let place = self.lvalue(e)?;
            let origin = Origin::Unmodelled(marker);
            self.arbitrary(place.at, place.ty, origin, e.span)?;
        }
        Ok(())
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
