//! What only the text of a model may say: `__prova_…` names what C has no words for.
//!
//! | builtin | meaning |
//! |---|---|
//! | `__prova_input_T("name")` | a value that the world supplies through the function `name` |
//! | `__prova_choice_T("what")` | a value that C leaves to the implementation |
//! | `__prova_fails("name")` | whether the allocation by the function `name` fails |
//! | `__prova_unmodelled("what")` | behind this nothing is known |
//! | `__prova_demand(condition, "text")` | what the function requires of its caller |
//! | `__prova_assume(condition)` | what is known of an input: the world gives no other |
//! | `__prova_block("name", size)` | a block of the heap, or null and `errno`, by the function `name` |
//! | `__prova_quiet_block("name", size)` | the same, and `errno` stays as it is |
//! | `__prova_set_errno(value)` | `errno` gets a value, where the program looks at it |
//! | `__prova_perhaps_errno(value)` | the same, or not |
//! | `__prova_print(text, length)` | bytes that leave the program |
//! | `__prova_printf(format, list)` | the same, formatted |
//! | `__prova_block_size(p)` | the size of the block of the heap that `p` points to; the model declares it |
//! | `__prova_apart(p, q, n)` | a demand: `n` bytes from `p` and from `q` on do not overlap; the model declares it |
//!
//! A program that uses these names itself does not mean these.

use super::*;
use crate::preprocess::Malloc;
use lang_c::ast::*;

/// What `errno` stands for, in the model of `<errno.h>`.
const ERRNO: &str = "__prova_errno";

/// The number of `ENOMEM`.
const NO_MEMORY: u128 = 12;

impl<'a> Lowerer<'a> {
    /// What a failing allocation leaves in `errno`.
    pub fn out_of_memory(&mut self, span: CSpan) {
        let value = self.int(NO_MEMORY, 32);
        self.set_errno(value, span);
    }

    /// The value of such a builtin, or `None` if there is none with this name here.
    pub fn model_builtin(
        &mut self,
        word: &str,
        c: &'a Node<CallExpression>,
    ) -> Result<Option<Value>> {
        if self.unit < self.first_model {
            return Ok(None);
        }
        // Models have functions for one another, too.
        let own = self.externals.get(format!("__prova_{word}").as_str());
        if let Some(Symbol::Function(proc)) = own {
            if self.functions[proc.index()].definition.is_some() {
                return Ok(None);
            }
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
            ("assume", [condition]) => {
                let value = self.expr(condition)?;
                let holds = self.truth(value.expr);
                self.stand(c.span);
                self.emit(Op::Assume(holds));
                self.void_value()
            }
            ("block" | "quiet_block", [name, size]) => {
                let name = self.words(name)?;
                let value = self.expr(size)?;
                let ty = self.size_type();
                let size = self.convert(value, ty, c.span)?;
                let size = self.keep(size.expr);
                let quiet = word == "quiet_block";
                self.heap_block(&name, size, quiet, c.span)?
            }
            ("set_errno" | "perhaps_errno", [_]) if !self.externals.contains_key(ERRNO) => {
                self.void_value()
            }
            ("set_errno", [value]) => {
                let value = self.expr(value)?;
                self.set_errno(value.expr, c.span);
                self.void_value()
            }
            ("perhaps_errno", [value]) => {
                let value = self.expr(value)?;
                self.perhaps_errno(value.expr, c.span)?;
                self.void_value()
            }
            ("print", [text, length]) => {
                let (pointer, size) = (self.void_pointer(), self.size_type());
                let value = self.expr(text)?;
                let text = self.convert(value, pointer, c.span)?;
                let value = self.expr(length)?;
                let length = self.convert(value, size, c.span)?;
                let passed = [text.expr, length.expr];
                self.only_the_machine(prova_library::PRINT, &passed, c.span);
                self.void_value()
            }
            ("printf", [format, list]) => {
                let pointer = self.void_pointer();
                let value = self.expr(format)?;
                let format = self.convert(value, pointer, c.span)?;
                let place = self.cursor(list)?;
                let slots = self.read_place(place, c.span)?;
                let passed = [format.expr, slots.expr];
                self.only_the_machine(prova_library::PRINTF, &passed, c.span);
                self.void_value()
            }
            // Functions that the weaving of properties gives their meaning.
            ("block_size", [_]) | ("apart", [_, _, _]) => return Ok(None),
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

    /// Gives `errno` a value. Where no unit of the program mentions it, there is none to be seen.
    pub fn set_errno(&mut self, value: ExprId, span: CSpan) {
        let Some(Symbol::Variable(var)) = self.externals.get(ERRNO) else {
            return;
        };
        let Home::Object(object) = self.variables[var.0 as usize].home else {
            return;
        };
        self.stand(span);
        let address = self.address(object);
        self.store(address, value);
    }

    /// Gives `errno` a value or leaves it alone: which, is open.
    fn perhaps_errno(&mut self, value: ExprId, span: CSpan) -> Result<()> {
        let origin = Origin::Choice("whether `errno` is set".to_string());
        let set = self.any_scalar("uchar", origin, span)?;
        let one = self.int(1, 8);
        let set = self.binary(BinaryOp::And, set.expr, one);
        let set = self.truth(set);
        let (yes, next) = (self.new_location(), self.new_location());
        self.branch(set, yes, next);
        self.frame.at = yes;
        self.set_errno(value, span);
        self.jump(next);
        self.frame.at = next;
        Ok(())
    }

    /// A call of a function that only the machine knows; it shows what the program prints.
    pub fn only_the_machine(&mut self, name: &'static str, arguments: &[ExprId], span: CSpan) {
        let proc = match self.externals.get(name) {
            Some(Symbol::Function(proc)) => *proc,
            _ => {
                let pointer = self.void_pointer();
                let size = self.size_type();
                let parameters = arguments.iter().map(|e| match self.program.exprs.ty(*e) {
                    Type::Ptr => pointer.into(),
                    _ => size.into(),
                });
                let ty = crate::types::FunctionType {
                    parameters: parameters.collect(),
                    result: self.types.void().into(),
                    variadic: false,
                    prototype: true,
                };
                let ty = self.types.make(Ty::Function(std::rc::Rc::new(ty)));
                let proc = self.new_function(name, ty, span);
                self.externals.insert(name, Symbol::Function(proc));
                proc
            }
        };
        self.stand(span);
        self.emit(Op::Call {
            result: None,
            callee: Callee::Direct(proc),
            arguments: arguments.to_vec(),
        });
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
    pub fn any_scalar(&mut self, kind: &str, origin: Origin, span: CSpan) -> Result<Value> {
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
