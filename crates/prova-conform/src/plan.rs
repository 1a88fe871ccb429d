//! What is to be shown of which procedure: a target of a file with its machines as one, and the
//! assumptions beside it.
//!
//! A target with several guarded machines is one machine: its first move says which guard holds
//! ([`Action::Enter`]). `return any` becomes all returns that can happen.

use crate::lts::expand::machine;
use crate::lts::syntax::{Abstraction, File, Role};
use crate::lts::{Action, ActionId, Alphabet, Lts, Value};
use prova_c::Diagnostic;
use std::collections::BTreeSet;

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// One thing to show.
pub struct Plan<'f> {
    /// The file it is written in.
    pub file: &'f File,
    /// The procedure.
    pub target: &'f Abstraction,
    /// All actions.
    pub alphabet: Alphabet,
    /// What the procedure may do.
    pub specification: Lts,
    /// Routines that are known by machines, each with a machine per case.
    pub assumed: Vec<(&'f Abstraction, Vec<Lts>)>,
    /// C labels that are actions, with the actions.
    pub labels: Vec<(&'f str, ActionId)>,
    /// Actions that are not looked at.
    pub hidden: BTreeSet<ActionId>,
    /// What the user should know.
    pub warnings: Vec<Diagnostic>,
}

impl<'f> Plan<'f> {
    /// The plan for the target with this name, or for the first one. Procedures that are only
    /// targets elsewhere in the file are what their bodies say.
    ///
    /// # Errors
    /// What does not fit in the file.
    pub fn new(file: &'f File, name: Option<&str>) -> Result<Plan<'f>> {
        let targets = || {
            let all = file.abstractions.iter();
            all.filter(|a| a.role == Role::Target)
        };
        let target = match name {
            Some(name) => targets().find(|t| t.name.text == name),
            None => targets().next(),
        };
        let Some(target) = target else {
            let end = file.source.before.len();
            let message = match name {
                Some(name) => format!("there is no target `{name}`"),
                None => "there is no target: what is to be shown?".to_string(),
            };
            return Err(file.error(&(end..end), message));
        };
        let mut plan = Plan {
            file,
            target,
            alphabet: Alphabet::default(),
            specification: Lts::default(),
            assumed: Vec::new(),
            labels: Vec::new(),
            hidden: BTreeSet::new(),
            warnings: Vec::new(),
        };
        plan.specify()?;
        let taken = |a: &&Abstraction| {
            a.name.text != target.name.text && matches!(a.role, Role::Assumption { .. })
        };
        for abstraction in file.abstractions.iter().filter(taken) {
            let mut machines = Vec::new();
            for case in &abstraction.cases {
                let lts = machine(file, &case.machine, &mut plan.alphabet)?;
                plan.fits(abstraction, &lts, &case.machine.range)?;
                machines.push(lts);
            }
            plan.assumed.push((abstraction, machines));
        }
        for (label, action) in &file.labels {
            let action = plan.alphabet.number(&Action::Basic(action.text.clone()));
            plan.labels.push((&label.text, action));
        }
        plan.look_at_names()?;
        Ok(plan)
    }

    /// Makes one machine of the target's.
    fn specify(&mut self) -> Result<()> {
        let (file, target) = (self.file, self.target);
        let mut machines = Vec::new();
        for case in &target.cases {
            let lts = machine(file, &case.machine, &mut self.alphabet)?;
            self.fits(target, &lts, &case.machine.range)?;
            machines.push(lts);
        }
        let mut whole = Lts::default();
        let several = machines.len() > 1;
        if several {
            whole.initial = whole.state("entered");
        }
        for (number, (case, lts)) in target.cases.iter().zip(machines).enumerate() {
            let shift = whole.states.len() as u32;
            for state in &lts.states {
                whole.state(match several {
                    true => format!("{}.{state}", case.machine.text),
                    false => state.clone(),
                });
            }
            for (from, moves) in lts.moves.iter().enumerate() {
                for &(action, to) in moves {
                    whole.add(from as u32 + shift, action, to + shift);
                }
            }
            if several {
                let enter = self.alphabet.number(&Action::Enter(number));
                whole.add(whole.initial, enter, lts.initial + shift);
            } else {
                whole.initial = lts.initial;
            }
        }
        let any = self.alphabet.find(&Action::Return(Value::Any));
        let returns: Vec<ActionId> = self.returns(&whole);
        for moves in &mut whole.moves {
            let wide: Vec<u32> = moves
                .iter()
                .filter(|m| Some(m.0) == any)
                .map(|m| m.1)
                .collect();
            moves.retain(|m| Some(m.0) != any);
            for to in wide {
                moves.extend(returns.iter().map(|&r| (r, to)));
            }
        }
        self.specification = whole;
        Ok(())
    }

    /// What the target may return, as actions: the values that its machines name, and all others.
    fn returns(&mut self, whole: &Lts) -> Vec<ActionId> {
        let used: BTreeSet<ActionId> = whole.moves.iter().flatten().map(|m| m.0).collect();
        let named = |a: &Action| matches!(a, Action::Return(Value::Int(_) | Value::Void));
        let mut found: Vec<ActionId> = used
            .into_iter()
            .filter(|&a| named(self.alphabet.action(a)))
            .collect();
        let void = self.target.is_void(self.file);
        let rest = Action::Return(if void { Value::Void } else { Value::Other });
        let rest = self.alphabet.number(&rest);
        if !found.contains(&rest) {
            found.push(rest);
        }
        found
    }

    /// The values that the target's machines name, with their actions.
    pub fn named_returns(&self) -> Vec<(i128, ActionId)> {
        let used = self.specification.moves.iter().flatten().map(|m| m.0);
        let used: BTreeSet<ActionId> = used.collect();
        let value = |a: ActionId| match self.alphabet.action(a) {
            Action::Return(Value::Int(n)) => Some((*n, a)),
            _ => None,
        };
        used.into_iter().filter_map(value).collect()
    }

    /// Whether what a machine returns fits the procedure's type.
    fn fits(&self, of: &Abstraction, lts: &Lts, range: &std::ops::Range<usize>) -> Result<()> {
        let void = of.is_void(self.file);
        for &(action, _) in lts.moves.iter().flatten() {
            let wrong = match self.alphabet.action(action) {
                Action::Return(Value::Void) => !void,
                Action::Return(Value::Int(_) | Value::Other) => void,
                _ => false,
            };
            if wrong {
                let shown = self.alphabet.action(action);
                let what = if void { "nothing" } else { "a value" };
                let name = &of.name.text;
                let message = format!("`{shown}` does not fit: `{name}` returns {what}");
                return Err(self.file.error(range, message));
            }
        }
        Ok(())
    }

    /// Hides what is hidden, and warns of names that look like mistakes.
    fn look_at_names(&mut self) -> Result<()> {
        let shown =
            |lts: &Lts| -> BTreeSet<ActionId> { lts.moves.iter().flatten().map(|m| m.0).collect() };
        let specified = shown(&self.specification);
        let mut happen: BTreeSet<ActionId> = self.labels.iter().map(|l| l.1).collect();
        for (_, machines) in &self.assumed {
            happen.extend(machines.iter().flat_map(shown));
        }
        for name in &self.file.hidden {
            let found = self.alphabet.find(&Action::Basic(name.text.clone()));
            let Some(action) = found else {
                let message = format!("no machine and no label has the action `{}`", name.text);
                return Err(self.file.error(&name.range, message));
            };
            if specified.contains(&action) {
                let message = format!("`{}` is hidden, but the target speaks of it", name.text);
                return Err(self.file.error(&name.range, message));
            }
            self.hidden.insert(action);
        }
        let basic = |a: &ActionId| matches!(self.alphabet.action(*a), Action::Basic(_));
        let place = || self.file.place(&self.target.name.range);
        for &action in happen.difference(&specified).filter(|a| basic(a)) {
            if !self.hidden.contains(&action) {
                let shown = self.alphabet.action(action);
                let message = format!("the target never allows `{shown}`, and it is not hidden");
                self.warnings.push(Diagnostic::warning(message, place()));
            }
        }
        for &action in specified.difference(&happen).filter(|a| basic(a)) {
            let shown = self.alphabet.action(action);
            let message = format!("nothing ever shows `{shown}`, of which the target speaks");
            self.warnings.push(Diagnostic::warning(message, place()));
        }
        Ok(())
    }
}
