//! Edges, temporaries, and values kept across side effects.

use super::*;

impl<'a> Lowerer<'a> {
    // ----- edges -----

    pub fn new_location(&mut self) -> LocId {
        self.frame.body.add_location(Span::NONE)
    }

    /// A statement at the current location; execution then stands behind it.
    pub fn emit(&mut self, statement: Op) {
        let target = self.new_location();
        self.edge(statement, target);
        self.frame.at = target;
    }

    /// An edge from the current location.
    pub fn edge(&mut self, statement: Op, target: LocId) {
        let (at, here) = (self.frame.at, self.frame.here);
        let location = &mut self.frame.body.locations[at.index()];
        if !location.span.is_known() {
            location.span = here;
        }
        self.frame.body.add_edge(at, target, statement, here);
    }

    /// Goes on at `target`, without standing there yet.
    pub fn jump(&mut self, target: LocId) {
        self.edge(Op::Skip, target);
    }

    /// Branches on a truth value.
    pub fn branch(&mut self, cond: ExprId, yes: LocId, no: LocId) {
        match fold::as_int(&self.program.exprs, cond) {
            Some((0, _)) => self.jump(no),
            Some(_) => self.jump(yes),
            None => {
                let not = self.program.exprs.not(cond);
                self.edge(Op::Assume(cond), yes);
                self.edge(Op::Assume(not), no);
            }
        }
    }

    pub fn temporary(&mut self, ty: Type) -> RegId {
        let name = self.unique_name("tmp");
        let span = self.frame.here;
        self.program.add_register(Register {
            name,
            c_name: String::new(),
            ty,
            ctype: None,
            owner: self.frame.proc,
            role: Role::Temporary,
            initial: None,
            span,
        })
    }

    pub fn assign(&mut self, target: RegId, value: ExprId) {
        self.emit(Op::Assign { target, value });
    }

    pub fn store(&mut self, address: ExprId, value: ExprId) {
        self.emit(Op::Store { address, value });
    }

    /// Keeps a value as it is now.
    pub fn keep(&mut self, expr: ExprId) -> ExprId {
        if fold::is_constant(&self.program.exprs, expr) {
            return expr;
        }
        let ty = self.program.exprs.ty(expr);
        let reg = self.temporary(ty);
        self.assign(reg, expr);
        self.program.read(reg)
    }

    /// Keeps a value if what comes next may change it.
    pub fn keep_from(&mut self, expr: ExprId, effects: &Effects<'_>) -> ExprId {
        if !effects.is_none() && self.may_change(expr, effects) {
            self.keep(expr)
        } else {
            expr
        }
    }

    fn may_change(&self, expr: ExprId, effects: &Effects<'_>) -> bool {
        let pool = &self.program.exprs;
        let mut work = vec![expr];
        let mut steps = 0;
        while let Some(id) = work.pop() {
            steps += 1;
            if steps > 500 {
                return true;
            }
            match pool.get(id) {
                Expr::Load { .. } => return true,
                Expr::Reg(reg) => {
                    let register = self.program.register(reg);
                    let changed = match register.role {
                        Role::Temporary => effects.anything,
                        _ => {
                            effects.anything
                                || (effects.calls && register.owner.is_none())
                                || effects.written.contains(&register.c_name.as_str())
                        }
                    };
                    if changed {
                        return true;
                    }
                }
                _ => work.extend(pool.children(id)),
            }
        }
        false
    }

    /// Runs something whose edges are thrown away: operands of `sizeof` and `typeof`, constant
    /// expressions. Says whether there were any edges.
    pub fn aside<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<(T, bool)> {
        let at = self.new_location();
        let outer = std::mem::replace(&mut self.frame.at, at);
        let edges = self.frame.body.edges.len();
        let open = self.frame.open.len();
        let result = run(self);
        let clean = self.frame.body.edges.len() == edges;
        self.frame.open.truncate(open);
        self.frame.at = outer;
        // Edges from a place nothing leads to; dropped when the body is tidied.
        result.map(|value| (value, clean))
    }

    /// A frame object for a temporary structure or the slots of `...`.
    pub fn temporary_object(&mut self, size: u64, align: u64, ty: Option<TypeId>) -> ObjectId {
        let name = self.unique_name("tmp");
        let ctype = ty.map(|t| self.ctype(t));
        let storage = match self.frame.proc {
            Some(proc) => Storage::Frame(proc),
            None => Storage::External,
        };
        let span = self.frame.here;
        let object = self.program.add_object(Object {
            name,
            c_name: String::new(),
            size,
            align,
            storage,
            ctype,
            span,
        });
        self.emit(Op::Enter(object));
        object
    }

    /// A marker: something accepted but not modelled happens here.
    pub fn mark(&mut self, kind: MarkerKind, span: CSpan) -> MarkerId {
        let id = self.new_marker(kind, span);
        self.emit(Op::Marker(id));
        id
    }

    /// The same for a place that comes later.
    pub fn new_marker(&mut self, kind: MarkerKind, span: CSpan) -> MarkerId {
        let place = self.span(span);
        let id = MarkerId::new(self.program.markers.len());
        self.program.markers.push(Marker {
            kind: kind.clone(),
            span: place,
        });
        self.warn(span, format!("{kind} is not modelled"));
        id
    }
}
