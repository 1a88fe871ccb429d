//! Library functions that are lowered directly, unless the program defines them itself: inputs,
//! assumptions, the end of the program, allocation, and copies of a known size.

use super::format::{literal_of, MOST_STORES};
use super::lvalue::Location;
use super::*;
use lang_c::ast::*;

/// Blocks up to this size are copied or filled in one step.
pub(crate) const LARGEST_COPY: u128 = 1 << 16;

/// The first bytes of a literal with its end, if they are so few that they are stored one by one.
fn bytes_of(mut text: Vec<u8>, size: u64) -> Option<Vec<u8>> {
    text.push(0);
    let size = usize::try_from(size).ok()?;
    text.truncate(size);
    (text.len() == size && size <= MOST_STORES).then_some(text)
}

impl<'a> Lowerer<'a> {
    /// The value of a call of a known library function, or `None` to call it as any other. The
    /// value may be anything if it is not `wanted`.
    pub fn library_call(
        &mut self,
        name: &'a str,
        proc: ProcId,
        c: &'a Node<CallExpression>,
        wanted: bool,
    ) -> Result<Option<Value>> {
        let value = self.direct_call(name, proc, c, wanted)?;
        if value.is_some() && self.unit < self.first_model {
            self.replaced.insert(name.to_owned());
        }
        Ok(value)
    }

    fn direct_call(
        &mut self,
        name: &'a str,
        proc: ProcId,
        c: &'a Node<CallExpression>,
        wanted: bool,
    ) -> Result<Option<Value>> {
        let arguments = &c.node.arguments;
        if let Some(value) = self.formatted_call(name, c, wanted)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.scanned_call(name, c)? {
            return Ok(Some(value));
        }
        if name.ends_with("_chk") && prova_library::plain_name(name) != name {
            return self.library_builtin(name, c);
        }
        if let Some(kind) = name.strip_prefix("__VERIFIER_nondet_") {
            return self.input(name, kind, proc, arguments, c.span).map(Some);
        }
        Ok(Some(match (name, arguments.len()) {
            ("__VERIFIER_assume", 1) => {
                let yes = self.new_location();
                let value = self.expr(&arguments[0])?;
                let truth = self.truth(value.expr);
                self.stand(c.span);
                self.edge(Op::Assume(truth), yes);
                self.frame.at = yes;
                self.void_value()
            }
            ("abort", _) => self.halt(Halt::Abort, c.span),
            ("exit" | "_exit" | "_Exit" | "quick_exit", 1) => {
                let value = self.expr(&arguments[0])?;
                let int = self.int_type();
                let mut code = self.convert(value, int, c.span)?;
                if self.leave.is_some() {
                    code.expr = self.keep(code.expr);
                }
                self.before_exit(name, code.expr);
                self.halt(Halt::Exit(code.expr), c.span)
            }
            ("setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp", _) => {
                // It returns for the first time; `longjmp` is not modelled where it is reached.
                for argument in arguments {
                    self.effect(argument)?;
                }
                self.int_value(0)
            }
            ("signal", 2) => self.signal(arguments, c.span)?,
            ("malloc" | "__builtin_malloc", 1) => {
                let size = self.size_argument(&arguments[0])?;
                self.heap_block(name, size, false, c.span)?
            }
            ("alloca" | "__builtin_alloca", 1) => {
                let size = self.size_argument(&arguments[0])?;
                self.allocate(size, Allocation::Stack, c.span)
            }
            ("calloc" | "__builtin_calloc", 2) => return self.calloc(arguments, c.span),
            ("free" | "__builtin_free", 1) => {
                let value = self.expr(&arguments[0])?;
                let pointer = self.void_pointer();
                let value = self.convert(value, pointer, c.span)?;
                self.stand(c.span);
                self.emit(Op::Free(value.expr));
                self.void_value()
            }
            ("memcpy" | "__builtin_memcpy", 3) => return self.memcpy(arguments, false, c.span),
            ("memmove" | "__builtin_memmove", 3) => return self.memcpy(arguments, true, c.span),
            ("memset" | "__builtin_memset", 3) => return self.memset(arguments, c.span),
            ("puts" | "__builtin_puts", 1) => return self.put_line(c, wanted),
            ("strcpy" | "strcat", 2) | ("strncpy", 3) => return self.text_copy(name, c),
            _ => return Ok(None),
        }))
    }

    /// To ignore a signal, or to treat it as usual, changes nothing that is modelled. A handler of
    /// the program's own may run at any time.
    fn signal(&mut self, arguments: &'a [Node<Expression>], span: CSpan) -> Result<Value> {
        self.effect(&arguments[0])?;
        let handler = self.expr(&arguments[1])?;
        let pointer = self.void_pointer();
        let handler = self.convert(handler, pointer, span)?;
        let fixed = match self.program.exprs.get(handler.expr) {
            Expr::Pointer(value) => value <= 1,
            _ => false,
        };
        if !fixed {
            let what = MarkerKind::Other("a signal handler of the program's own".into());
            self.mark(what, span);
        }
        self.stand(span);
        let target = self.temporary(Type::Ptr);
        self.emit(Op::Nondet {
            target,
            origin: Origin::Choice("what `signal` returns".into()),
        });
        Ok(Value {
            expr: self.program.read(target),
            ty: pointer,
        })
    }

    pub fn void_pointer(&mut self) -> TypeId {
        let void = self.types.void();
        self.types.pointer(void)
    }

    pub fn halt(&mut self, halt: Halt, span: CSpan) -> Value {
        self.stand(span);
        self.emit(Op::Halt(halt));
        self.frame.at = self.new_location();
        self.void_value()
    }

    fn size_argument(&mut self, e: &'a Node<Expression>) -> Result<ExprId> {
        let value = self.expr(e)?;
        let size = self.size_type();
        Ok(self.convert(value, size, e.span)?.expr)
    }

    pub fn allocate(&mut self, size: ExprId, kind: Allocation, span: CSpan) -> Value {
        self.stand(span);
        let target = self.temporary(Type::Ptr);
        self.emit(Op::Allocate { target, size, kind });
        Value {
            expr: self.program.read(target),
            ty: self.void_pointer(),
        }
    }

    /// `__VERIFIER_nondet_T()`: an arbitrary value of the declared result type, or of the type
    /// the name says where there is no declaration.
    pub fn input(
        &mut self,
        name: &str,
        kind: &str,
        proc: ProcId,
        arguments: &'a [Node<Expression>],
        span: CSpan,
    ) -> Result<Value> {
        use IntKind::*;
        for argument in arguments {
            self.effect(argument)?;
        }
        if !arguments.is_empty() {
            // Inputs of the competition take none: this one may write through them.
            let what = format!("`{name}` with arguments");
            self.mark(MarkerKind::Other(what), span);
        }
        let ty = self.functions[proc.index()].ty;
        let function = self
            .types
            .function(ty)
            .expect("functions have function types");
        let named = match kind {
            "char" => Some(Char),
            "uchar" | "u8" => Some(UChar),
            "short" => Some(Short),
            "ushort" | "u16" => Some(UShort),
            "uint" | "unsigned" | "u32" => Some(UInt),
            "long" => Some(Long),
            "ulong" => Some(ULong),
            "longlong" => Some(LongLong),
            "ulonglong" => Some(ULongLong),
            _ => None,
        };
        let ty = match (
            function.prototype || !self.functions[proc.index()].implicit,
            named,
        ) {
            (false, Some(kind)) => self.types.int(kind),
            _ => function.result.id,
        };
        self.stand(span);
        if self.types.is_void(ty) {
            return Ok(self.void_value());
        }
        let origin = Origin::Input(name.to_string());
        if self.types.record(ty).is_some() {
            let size = self.size_of(ty, span)?;
            let align = self.align_of(ty);
            let object = self.temporary_object(size, align, Some(ty));
            let expr = self.address(object);
            self.arbitrary(Location::Memory(expr), ty.into(), origin, span)?;
            return Ok(Value { expr, ty });
        }
        let ir = self.ir_type(ty, span)?;
        let target = self.temporary(ir);
        let ctype = self.ctype(ty);
        self.program.registers[target.index()].ctype = Some(ctype);
        self.emit(Op::Nondet { target, origin });
        let expr = self.program.read(target);
        // An arbitrary `_Bool` is 0 or 1, and so is what is called one.
        if matches!(self.types.get(ty), Ty::Bool) || matches!(kind, "bool" | "_Bool") {
            self.assume_small(expr, 1);
        }
        Ok(Value {
            expr,
            ty: self.types.plain(ty),
        })
    }

    /// `calloc` of a constant size: a block, and zeros copied into it.
    fn calloc(&mut self, arguments: &'a [Node<Expression>], span: CSpan) -> Result<Option<Value>> {
        let sizes = self.aside(|s| {
            let a = s.size_argument(&arguments[0])?;
            let b = s.size_argument(&arguments[1])?;
            Ok((s.binary(BinaryOp::Mul, a, b), a, b))
        })?;
        let (product, a, b) = sizes.0;
        let constant = |e| fold::as_int(&self.program.exprs, e).map(|v| v.0);
        let (Some(a), Some(b)) = (constant(a), constant(b)) else {
            return Ok(None);
        };
        // A product that does not fit would look small.
        let size = a.saturating_mul(b);
        if size > LARGEST_COPY {
            return Ok(None);
        }
        let fails = self.fails("calloc", span)?;
        let fill = |s: &mut Self, block: ExprId| s.fill_block(block, 0, size as u64);
        Ok(Some(
            self.block_unless(fails.expr, product, false, span, fill),
        ))
    }

    /// A block of the heap, or null: of more than half the address space there is none, and of
    /// less there may be none. If there is none, `errno` says why, unless this is `quiet`.
    pub fn heap_block(
        &mut self,
        name: &str,
        size: ExprId,
        quiet: bool,
        span: CSpan,
    ) -> Result<Value> {
        let fails = self.fails(prova_library::plain_name(name), span)?;
        let most = self.largest_block();
        let zero = self.int(0, 32);
        let fails = self.binary(BinaryOp::Ne, fails.expr, zero);
        let too_large = self.binary(BinaryOp::ULt, most, size);
        let fails = self.binary(BinaryOp::Or, fails, too_large);
        Ok(self.block_unless(fails, size, quiet, span, |_, _| {}))
    }

    /// The size of the largest block that there may be: with 64 bits no machine has the memory for
    /// a larger one, with 32 it is half the address space.
    pub fn largest_block(&mut self) -> ExprId {
        let bits = self.pointer_bits();
        let most = match self.model {
            _ if self.small_blocks => 1 << 27,
            DataModel::Lp64 => 1 << 44,
            DataModel::Ilp32 => i32::MAX as u128,
        };
        self.int(most, bits)
    }

    /// A block that is filled, or null where the allocation fails.
    fn block_unless(
        &mut self,
        fails: ExprId,
        size: ExprId,
        quiet: bool,
        span: CSpan,
        fill: impl FnOnce(&mut Self, ExprId),
    ) -> Value {
        let fails = self.truth(fails);
        if matches!(fold::as_int(&self.program.exprs, fails), Some((0, _))) {
            let block = self.allocate(size, Allocation::Heap, span);
            fill(self, block.expr);
            return block;
        }
        self.stand(span);
        let target = self.temporary(Type::Ptr);
        let (failed, done, end) = (
            self.new_location(),
            self.new_location(),
            self.new_location(),
        );
        self.branch(fails, failed, done);
        self.frame.at = failed;
        if !quiet {
            self.out_of_memory(span);
        }
        let null = self.program.exprs.add(Expr::Pointer(0));
        self.edge(
            Op::Assign {
                target,
                value: null,
            },
            end,
        );
        self.frame.at = done;
        let block = self.allocate(size, Allocation::Heap, span).expr;
        fill(self, block);
        self.edge(
            Op::Assign {
                target,
                value: block,
            },
            end,
        );
        self.frame.at = end;
        Value {
            expr: self.program.read(target),
            ty: self.void_pointer(),
        }
    }

    /// Fills a block with a byte.
    pub fn fill_block(&mut self, target: ExprId, byte: u8, size: u64) {
        if size == 0 {
            return;
        }
        let source = self.filled_object(byte, size);
        let source = self.address(source);
        self.emit(Op::Copy {
            target,
            source,
            size,
        });
    }

    /// The constant an argument is, if it is one.
    fn constant_argument(&mut self, e: &'a Node<Expression>) -> Result<Option<u128>> {
        let (size, clean) = self.aside(|s| s.size_argument(e))?;
        let value = fold::as_int(&self.program.exprs, size).map(|v| v.0);
        Ok(value.filter(|_| clean))
    }

    fn memcpy(
        &mut self,
        arguments: &'a [Node<Expression>],
        overlapping: bool,
        span: CSpan,
    ) -> Result<Option<Value>> {
        let size = match self.constant_argument(&arguments[2])? {
            Some(size) if size <= LARGEST_COPY => size as u64,
            _ => return Ok(None),
        };
        let pointer = self.void_pointer();
        let values = self.arguments(&arguments[..2])?;
        let target = self.convert(values[0], pointer, span)?;
        let source = self.convert(values[1], pointer, span)?.expr;
        self.stand(span);
        let literal = literal_of(&arguments[1]).and_then(|text| bytes_of(text, size));
        match literal {
            Some(bytes) => self.store_bytes(target.expr, &bytes),
            None => self.copy_block(target.expr, source, size, overlapping),
        }
        Ok(Some(target))
    }

    /// Stores characters one by one. Other than a copy this does not tie their text to the target.
    pub fn store_bytes(&mut self, target: ExprId, bytes: &[u8]) {
        for (i, &c) in bytes.iter().enumerate() {
            let to = self.offset(target, i as u64);
            let c = self.int(u128::from(c), 8);
            self.store(to, c);
        }
    }

    /// A copy of a text. Where both are objects with a name, and not the same, nobody has to ask
    /// whether they overlap.
    fn text_copy(&mut self, name: &str, c: &'a Node<CallExpression>) -> Result<Option<Value>> {
        let unasked = format!("__prova_{name}");
        if !self.externals.contains_key(unasked.as_str()) || self.unit >= self.first_model {
            return Ok(None);
        }
        let values = self.arguments(&c.node.arguments)?;
        let literal = c.node.arguments.get(1).and_then(literal_of);
        if let (Some(mut text), "strcpy") = (literal, name) {
            text.push(0);
            if text.len() <= MOST_STORES {
                let char = self.types.int(IntKind::Char);
                let pointer = self.types.pointer(char);
                let to = self.convert(values[0], pointer, c.span)?;
                self.stand(c.span);
                self.store_bytes(to.expr, &text);
                return Ok(Some(to));
            }
        }
        let mut objects = values.iter().map(|v| self.object_in(v.expr));
        let apart = match (objects.next().flatten(), objects.next().flatten()) {
            (Some(to), Some(from)) => to != from,
            _ => false,
        };
        let called = if apart { &unasked } else { name };
        self.model_call(called, values, c.span).map(Some)
    }

    /// The object with a name that a pointer is made from.
    fn object_in(&self, mut pointer: ExprId) -> Option<ObjectId> {
        loop {
            match self.program.exprs.get(pointer) {
                Expr::Address(object) => return Some(object),
                Expr::Binary {
                    op: BinaryOp::PtrAdd,
                    left,
                    ..
                } => pointer = left,
                _ => return None,
            }
        }
    }

    /// Copies a block; one that may overlap goes by way of another.
    pub fn copy_block(&mut self, target: ExprId, source: ExprId, size: u64, overlapping: bool) {
        if size == 0 {
            return;
        }
        let mut source = source;
        if overlapping {
            let object = self.temporary_object(size, 16, None);
            let between = self.address(object);
            self.emit(Op::Copy {
                target: between,
                source,
                size,
            });
            source = between;
        }
        self.emit(Op::Copy {
            target,
            source,
            size,
        });
    }

    fn memset(&mut self, arguments: &'a [Node<Expression>], span: CSpan) -> Result<Option<Value>> {
        let size = self.constant_argument(&arguments[2])?;
        let byte = self.constant_argument(&arguments[1])?;
        let (size, byte) = match (size, byte) {
            (Some(size), Some(byte)) if size <= LARGEST_COPY => (size as u64, byte as u8),
            _ => return Ok(None),
        };
        let pointer = self.void_pointer();
        let value = self.expr(&arguments[0])?;
        let target = self.convert(value, pointer, span)?;
        self.stand(span);
        self.fill_block(target.expr, byte, size);
        Ok(Some(target))
    }
}
