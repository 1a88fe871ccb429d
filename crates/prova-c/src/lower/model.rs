//! What only the text of a model may say: `__prova_…` names what C has no words for.
//!
//! | builtin | meaning |
//! |---|---|
//! | `__prova_input_T("name")` | a value that the world supplies through the function `name` |
//! | `__prova_choice_T("what")` | a value that C leaves to the implementation |
//! | `__prova_fails("name")` | whether the allocation by the function `name` fails |
//! | `__prova_unmodelled("what")` | behind this nothing is known |
//! | `__prova_demand(condition, "text")` | what the function requires of its caller |
//! | `__prova_block_size(p)` | the size of the block of the heap that `p` points to; the model declares it |
//!
//! A program that uses these names itself does not mean these.

use super::*;
use crate::preprocess::Malloc;
use lang_c::ast::*;

impl<'a> Lowerer<'a> {
    /// The value of such a builtin, or `None` if there is none with this name here.
    pub fn model_builtin(
        &mut self,
        word: &str,
        c: &'a Node<CallExpression>,
    ) -> Result<Option<Value>> {
        if self.unit < self.first_model {
            return Ok(None);
        }
        let arguments = &c.node.arguments[..];
        if let (Some(kind), [name]) = (word.strip_prefix("input_"), arguments) {
            let origin = Origin::Input(self.words(name)?);
            return self.any_scalar(kind, origin, c.span).map(Some);
        }
        if let (Some(kind), [what]) = (word.strip_prefix("choice_"), arguments) {
            let origin = Origin::Choice(self.words(what)?);
            return self.any_scalar(kind, origin, c.span).map(Some);
        }
        Ok(Some(match (word, arguments) {
            ("fails", [name]) => {
                let name = self.words(name)?;
                self.fails(&name, c.span)?
            }
            ("unmodelled", [what]) => {
                let what = self.words(what)?;
                self.mark(MarkerKind::Other(what), c.span);
                self.void_value()
            }
            ("demand", [condition, text]) => {
                let text = self.words(text)?;
                let value = self.expr(condition)?;
                let holds = self.truth(value.expr);
                self.demand(holds, text, c.span);
                self.void_value()
            }
            // A function that the weaving of properties gives its meaning.
            ("block_size", [_]) => return Ok(None),
            _ => return Err(self.error(c.span, format!("there is no `__prova_{word}` like this"))),
        }))
    }

    /// Whether an allocation fails; zero where none does.
    pub fn fails(&mut self, function: &str, span: CSpan) -> Result<Value> {
        match self.malloc {
            Malloc::NeverFails => Ok(self.int_value(0)),
            Malloc::MayFail => {
                let origin = Origin::Input(function.to_string());
                self.any_scalar("bool", origin, span)
            }
        }
    }

    /// The text of a string literal.
    fn words(&mut self, e: &'a Node<Expression>) -> Result<String> {
        if let Expression::StringLiteral(text) = &e.node {
            if let Some((_, elements)) = crate::literal::string(&text.node) {
                return Ok(elements.iter().filter_map(|&c| char::from_u32(c)).collect());
            }
        }
        Err(self.error(e.span, "a model has to say this in quotes"))
    }

    /// An arbitrary scalar of the type that `__VERIFIER_nondet_…` would have.
    fn any_scalar(&mut self, kind: &str, origin: Origin, span: CSpan) -> Result<Value> {
        use IntKind::*;
        let ty = match kind {
            "bool" | "int" => self.types.int(Int),
            "char" => self.types.int(Char),
            "uchar" => self.types.int(UChar),
            "short" => self.types.int(Short),
            "ushort" => self.types.int(UShort),
            "uint" => self.types.int(UInt),
            "long" => self.types.int(Long),
            "ulong" => self.types.int(ULong),
            "longlong" => self.types.int(LongLong),
            "ulonglong" => self.types.int(ULongLong),
            "size" => self.size_type(),
            "pointer" => self.void_pointer(),
            "float" => self.types.make(Ty::Float(FloatKind::F32)),
            "double" => self.types.make(Ty::Float(FloatKind::F64)),
            "longdouble" => self.types.make(Ty::Float(FloatKind::X87)),
            _ => return Err(self.error(span, format!("`{kind}` names no type here"))),
        };
        self.stand(span);
        let ir = self.ir_type(ty, span)?;
        let target = self.temporary(ir);
        let ctype = self.ctype(ty);
        self.program.registers[target.index()].ctype = Some(ctype);
        self.emit(Op::Nondet { target, origin });
        let expr = self.program.read(target);
        if kind == "bool" {
            let one = self.int(1, 32);
            let inside = self.binary(BinaryOp::ULe, expr, one);
            self.emit(Op::Assume(inside));
        }
        Ok(Value { expr, ty })
    }
}
