//! Statements (C11 6.8).

use super::*;
use lang_c::ast::*;

impl<'a> Lowerer<'a> {
    pub fn statement(&mut self, s: &'a Node<Statement>) -> Result<()> {
        // What is known of texts is known in straight code.
        let straight = matches!(s.node, Statement::Compound(_) | Statement::Expression(_));
        if straight {
            return self.any_statement(s);
        }
        self.frame.texts.clear();
        let lowered = self.any_statement(s);
        self.frame.texts.clear();
        lowered
    }

    fn any_statement(&mut self, s: &'a Node<Statement>) -> Result<()> {
        self.stand(s.span);
        match &s.node {
            Statement::Labeled(labeled) => {
                self.label(&labeled.node.label)?;
                self.statement(&labeled.node.statement)
            }
            Statement::Compound(items) => {
                self.block(|l| items.iter().try_for_each(|item| l.block_item(item)))
            }
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(e)) => self.effect_on_texts(e),
            Statement::If(i) => self.if_statement(&i.node),
            Statement::Switch(w) => self.switch(&w.node),
            Statement::While(w) => {
                let (head, body, end) = (
                    self.new_location(),
                    self.new_location(),
                    self.new_location(),
                );
                let clauses = self.loop_clauses(&w.node.statement)?;
                self.jump(head);
                self.frame.at = head;
                self.check_loop_clauses(&clauses)?;
                self.stand(w.node.expression.span);
                self.decision(&w.node.expression, body, end)?;
                self.frame.at = body;
                self.loop_body(&w.node.statement, end, head)?;
                self.stand(s.span);
                self.jump(head);
                self.frame.at = end;
                Ok(())
            }
            Statement::DoWhile(w) => {
                let (body, check, end) = (
                    self.new_location(),
                    self.new_location(),
                    self.new_location(),
                );
                let clauses = self.loop_clauses(&w.node.statement)?;
                self.jump(body);
                self.frame.at = body;
                self.check_loop_clauses(&clauses)?;
                self.loop_body(&w.node.statement, end, check)?;
                self.jump(check);
                self.frame.at = check;
                self.stand(w.node.expression.span);
                self.decision(&w.node.expression, body, end)?;
                self.frame.at = end;
                Ok(())
            }
            Statement::For(f) => self.block(|l| l.for_statement(&f.node, s.span)),
            Statement::Goto(name) => {
                let target = self.label_location(&name.node.name, name.span);
                self.goto(&name.node.name, target);
                Ok(())
            }
            Statement::Continue => match self.frame.continues.last() {
                Some(&(target, mark)) => {
                    self.leave_from(mark);
                    self.jump(target);
                    self.frame.at = self.new_location();
                    Ok(())
                }
                None => Err(self.error(s.span, "`continue` outside of a loop")),
            },
            Statement::Break => match self.frame.breaks.last() {
                Some(&(target, mark)) => {
                    self.leave_from(mark);
                    self.jump(target);
                    self.frame.at = self.new_location();
                    Ok(())
                }
                None => Err(self.error(s.span, "`break` outside of a loop or switch")),
            },
            Statement::Return(e) => self.return_statement(e.as_deref(), s.span),
            Statement::Asm(asm) => self.assembly(asm),
        }
    }

    pub fn block_item(&mut self, item: &'a Node<BlockItem>) -> Result<()> {
        match &item.node {
            BlockItem::Declaration(d) => {
                self.stand(item.span);
                self.declaration_of_texts(d)
            }
            BlockItem::StaticAssert(a) => self.static_assert(a),
            BlockItem::Statement(s) => self.statement(s),
        }
    }

    fn if_statement(&mut self, i: &'a IfStatement) -> Result<()> {
        let (yes, no, end) = (
            self.new_location(),
            self.new_location(),
            self.new_location(),
        );
        self.decision(&i.condition, yes, no)?;
        self.frame.at = yes;
        self.block(|l| l.statement(&i.then_statement))?;
        self.jump(end);
        self.frame.at = no;
        if let Some(other) = &i.else_statement {
            self.block(|l| l.statement(other))?;
        }
        self.jump(end);
        self.frame.at = end;
        Ok(())
    }

    fn loop_body(&mut self, s: &'a Node<Statement>, end: LocId, next: LocId) -> Result<()> {
        let open = self.frame.open.len();
        self.frame.breaks.push((end, open));
        self.frame.continues.push((next, open));
        let result = self.block(|l| l.statement(s));
        self.frame.breaks.pop();
        self.frame.continues.pop();
        result
    }

    fn for_statement(&mut self, f: &'a ForStatement, span: CSpan) -> Result<()> {
        match &f.initializer.node {
            ForInitializer::Empty => {}
            ForInitializer::Expression(e) => {
                self.stand(e.span);
                self.effect(e)?;
            }
            ForInitializer::Declaration(d) => {
                self.stand(d.span);
                self.local_declaration(d)?;
            }
            ForInitializer::StaticAssert(a) => self.static_assert(a)?,
        }
        let (head, body, step, end) = (
            self.new_location(),
            self.new_location(),
            self.new_location(),
            self.new_location(),
        );
        let clauses = self.loop_clauses(&f.statement)?;
        self.jump(head);
        self.frame.at = head;
        self.check_loop_clauses(&clauses)?;
        match &f.condition {
            Some(c) => {
                self.stand(c.span);
                self.decision(c, body, end)?;
            }
            None => {
                self.stand(span);
                self.jump(body);
            }
        }
        self.frame.at = body;
        self.loop_body(&f.statement, end, step)?;
        self.jump(step);
        self.frame.at = step;
        if let Some(e) = &f.step {
            self.stand(e.span);
            self.effect(e)?;
        }
        self.stand(span);
        self.jump(head);
        self.frame.at = end;
        Ok(())
    }

    fn return_statement(&mut self, e: Option<&'a Node<Expression>>, span: CSpan) -> Result<()> {
        let ty = self.frame.result_type;
        if let Some(e) = e {
            if self.types.is_void(ty.id) {
                self.effect(e)?;
            } else {
                let value = self.expr(e)?;
                let value = self.convert_for_assignment(value, ty.id, e.span)?;
                self.stand(span);
                if let Some(hidden) = self.frame.hidden {
                    let target = self.program.read(hidden);
                    let size = self.size_of(ty.id, span)?;
                    if size > 0 {
                        self.emit(Op::Copy {
                            target,
                            source: value.expr,
                            size,
                        });
                    }
                } else if let Some(result) = self.frame.result {
                    self.assign(result, value.expr);
                }
            }
        } else if let Some(result) = self.frame.result {
            // `return;` in a function with a result: the value is arbitrary.
            self.emit(Op::Nondet {
                target: result,
                origin: Origin::Uninitialised,
            });
        }
        self.leave_function();
        let exit = self.frame.body.exit;
        self.jump(exit);
        self.frame.at = self.new_location();
        Ok(())
    }

    /// The location of a label, made when first mentioned.
    pub fn label_location(&mut self, name: &'a str, span: CSpan) -> LocId {
        if let Some(label) = self.frame.labels.get(name) {
            return label.location;
        }
        let location = self.new_location();
        self.frame.body.locations[location.index()].label = Some(name.to_string());
        self.frame.labels.insert(
            name,
            LabelInfo {
                location,
                open: Vec::new(),
                defined: false,
                mentioned: span,
            },
        );
        location
    }

    pub fn label(&mut self, label: &'a Node<Label>) -> Result<()> {
        match &label.node {
            Label::Identifier(name) => {
                let text = name.node.name.as_str();
                let location = self.label_location(text, name.span);
                if std::mem::replace(&mut self.frame.labels[text].defined, true) {
                    return Err(self.error(name.span, format!("label `{text}` is defined twice")));
                }
                self.frame.labels[text].open = self.frame.open.clone();
                self.jump(location);
                self.frame.at = location;
                Ok(())
            }
            Label::Case(e) => self.case(e, e, label.span),
            Label::CaseRange(r) => self.case(&r.node.low, &r.node.high, label.span),
            Label::Default => {
                let here = self.new_location();
                let Some(cases) = self.frame.switches.last_mut() else {
                    return Err(self.error(label.span, "`default` outside of a switch"));
                };
                if cases.default.replace(here).is_some() {
                    return Err(self.error(label.span, "two defaults in one switch"));
                }
                self.jump(here);
                self.frame.at = here;
                Ok(())
            }
        }
    }

    pub fn static_assert(&mut self, a: &'a Node<StaticAssert>) -> Result<()> {
        let (value, _) = self.constant(&a.node.expression)?;
        if value == 0 {
            let text = a.node.message.node.join(" ");
            return Err(self.error(a.span, format!("static assertion failed: {text}")));
        }
        Ok(())
    }

    /// The label address that `&&name` stands for.
    pub fn label_address(&mut self, name: &'a Node<Identifier>) -> Value {
        let text = name.node.name.as_str();
        self.label_location(text, name.span);
        let known = self.frame.label_addresses.iter().position(|n| *n == text);
        let index = known.unwrap_or_else(|| {
            self.frame.label_addresses.push(text);
            self.frame.label_addresses.len() - 1
        });
        let void = self.types.void();
        Value {
            expr: self.program.exprs.add(Expr::Pointer(index as u64 + 1)),
            ty: self.types.pointer(void),
        }
    }

    /// `goto *e`: all of a function's computed gotos go through one dispatch chain.
    pub fn computed_goto(&mut self, value: Value) {
        if self.has_cleanups() {
            let what = "a computed `goto` in a block with cleanups";
            self.mark(MarkerKind::Other(what.into()), CSpan::none());
        }
        let (dispatch, reg) = match self.frame.dispatch {
            Some(found) => found,
            None => {
                let made = (self.new_location(), self.temporary(Type::Ptr));
                self.frame.dispatch = Some(made);
                made
            }
        };
        self.assign(reg, value.expr);
        self.jump(dispatch);
        self.frame.at = self.new_location();
    }

    /// Builds the dispatch chain, once every label is known.
    pub fn finish_dispatch(&mut self) {
        let Some((dispatch, reg)) = self.frame.dispatch else {
            return;
        };
        self.frame.at = dispatch;
        let value = self.program.read(reg);
        for (index, name) in self.frame.label_addresses.clone().into_iter().enumerate() {
            let address = self.program.exprs.add(Expr::Pointer(index as u64 + 1));
            let hit = self.binary(BinaryOp::Eq, value, address);
            let next = self.new_location();
            let target = self.frame.labels[name].location;
            self.branch(hit, target, next);
            self.frame.at = next;
        }
        // Any other address is undefined behaviour.
        let end = self.new_location();
        self.edge(Op::Halt(Halt::Trap), end);
    }
}
