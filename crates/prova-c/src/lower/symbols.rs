//! What the linker knows of names: weak symbols, aliases, and names that differ from C's.
//!
//! | in the program | what it means |
//! |---|---|
//! | `__attribute__((alias("f")))`, `#pragma weak g = f` | two names for one function or variable |
//! | `int f(void) __asm__("g")` | the same, where `g` is a name of the program |
//! | `__attribute__((weak))` of a definition | another takes its place, if there is one; a file that is not at hand may have one |
//! | `__attribute__((weak))` of what nobody defines | there may be such a thing or not: its address is arbitrary, and may be null |
//!
//! A weak function of the library is the library's.

use super::*;
use lang_c::ast::Identifier;

/// What the names start with that CBMC gives `static` functions.
const FILE_LOCAL: &str = "__CPROVER_file_local_";

/// A name that stands for what another name stands for.
pub(crate) struct Alias {
    unit: usize,
    span: CSpan,
    symbol: Symbol,
    target: String,
    /// Whether the target has to exist.
    strict: bool,
}

/// What the linker has to know.
#[derive(Default)]
pub(crate) struct Linkage {
    aliases: Vec<Alias>,
    /// Weak symbols by the unit that says so.
    weak_functions: FxHashSet<(usize, ProcId)>,
    weak_variables: FxHashSet<(usize, VarId)>,
    /// Functions that are picked when the program starts.
    resolved: FxHashSet<ProcId>,
    /// Functions whose definition another file may replace.
    replaceable: FxHashSet<ProcId>,
    /// Functions that may not exist, and the register that holds their address.
    perhaps: FxHashMap<ProcId, RegId>,
}

impl<'a> Lowerer<'a> {
    /// Notes what attributes say of a symbol.
    pub fn symbol_attributes(
        &mut self,
        name: &'a Node<Identifier>,
        symbol: Symbol,
        attributes: &super::declare::Attributes,
    ) {
        let names = [(&attributes.alias, true), (&attributes.symbol, false)];
        for (target, strict) in names {
            if let Some(target) = target {
                self.linkage.aliases.push(Alias {
                    unit: self.unit,
                    span: name.span,
                    symbol: symbol.clone(),
                    target: target.clone(),
                    strict,
                });
            }
        }
        if attributes.listed {
            let what = "a section whose functions run before or after `main`";
            let marker = MarkerKind::Other(what.into());
            self.at_start.get_or_insert((self.unit, name.span, marker));
        }
        if attributes.weak {
            self.make_weak(&symbol);
        }
        if let Symbol::Function(proc) = symbol {
            let function = &mut self.functions[proc.index()];
            function.constructor = function.constructor.or(attributes.constructor);
            function.destructor = function.destructor.or(attributes.destructor);
            if attributes.resolved {
                self.linkage.resolved.insert(proc);
            }
        }
    }

    fn make_weak(&mut self, symbol: &Symbol) {
        match *symbol {
            Symbol::Function(proc) => {
                self.linkage.weak_functions.insert((self.unit, proc));
            }
            Symbol::Variable(var) => {
                self.linkage.weak_variables.insert((self.unit, var));
            }
            _ => {}
        }
    }

    /// Whether this unit says that a function is weak.
    pub fn is_weak_function(&self, proc: ProcId) -> bool {
        self.linkage.weak_functions.contains(&(self.unit, proc))
    }

    /// Whether this unit says that a variable is weak.
    pub fn is_weak_variable(&self, var: VarId) -> bool {
        self.linkage.weak_variables.contains(&(self.unit, var))
    }

    /// Whether a unit says that a variable is weak.
    pub fn was_weak_variable(&self, unit: usize, var: VarId) -> bool {
        self.linkage.weak_variables.contains(&(unit, var))
    }

    /// `#pragma weak`: for all of its unit, wherever it stands.
    pub fn weak_pragmas(&mut self) {
        let units = self.units;
        let text = &units[self.unit].source.text;
        if !text.contains("#pragma weak") {
            return;
        }
        for line in text.lines() {
            let Some(rest) = line.trim_start().strip_prefix("#pragma weak ") else {
                continue;
            };
            let (name, target) = match rest.split_once('=') {
                Some((name, target)) => (name.trim(), Some(target.trim())),
                None => (rest.trim(), None),
            };
            let Some(symbol) = self.scopes[0].names.get(name).cloned() else {
                continue;
            };
            self.make_weak(&symbol);
            if let Some(target) = target {
                self.linkage.aliases.push(Alias {
                    unit: self.unit,
                    span: CSpan::none(),
                    symbol,
                    target: target.to_string(),
                    strict: true,
                });
            }
        }
    }

    /// Lets every name stand for what it stands for in the linked program. Comes when every unit
    /// has been declared, before bodies are lowered.
    pub fn link_symbols(&mut self, scopes: &mut [Scope<'a>]) {
        let mut same: Vec<(Symbol, Symbol)> = Vec::new();
        let mut views: Vec<(VarId, VarId)> = Vec::new();
        for alias in std::mem::take(&mut self.linkage.aliases) {
            self.unit = alias.unit;
            if let Some(view) = self.another_view(&alias, scopes) {
                views.push(view);
                continue;
            }
            match self.alias(&alias, scopes) {
                Ok(Some(found)) => same.push(found),
                Ok(None) => self.library_name(&alias),
                Err(error) => self.errors.push(*error),
            }
        }
        same.extend(self.file_local_names());
        if !same.is_empty() {
            let renamed = |symbol: &mut Symbol| {
                for (from, to) in &same {
                    if is_same(symbol, from) {
                        *symbol = to.clone();
                    }
                }
            };
            let names = scopes.iter_mut().flat_map(|s| s.names.values_mut());
            names.chain(self.externals.values_mut()).for_each(renamed);
        }
        if !same.is_empty() || !views.is_empty() {
            let as_symbols = |&(a, b): &(VarId, VarId)| (Symbol::Variable(a), Symbol::Variable(b));
            same.extend(views.iter().map(as_symbols));
            self.rename_contents(&same);
        }
        for (view, of) in views {
            self.variables[view.0 as usize].home = self.variables[of.0 as usize].home;
            self.variables[view.0 as usize].external = false;
        }
        self.find_missing();
    }

    /// The name by which CBMC lets other files see a `static` function: with that of its file.
    fn file_local_name(&self, proc: ProcId) -> Option<String> {
        let procedure = self.program.procedure(proc);
        let file = self.program.files.get(procedure.span.file.index())?;
        let file = std::path::Path::new(&file.name).file_name()?.to_str()?;
        let file = file.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        Some(format!("{FILE_LOCAL}{file}_{}", procedure.c_name))
    }

    /// Whether the definition at hand was taken out.
    pub fn is_removed(&self, proc: ProcId) -> bool {
        if self.removed.is_empty() || self.unit >= self.first_model {
            return false;
        }
        let file = std::path::Path::new(self.units[self.unit].name());
        let name = &self.program.procedure(proc).c_name;
        let local = self.file_local_name(proc);
        let meant = |n: &String| n == name || Some(n) == local.as_ref();
        self.removed.iter().any(|(f, n)| f == file && meant(n))
    }

    /// `__CPROVER_file_local_FILE_f`: the `static` function `f` of a file. One that the program
    /// defines under that name takes its place.
    fn file_local_names(&self) -> Vec<(Symbol, Symbol)> {
        let outside = self.externals.iter();
        let outside = outside.filter(|(name, _)| name.starts_with(FILE_LOCAL));
        let mut outside: Vec<(&str, ProcId)> = outside
            .filter_map(|(name, symbol)| match symbol {
                Symbol::Function(proc) => Some((*name, *proc)),
                _ => None,
            })
            .collect();
        outside.sort_unstable();
        if outside.is_empty() {
            return Vec::new();
        }
        let mut same = Vec::new();
        let all = (0..self.functions.len()).map(ProcId::new);
        let inside: Vec<(String, ProcId)> = all
            .filter(|p| self.functions[p.index()].declared.0 < self.first_model)
            .filter_map(|p| Some((self.file_local_name(p)?, p)))
            .collect();
        for (name, proc) in outside {
            let mut found = inside.iter().filter(|(n, p)| n == name && *p != proc);
            if self.functions[proc.index()].definition.is_some() {
                let pair = |p: &ProcId| (Symbol::Function(*p), Symbol::Function(proc));
                same.extend(found.map(|(_, p)| pair(p)));
                continue;
            }
            let defined = found.find(|(_, p)| self.functions[p.index()].definition.is_some());
            if let Some((_, p)) = defined {
                same.push((Symbol::Function(proc), Symbol::Function(*p)));
            }
        }
        same
    }

    /// The function that runs start at: the one that was named, `main`, or a harness.
    pub fn first_function(&self) -> Option<ProcId> {
        let defined = |name: &str| match self.externals.get(name) {
            Some(Symbol::Function(f)) => {
                let there = self.functions[f.index()].definition.is_some();
                there.then_some(*f)
            }
            _ => None,
        };
        match self.start {
            Some(start) => defined(start),
            None => defined("main").or_else(|| self.harness()),
        }
    }

    /// Where a program without `main` starts: at the one function that takes nothing and is called
    /// a harness.
    fn harness(&self) -> Option<ProcId> {
        let all = self.externals.iter().filter_map(|(name, symbol)| {
            let Symbol::Function(proc) = symbol else {
                return None;
            };
            let ty = self.types.function(self.functions[proc.index()].ty)?;
            let named = *name == "harness" || name.ends_with("_harness");
            let takes_nothing = ty.parameters.is_empty() && !ty.variadic;
            (named && takes_nothing && self.defined_by_user(*proc)).then_some(*proc)
        });
        let all: Vec<ProcId> = all.collect();
        match all[..] {
            [one] => Some(one),
            _ => None,
        }
    }

    /// A function of an own name that the linker knows as one of the library's is that one.
    fn library_name(&mut self, alias: &Alias) {
        let Symbol::Function(proc) = alias.symbol else {
            return;
        };
        let kind = |name: &str| prova_library::kind(name);
        let own = kind(&self.program.procedure(proc).c_name) == prova_library::Kind::Own;
        let missing = self.functions[proc.index()].definition.is_none();
        if own && missing && kind(&alias.target) != prova_library::Kind::Own {
            self.program.procedures[proc.index()].c_name = alias.target.clone();
        }
    }

    /// A variable that is the same object as another, seen as another type that fits into it.
    fn another_view(&self, alias: &Alias, scopes: &[Scope<'a>]) -> Option<(VarId, VarId)> {
        let name = alias.target.as_str();
        let own = scopes.get(alias.unit).and_then(|s| s.names.get(name));
        let target = own.or_else(|| self.externals.get(name))?;
        let (Symbol::Variable(a), Symbol::Variable(b)) = (&alias.symbol, target) else {
            return None;
        };
        let (from, to) = (&self.variables[a.0 as usize], &self.variables[b.0 as usize]);
        let objects = matches!((from.home, to.home), (Home::Object(_), Home::Object(_)));
        let size = |id| crate::layout::size_of(&self.types, self.model, id);
        let within = size(from.ty.id)? <= size(to.ty.id)?;
        let other = !self.types.compatible(from.ty.id, to.ty.id);
        (a != b && objects && within && other && from.external && !to.external).then_some((*a, *b))
    }

    /// What an alias makes the same.
    fn alias(&self, alias: &Alias, scopes: &[Scope<'a>]) -> Result<Option<(Symbol, Symbol)>> {
        let name = alias.target.as_str();
        let own = scopes[alias.unit].names.get(name);
        let target = own.or_else(|| self.externals.get(name)).cloned();
        let missing = || match alias.strict {
            true => Err(self.error(
                alias.span,
                format!("`{name}`, the alias of this, is missing"),
            )),
            false => Ok(None),
        };
        let Some(target) = target else {
            return missing();
        };
        match (alias.symbol.clone(), target) {
            (Symbol::Function(a), Symbol::Function(b)) if a != b => {
                let (from, to) = (&self.functions[a.index()], &self.functions[b.index()]);
                let (defined, other) = (from.definition.is_some(), to.definition.is_some());
                let modelled = from.definition.is_some_and(|(u, _)| u >= self.first_model);
                let replaced = to.definition.is_some_and(|(u, _)| u < self.first_model);
                if modelled && !alias.strict && !replaced {
                    // The library calls `scanf` otherwise; there is a model by its plain name.
                    return Ok(None);
                }
                if modelled && replaced {
                    return Ok(Some((Symbol::Function(a), Symbol::Function(b))));
                }
                if !other && (!defined || alias.strict) {
                    return missing();
                }
                if !self.types.compatible(from.ty, to.ty) || (defined && other) {
                    return Err(self.error(
                        alias.span,
                        format!("this and `{name}` cannot be the same function"),
                    ));
                }
                let pair = (Symbol::Function(a), Symbol::Function(b));
                Ok(Some(if defined { (pair.1, pair.0) } else { pair }))
            }
            (Symbol::Variable(a), Symbol::Variable(b)) if a != b => {
                let (from, to) = (&self.variables[a.0 as usize], &self.variables[b.0 as usize]);
                if to.external && (from.external || alias.strict) {
                    return missing();
                }
                let sizes = [from.ty.id, to.ty.id];
                let objects = matches!((from.home, to.home), (Home::Object(_), Home::Object(_)));
                let same = self.types.compatible(sizes[0], sizes[1]);
                if !same || !objects || (!from.external && !to.external) {
                    return Err(self.error(
                        alias.span,
                        format!("this and `{name}` cannot be the same variable"),
                    ));
                }
                let pair = (Symbol::Variable(a), Symbol::Variable(b));
                Ok(Some(if from.external {
                    pair
                } else {
                    (pair.1, pair.0)
                }))
            }
            (Symbol::Function(a), Symbol::Function(b)) if a == b => Ok(None),
            (Symbol::Variable(a), Symbol::Variable(b)) if a == b => Ok(None),
            _ if alias.strict => Err(self.error(
                alias.span,
                format!("this and `{name}` are different kinds of things"),
            )),
            _ => Ok(None),
        }
    }

    /// First contents that hold an address were made before names were linked.
    fn rename_contents(&mut self, same: &[(Symbol, Symbol)]) {
        let mut functions = FxHashMap::default();
        let mut objects = FxHashMap::default();
        for (from, to) in same {
            match (from, to) {
                (Symbol::Function(a), Symbol::Function(b)) => {
                    functions.insert(*a, *b);
                }
                (Symbol::Variable(a), Symbol::Variable(b)) => {
                    let home = |v: &VarId| self.variables[v.0 as usize].home;
                    if let (Home::Object(a), Home::Object(b)) = (home(a), home(b)) {
                        objects.insert(a, b);
                    }
                }
                _ => {}
            }
        }
        let rename = |pool: &mut prova_ir::ExprPool, value: &mut ExprId| {
            let base = |pool: &mut prova_ir::ExprPool, e: Expr| match e {
                Expr::Function(p) => functions.get(&p).map(|&to| pool.add(Expr::Function(to))),
                Expr::Address(o) => objects.get(&o).map(|&to| pool.add(Expr::Address(to))),
                _ => None,
            };
            let kept = pool.kept_address(*value);
            let e = pool.get(kept);
            let new = match e {
                Expr::Binary {
                    op: BinaryOp::PtrAdd,
                    left,
                    right,
                } => {
                    let left = pool.get(left);
                    let moved = base(pool, left);
                    moved.map(|left| pool.binary(BinaryOp::PtrAdd, left, right))
                }
                e => base(pool, e),
            };
            let Some(new) = new else { return };
            *value = match pool.get(*value) {
                Expr::Cast { op, to, .. } => pool.cast(op, new, to),
                _ => new,
            };
        };
        let program = &mut self.program;
        for register in &mut program.registers {
            if let Some(initial) = &mut register.initial {
                rename(&mut program.exprs, initial);
            }
        }
        for object in &mut program.objects {
            if let Storage::Static { initial, .. } = &mut object.storage {
                for (_, part) in initial {
                    if let Initial::Value(value) = part {
                        rename(&mut program.exprs, value);
                    }
                }
            }
        }
    }

    /// Weak symbols that nobody defines.
    fn find_missing(&mut self) {
        let linkage = std::mem::take(&mut self.linkage);
        let mut functions: Vec<_> = linkage.weak_functions.iter().map(|w| w.1).collect();
        functions.sort_unstable();
        functions.dedup();
        let own = |s: &Self, p: &ProcId| {
            let name = &s.program.procedure(*p).c_name;
            let known = prova_library::kind(name) != prova_library::Kind::Own;
            s.functions[p.index()].definition.is_none() && !known
        };
        let weak = |s: &Self, p: &ProcId| s.functions[p.index()].weak && s.defined_by_user(*p);
        let replaceable = functions.iter().copied().filter(|p| weak(self, p));
        let replaceable: FxHashSet<ProcId> = replaceable.collect();
        functions.retain(|p| own(self, p));
        let mut variables: Vec<_> = linkage.weak_variables.iter().map(|w| w.1 .0).collect();
        variables.sort_unstable();
        variables.dedup();
        for &v in &variables {
            self.replaceable_contents(v, &linkage);
        }
        variables.retain(|&v| self.variables[v as usize].external);
        self.linkage = Linkage {
            replaceable,
            ..linkage
        };
        if functions.is_empty() && variables.is_empty() {
            return;
        }
        self.refuse_missing_in_contents(&functions, &variables);
        for proc in functions {
            let (unit, span) = self.functions[proc.index()].declared;
            self.unit = unit;
            let name = format!("&{}", self.program.procedure(proc).c_name);
            let ty = QType::from(self.functions[proc.index()].ty);
            let ty = QType::from(self.types.pointer(ty));
            let reg = self.named_register(&name, Type::Ptr, ty, Role::Global, span);
            self.program.registers[reg.index()].c_name.clear();
            self.linkage.perhaps.insert(proc, reg);
        }
        for index in variables {
            let variable = self.variables[index as usize].clone();
            let Home::Object(object) = variable.home else {
                continue;
            };
            self.unit = variable.declared.0;
            let name = format!("&{}", self.program.object(object).c_name);
            let ty = QType::from(self.types.pointer(variable.ty));
            let span = variable.declared.1;
            let reg = self.named_register(&name, Type::Ptr, ty, Role::Global, span);
            self.program.registers[reg.index()].c_name.clear();
            self.variables[index as usize].home = Home::Behind(reg);
        }
    }

    /// A weak definition of a variable may be replaced by one that holds something else at first.
    fn replaceable_contents(&mut self, var: u32, linkage: &Linkage) {
        let variable = &self.variables[var as usize];
        let defined = match variable.defined {
            Some((unit, _)) => linkage.weak_variables.contains(&(unit, VarId(var))),
            None => !variable.external,
        };
        if let (Home::Object(object), true) = (variable.home, defined) {
            self.program.objects[object.index()].storage = Storage::External;
        }
    }

    /// An address that may be null cannot be among the first contents of an object: those are
    /// fixed.
    fn refuse_missing_in_contents(&mut self, functions: &[ProcId], variables: &[u32]) {
        let objects: Vec<ObjectId> = variables
            .iter()
            .filter_map(|&v| match self.variables[v as usize].home {
                Home::Object(object) => Some(object),
                _ => None,
            })
            .collect();
        let program = &self.program;
        let parts = program.objects.iter().flat_map(|o| match &o.storage {
            Storage::Static { initial, .. } => initial.as_slice(),
            _ => &[],
        });
        let values = parts.filter_map(|(_, part)| match part {
            Initial::Value(value) => Some(*value),
            Initial::Bytes(_) => None,
        });
        let registers = program.registers.iter().filter_map(|r| r.initial);
        for value in values.chain(registers) {
            for part in program.exprs.subexpressions(value) {
                let name = match program.exprs.get(part) {
                    Expr::Function(p) if functions.contains(&p) => &program.procedure(p).c_name,
                    Expr::Address(o) if objects.contains(&o) => &program.object(o).c_name,
                    _ => continue,
                };
                let message =
                    format!("an initialiser with the address of `{name}`, which is weak and defined nowhere, is not supported");
                self.errors.push(Diagnostic::error(message, None));
                return;
            }
        }
    }

    /// A function that is picked when the program starts is not modelled where it is used, and
    /// neither is what another file may put in the place of a weak definition.
    pub fn use_function(&mut self, proc: ProcId, span: CSpan) {
        if self.linkage.replaceable.contains(&proc) && self.frame.proc.is_some() {
            let (next, replaced) = (self.new_location(), self.new_location());
            self.stand(span);
            let taken = self.choice("whether another file replaces a weak definition");
            self.branch(taken, replaced, next);
            self.frame.at = replaced;
            let what = "a weak definition that another file replaces";
            self.mark(MarkerKind::Other(what.into()), span);
            self.jump(next);
            self.frame.at = next;
        }
        if self.linkage.resolved.contains(&proc) {
            let what = "a function that another picks when the program starts";
            self.mark(MarkerKind::Other(what.into()), span);
        }
    }

    /// What the linker defines (`end`, `__start_…`) has an address that no other object tells.
    pub fn use_variable(&mut self, name: &str, var: VarId, span: CSpan) {
        if self.variables[var.0 as usize].external && prova_library::is_linker_symbol(name) {
            let what = format!("`{name}`, which the linker defines");
            self.mark(MarkerKind::Other(what), span);
        }
    }

    /// The register with the address of a function that may not exist.
    pub fn perhaps(&self, proc: ProcId) -> Option<RegId> {
        self.linkage.perhaps.get(&proc).copied()
    }

    /// A call of a function that may not exist: of none, it is the call of a null pointer.
    pub fn call_what_exists(&mut self, address: RegId, span: CSpan) {
        self.stand(span);
        let pointer = self.program.read(address);
        let exists = self.truth(pointer);
        let (next, none) = (self.new_location(), self.new_location());
        self.branch(exists, next, none);
        self.frame.at = none;
        let null = self.program.exprs.add(Expr::Pointer(0));
        self.emit(Op::Call {
            result: None,
            callee: Callee::Indirect(null),
            arguments: Vec::new(),
        });
        self.emit(Op::Halt(Halt::Trap));
        self.frame.at = next;
    }
}

fn is_same(a: &Symbol, b: &Symbol) -> bool {
    match (a, b) {
        (Symbol::Function(a), Symbol::Function(b)) => a == b,
        (Symbol::Variable(a), Symbol::Variable(b)) => a == b,
        _ => false,
    }
}
