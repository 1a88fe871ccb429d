//! Whether claims are inductive, decided without a line of the checker: transitions as the
//! engines see them, the certificate's own text for the claims, states put in with `let`, and the
//! z3 program.

use crate::damage::{read, Tree};
use crate::support::ask_z3;
use prova_engine::engines::dash::calls::effects::{effects, Effects};
use prova_engine::problem::encoding::Encoding;
use prova_exec::state_vars::StateVar;
use prova_exec::transfer::{Composer, Transfer};
use prova_ir::passes::call_graph::call_graph;
use prova_ir::{Callee, EdgeId, LocId, ObjectId, ProcId, RegId, Statement};
use prova_logic::{Term, Terms};
use prova_task::prepare::{prepare, Prepared};
use prova_task::{Proof, Task};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

/// Questions that are asked.
const QUESTIONS: usize = 5_000;

/// Whether the claims of a certificate, a damaged one of this proof, hold at the start, are kept by
/// every path, and keep errors away. An error says what could not be shown.
pub fn inductive(task: &Task, certificate: &str, proof: &Proof) -> Result<(), String> {
    let prepared = match proof.contracts.is_empty() {
        true => prepare(&task.program).map_err(|e| format!("{e:?}"))?,
        false => {
            prova_task::prepare::procedures::prepare(&task.program).map_err(|e| e.to_string())?
        }
    };
    let prepared = Arc::new(prepared);
    let contexts = contexts(&prepared, certificate, proof);
    let mut terms = Terms::default();
    let encoding = Encoding::new(&mut terms, prepared.clone());
    let graph = call_graph(&prepared.program);
    let effects = effects(&prepared.program, &encoding.partition, &graph);
    let mut oracle =
        Oracle { encoding: &encoding, terms, contexts, effects, questions: Vec::new() };
    oracle.all()?;
    let variables = oracle.terms.variables();
    let mut script: String = variables
        .map(|v| {
            let (name, sort) = (oracle.terms.smtlib(v.term), oracle.terms.sort(v.term));
            format!("(declare-fun {name} () {sort})\n")
        })
        .collect();
    for (i, context) in oracle.contexts.iter().enumerate() {
        let constants = context.ghosts.iter().chain(&context.olds);
        for (name, sort) in constants.clone() {
            let _ = writeln!(script, "(declare-fun own.{i}.{name} () {sort})");
        }
    }
    let answers = ask_z3(&format!("{script}{}", oracle.questions.concat()));
    let all = answers.lines().all(|a| a == "unsat");
    match all && answers.lines().count() == oracle.questions.len() {
        true => Ok(()),
        false => Err(answers),
    }
}

/// A path: where it stands, and what is assumed of its calls.
#[derive(Clone)]
struct Path<'a> {
    at: LocId,
    store: Composer<'a>,
    length: usize,
    /// Definitions and assertions.
    calls: String,
}

struct Oracle<'a> {
    encoding: &'a Encoding,
    terms: Terms,
    contexts: Vec<Context>,
    effects: Vec<Effects>,
    questions: Vec<String>,
}

impl<'a> Oracle<'a> {
    fn all(&mut self) -> Result<(), String> {
        let start = self.encoding.start(&mut self.terms).map_err(|e| e.to_string())?.0;
        let store = Composer::after(self.encoding.context(), &start);
        let prepared = &self.encoding.prepared;
        let main = self.contexts.first().filter(|c| c.procedure == prepared.entry());
        let main = main.filter(|c| !c.partial).ok_or("the entry's context comes first")?;
        let entry = main.at.get(&prepared.body().entry).ok_or("nothing at the entry")?;
        let state = self.state(&store);
        let claim = main.entered(&state, &[], &main.text(entry));
        self.ask("true", "", &start, &claim);
        let (mut known, mut work) = (BTreeSet::from([0]), vec![0]);
        while let Some(id) = work.pop() {
            self.walk(id)?;
            let used = self.contexts[id].calls.values().flatten().map(|c| c.0);
            work.extend(used.filter(|&c| known.insert(c)).collect::<Vec<_>>());
        }
        Ok(())
    }

    fn walk(&mut self, id: usize) -> Result<(), String> {
        let procedure = self.contexts[id].procedure;
        let body = self.encoding.prepared.body_of(procedure);
        let outgoing = body.outgoing();
        let identity = self.state(&Composer::new(self.encoding.context()));
        for (from, cases) in self.contexts[id].at.clone() {
            let text = self.contexts[id].text(&cases);
            let before = self.contexts[id].own(id, &identity, &text);
            let store = Composer::new(self.encoding.context());
            let mut work = vec![Path { at: from, store, length: 0, calls: String::new() }];
            while let Some(path) = work.pop() {
                for &edge in &outgoing[path.at.index()] {
                    let mut path = path.clone();
                    path.length += 1;
                    path.at = body.edge(edge).target;
                    if path.length > body.locations.len() || self.questions.len() > QUESTIONS {
                        return Err("a loop without a claim, or too many paths".into());
                    }
                    let partial = self.contexts[id].partial;
                    let statement = &body.edge(edge).statement;
                    if let Statement::Call { .. } = statement {
                        self.call(id, edge, &before, &mut path)?;
                    } else if !matches!(statement, Statement::Marker(_)) {
                        let site = format!("oracle.{}", path.length);
                        let store = &mut path.store;
                        let encoding = self.encoding;
                        encoding
                            .apply_in(&mut self.terms, store, procedure, edge, &site)
                            .map_err(|e| e.to_string())?;
                    }
                    if path.store.halted().is_some() {
                        continue;
                    }
                    let error = body.is_error(path.at);
                    let marker = matches!(statement, Statement::Marker(_));
                    let after = match self.contexts[id].at.get(&path.at) {
                        _ if error && partial => continue,
                        _ if error || marker => "false".to_string(),
                        Some(cases) => {
                            let text = self.contexts[id].text(cases);
                            let state = self.state(&path.store);
                            self.contexts[id].own(id, &state, &text)
                        }
                        None => {
                            work.push(path);
                            continue;
                        }
                    };
                    let transfer = path.store.finish();
                    self.ask(&before, &path.calls, &transfer, &after);
                }
            }
        }
        Ok(())
    }

    /// Takes a call: what the callee may write is anything, but for what contexts say.
    fn call(
        &mut self,
        id: usize,
        edge: EdgeId,
        before: &str,
        path: &mut Path,
    ) -> Result<(), String> {
        let (prepared, vars) = (&self.encoding.prepared, &self.encoding.vars);
        let procedure = self.contexts[id].procedure;
        let statement = &prepared.body_of(procedure).edge(edge).statement;
        let Statement::Call { result, callee: Callee::Direct(callee), arguments } = statement
        else {
            return Err("a call through a pointer".into());
        };
        let program = &prepared.program;
        let target = program.procedure(*callee);
        let called = self.state(&path.store);
        let values = arguments.iter().map(|&a| path.store.value(&mut self.terms, a));
        let values: Vec<Term> = values.collect::<Result<_, _>>().map_err(|e| e.to_string())?;
        let mut anything = |part: StateVar| {
            let sort = self.terms.sort(vars.variable(part));
            self.terms.fresh("oracle.any", sort)
        };
        let mut entered = path.store.clone();
        let owned = (0..program.registers.len()).map(RegId::new);
        let owned = owned.filter(|r| program.register(*r).owner == Some(*callee));
        for register in owned {
            let part = StateVar::Register(register);
            entered.set(part, anything(part));
        }
        for (&parameter, value) in target.parameters.iter().zip(values) {
            entered.set(StateVar::Register(parameter), value);
        }
        let written = &self.effects[callee.index()];
        let registers = written.registers.iter().map(|&r| StateVar::Register(r));
        let classes = written.classes.iter().map(|&c| StateVar::Memory(c));
        let top = written.allocates.then_some(StateVar::HeapTop);
        let errs = written.errs;
        for part in registers.chain(classes).chain(top).collect::<Vec<_>>() {
            path.store.set(part, anything(part));
        }
        // The callee's result is its own register, which the caller's must not become.
        let mut left = path.store.clone();
        if let Some(own) = target.result {
            let value = anything(StateVar::Register(own));
            left.set(StateVar::Register(own), value);
            if let Some(receiver) = result {
                path.store.set(StateVar::Register(*receiver), value);
            }
        }
        let (entered, left) = (self.state(&entered), self.state(&left));
        let body = prepared.body_of(*callee);
        let mut safe = Vec::new();
        for (n, (other, values)) in
            self.contexts[id].calls.get(&edge).cloned().unwrap_or_default().into_iter().enumerate()
        {
            let context = self.contexts.get(other).filter(|c| c.procedure == *callee);
            let context = context.ok_or("a call of another procedure")?;
            let own = format!("call.{}.{n}", path.length);
            let (mut ghosts, mut olds) = (Vec::new(), Vec::new());
            for ((name, sort), value) in context.ghosts.iter().zip(&values) {
                let value = self.contexts[id].own(id, &called, value);
                let _ = writeln!(path.calls, "(define-fun {own}.{name} () {sort} {value})");
                ghosts.push((name.clone(), format!("{own}.{name}")));
            }
            for (name, sort) in &context.olds {
                let value = context.entered(&entered, &ghosts, name);
                let _ = writeln!(path.calls, "(define-fun {own}.{name} () {sort} {value})");
                olds.push((name.clone(), format!("{own}.{name}")));
            }
            let entry = context.at.get(&body.entry).ok_or("nothing at an entry")?;
            let held = context.entered(&entered, &ghosts, &context.text(entry));
            if let Some(exit) = context.at.get(&body.exit) {
                ghosts.extend(olds);
                let holds = context.fixed(&left, &ghosts, &context.text(exit));
                let _ = writeln!(path.calls, "(assert (=> {held} {holds}))");
            }
            safe.extend((!context.partial).then_some(held));
        }
        if errs && !self.contexts[id].partial {
            let entered = format!("(or false {})", safe.join(" "));
            let transfer = path.store.clone().finish();
            self.ask(before, &path.calls, &transfer, &entered);
        }
        Ok(())
    }

    /// A state as bindings of the certificate's names.
    fn state(&self, store: &Composer) -> String {
        let vars = &self.encoding.vars;
        let value = |v: Term| vars.meaning(v).map_or(v, |part| store.get(part));
        let one = |v: &prova_logic::Variable| {
            format!("(|{}| {})", v.name, self.terms.smtlib(value(v.term)))
        };
        self.terms.variables().map(one).collect()
    }

    /// From the claim before a path, can it lead out of the claim behind it?
    fn ask(&mut self, before: &str, calls: &str, path: &Transfer, after: &str) {
        let (terms, encoding) = (&mut self.terms, self.encoding);
        let mut all: Vec<Term> = path.guard.iter().chain(&path.assumed).copied().collect();
        all.extend(encoding.separation(terms, &path.accesses));
        // What is known of memory, wherever the claims may speak of it.
        let updates = path.updates.iter().map(|u| u.1);
        let objects = (0..encoding.prepared.program.objects.len()).map(ObjectId::new);
        let bases = objects.map(|o| encoding.vars.base(o)).chain([encoding.vars.heap()]);
        let roots: Vec<Term> = all.iter().copied().chain(updates).chain(bases).collect();
        all.extend(encoding.axioms(terms, &roots));
        let asserted: String =
            all.iter().map(|&t| format!("(assert {})\n", terms.smtlib(t))).collect();
        self.questions.push(format!(
            "(push)\n{calls}(assert {before})\n{asserted}(assert (not {after}))\n(check-sat)\n(pop)\n"
        ));
    }
}

/// What a certificate claims of a procedure, as text.
struct Context {
    procedure: ProcId,
    partial: bool,
    /// Names and sorts.
    ghosts: Vec<(String, String)>,
    olds: Vec<(String, String)>,
    /// Definitions and old values in their order; whether it is an old value.
    items: Vec<(bool, String, String)>,
    at: BTreeMap<LocId, Vec<Tree>>,
    calls: BTreeMap<EdgeId, Vec<(usize, Vec<String>)>>,
}

fn contexts(prepared: &Prepared, certificate: &str, proof: &Proof) -> Vec<Context> {
    let number = |t: &Tree| t.to_string().parse::<u32>().expect("a number");
    let all = read(certificate);
    let mut found = Vec::new();
    for (i, tree) in all.iter().filter(|t| t.is("procedure")).enumerate() {
        let name = tree.items()[1].to_string();
        let position = prepared.program.procedures.iter().position(|p| p.name == name);
        let mut context = Context {
            procedure: ProcId::new(position.expect("a procedure")),
            partial: false,
            ghosts: Vec::new(),
            olds: Vec::new(),
            items: Vec::new(),
            at: BTreeMap::new(),
            calls: BTreeMap::new(),
        };
        for item in tree.items() {
            match (item.head(), item.items()) {
                ("partial", _) => context.partial = true,
                ("ghost", [_, name, sort]) => {
                    context.ghosts.push((name.to_string(), sort.to_string()));
                }
                ("old", [_, name, value]) => {
                    let old = proof.contracts[i].olds[context.olds.len()].0;
                    context.olds.push((name.to_string(), proof.terms.sort(old).to_string()));
                    context.items.push((true, name.to_string(), value.to_string()));
                }
                ("define", [_, name, value]) => {
                    context.items.push((false, name.to_string(), value.to_string()));
                }
                ("at", [_, location, _, cases @ ..]) => {
                    context.at.insert(LocId(number(location)), cases.to_vec());
                }
                ("call", [_, edge, other, values @ ..]) => {
                    let values = values.iter().map(Tree::to_string).collect();
                    let call = (number(other) as usize, values);
                    context.calls.entry(EdgeId(number(edge))).or_default().push(call);
                }
                _ => {}
            }
        }
        found.push(context);
    }
    found
}

impl Context {
    /// Cases as one formula.
    fn text(&self, cases: &[Tree]) -> String {
        let case = |case: &Tree| {
            let conjuncts: Vec<String> = case.items()[1..].iter().map(Tree::to_string).collect();
            format!("(and true {})", conjuncts.join(" "))
        };
        let cases: Vec<String> = cases.iter().map(case).collect();
        format!("(or false {})", cases.join(" "))
    }

    /// A text in a state, with ghosts given; old values are those of this state.
    fn entered(&self, state: &str, ghosts: &[(String, String)], text: &str) -> String {
        self.bound(state, ghosts, true, text)
    }

    /// A text in a state, with ghosts and old values given.
    fn fixed(&self, state: &str, constants: &[(String, String)], text: &str) -> String {
        self.bound(state, constants, false, text)
    }

    /// A text in a state of the context's own run.
    fn own(&self, id: usize, state: &str, text: &str) -> String {
        let constants = self.ghosts.iter().chain(&self.olds);
        let constants: Vec<(String, String)> =
            constants.map(|(n, _)| (n.clone(), format!("own.{id}.{n}"))).collect();
        self.bound(state, &constants, false, text)
    }

    fn bound(&self, state: &str, constants: &[(String, String)], olds: bool, text: &str) -> String {
        let mut text = text.to_string();
        for (old, name, value) in self.items.iter().rev() {
            if !old || olds {
                text = format!("(let (({name} {value})) {text})");
            }
        }
        for (name, value) in constants {
            text = format!("(let (({name} {value})) {text})");
        }
        format!("(let ({state}) {text})")
    }
}
