//! Predicates of contracts as code: what is valid, what is a string, what holds for all numbers of a range.
//!
//! `prova_valid`, `prova_string`, `prova_separate`, `prova_forall` and `prova_exists` may stand wherever a
//! contract has a condition. Each becomes statements that leave 1 or 0 in a register. What would be unsound: an
//! answer where nothing is known. So questions about memory are asked of what memory safety keeps
//! (`prova-spec/memory/asked`), which answers exactly or says that it is not modelled.

use super::*;
use lang_c::ast::*;

impl<'a> Lowerer<'a> {
    /// The value of a word that belongs to contracts, or `None` if it is none.
    pub fn contract_word(
        &mut self,
        name: &'a str,
        c: &'a Node<CallExpression>,
    ) -> Result<Option<Value>> {
        let Some(word) = name.strip_prefix("__prova_") else {
            return Ok(None);
        };
        if self.unit >= self.first_model {
            return Ok(None);
        }
        let arguments = &c.node.arguments[..];
        Ok(Some(match (word, arguments) {
            ("requires" | "ensures" | "assigns", _) => {
                let at_start = self.clause_places.contains(&(self.unit, c.span.start));
                if !at_start {
                    let message =
                        format!("`prova_{word}` stands at the start of a function's body");
                    return Err(self.error(c.span, message));
                }
                self.void_value()
            }
            ("invariant" | "decreases", _) => {
                let at_start = self.clause_places.contains(&(self.unit, c.span.start));
                if !at_start {
                    let message = format!("`prova_{word}` stands at the start of a loop's body");
                    return Err(self.error(c.span, message));
                }
                self.void_value()
            }
            ("old", [_]) => match self.olds.get(&(self.unit, c.span.start)) {
                Some(value) => *value,
                None => {
                    let message = "`prova_old` stands in what a function ensures";
                    return Err(self.error(c.span, message));
                }
            },
            ("valid" | "valid_read", [p, n]) => {
                let start = self.expr(p)?;
                let start = Value {
                    expr: self.keep_from(start.expr, &Effects::of(n)),
                    ..start
                };
                let size = self.expr(n)?;
                let ty = self.size_type();
                let size = self.convert(size, ty, n.span)?;
                self.is_valid(word == "valid", start, size, c.span)?
            }
            ("string", [p]) => {
                let start = self.expr(p)?;
                self.is_string(start, c.span)?
            }
            ("separate", [p, q]) => {
                let a = self.expr(p)?;
                let a = Value {
                    expr: self.keep(a.expr),
                    ..a
                };
                let b = self.expr(q)?;
                let same = self.ask_values(prova_library::SAME_OBJECT, vec![a, b], c.span)?;
                let same = self.truth(same.expr);
                let apart = self.program.exprs.not(same);
                self.truth_value(apart)
            }
            ("fresh", [_, _]) => {
                let what = "`__CPROVER_is_fresh` of what is no parameter, or behind a call";
                let marker = self.mark(MarkerKind::Other(what.into()), c.span);
                let int = self.int_type();
                self.unmodelled(int, marker)
            }
            ("forall" | "exists", [variable, low, high, e]) => {
                self.quantified(word == "forall", variable, low, high, e, c.span)?
            }
            ("forall" | "exists", _) => {
                let message =
                    format!("`prova_{word}` needs a variable, two bounds and a condition");
                return Err(self.error(c.span, message));
            }
            _ => return Ok(None),
        }))
    }

    /// No bytes are always valid; otherwise the pointer leads to so many.
    fn is_valid(&mut self, write: bool, start: Value, size: Value, span: CSpan) -> Result<Value> {
        let name = match write {
            true => prova_library::WRITABLE,
            false => prova_library::READABLE,
        };
        let size = Value {
            expr: self.keep(size.expr),
            ..size
        };
        let bits = self.pointer_bits();
        let zero = self.int(0, bits);
        let none = self.binary(BinaryOp::Eq, size.expr, zero);
        if matches!(fold::as_int(&self.program.exprs, none), Some((1, _))) {
            return Ok(self.int_value(1));
        }
        let result = self.temporary(Type::Int(32));
        let (some, nothing, end) = (
            self.new_location(),
            self.new_location(),
            self.new_location(),
        );
        self.stand(span);
        self.branch(none, nothing, some);
        self.frame.at = nothing;
        let one = self.int(1, 32);
        self.assign(result, one);
        self.jump(end);
        self.frame.at = some;
        let ok = self.ask_values(name, vec![start, size], span)?;
        self.assign(result, ok.expr);
        self.jump(end);
        self.frame.at = end;
        Ok(Value {
            expr: self.program.read(result),
            ty: self.int_type(),
        })
    }

    /// Whether a zero comes before the end of the object that a pointer leads to.
    fn is_string(&mut self, start: Value, span: CSpan) -> Result<Value> {
        let char = self.types.int(IntKind::Char);
        let pointer = self.types.pointer(char);
        let start = self.convert(start, pointer, span)?;
        let at = self.temporary(Type::Ptr);
        self.stand(span);
        self.assign(at, start.expr);
        let (head, byte, more, yes, no) = (
            self.new_location(),
            self.new_location(),
            self.new_location(),
            self.new_location(),
            self.new_location(),
        );
        self.jump(head);
        self.frame.at = head;
        let bits = self.pointer_bits();
        let here = Value {
            expr: self.program.read(at),
            ty: pointer,
        };
        let one = Value {
            expr: self.int(1, bits),
            ty: self.size_type(),
        };
        let ok = self.ask_values(prova_library::READABLE, vec![here, one], span)?;
        let ok = self.truth(ok.expr);
        self.branch(ok, byte, no);
        self.frame.at = byte;
        let read = self.program.exprs.load(here.expr, Type::Int(8));
        let zero = self.int(0, 8);
        let ends = self.binary(BinaryOp::Eq, read, zero);
        self.branch(ends, yes, more);
        self.frame.at = more;
        let next = self.offset(here.expr, 1);
        self.assign(at, next);
        self.jump(head);
        Ok(self.answer_at(yes, no))
    }

    /// Whether a condition holds for all numbers, or for one, from `low` up to but not with `high`.
    fn quantified(
        &mut self,
        all: bool,
        variable: &'a Node<Expression>,
        low: &'a Node<Expression>,
        high: &'a Node<Expression>,
        e: &'a Node<Expression>,
        span: CSpan,
    ) -> Result<Value> {
        let Expression::Identifier(name) = &variable.node else {
            return Err(self.error(variable.span, "a quantifier needs the name of a variable"));
        };
        let from = self.expr(low)?;
        let from = Value {
            expr: self.keep_from(from.expr, &Effects::of(high)),
            ..from
        };
        let to = self.expr(high)?;
        let ty = self.common_type(from.ty, to.ty);
        let Some(kind) = self.types.integer(ty) else {
            return Err(self.error(span, "the bounds of a quantifier are integers"));
        };
        let from = self.convert(from, ty, low.span)?;
        let to = self.convert(to, ty, high.span)?;
        let to = self.keep(to.expr);
        let ir = self.ir_type(ty, span)?;
        let register = self.temporary(ir);
        self.stand(span);
        self.assign(register, from.expr);
        let (head, body, yes, no) = (
            self.new_location(),
            self.new_location(),
            self.new_location(),
            self.new_location(),
        );
        self.jump(head);
        self.frame.at = head;
        let at = self.program.read(register);
        let less = if kind.signed() {
            BinaryOp::SLt
        } else {
            BinaryOp::ULt
        };
        let inside = self.binary(less, at, to);
        let (finished, found) = if all { (yes, no) } else { (no, yes) };
        self.branch(inside, body, finished);
        self.frame.at = body;
        self.scopes.push(Scope::default());
        let var = self.new_variable(ty.into(), Home::Register(register), name.span);
        self.bind(&name.node.name, Symbol::Variable(var));
        let value = self.expr(e);
        self.scopes.pop();
        let holds = self.truth(value?.expr);
        let next = self.new_location();
        match all {
            true => self.branch(holds, next, found),
            false => self.branch(holds, found, next),
        }
        self.frame.at = next;
        let one = self.int(1, self.int_bits(kind));
        let more = self.binary(BinaryOp::Add, at, one);
        self.assign(register, more);
        self.jump(head);
        Ok(self.answer_at(yes, no))
    }

    /// The answer of a predicate that ends in one of two places: 1 at `yes`, 0 at `no`.
    fn answer_at(&mut self, yes: LocId, no: LocId) -> Value {
        let result = self.temporary(Type::Int(32));
        let end = self.new_location();
        for (from, value) in [(yes, 1), (no, 0)] {
            self.frame.at = from;
            let value = self.int(value, 32);
            self.assign(result, value);
            self.jump(end);
        }
        self.frame.at = end;
        Value {
            expr: self.program.read(result),
            ty: self.int_type(),
        }
    }
}
