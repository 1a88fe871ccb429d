//! `prova contract f`: what a function needs of its callers, and what it does, as clauses to paste.
//!
//! The function is checked with pointers that are null or lead to blocks of any size, and with any numbers. A failing
//! run is excluded by the cheapest condition of the grammar that excludes it and no run that was
//! seen to do well; and so on until none fails (Cousot, Cousot, Fähndrich and Logozzo, *Automatic
//! Inference of Necessary Preconditions*, VMCAI 2013, ask for the same; here runs say what is necessary). What is then
//! not needed is left out again. What the function ensures and assigns is guessed and proved, one by one. The last word is a
//! certified proof of everything that is printed, for callers as `--entry` has them; without it, it is
//! said what is open.
//!
//! | file | what it holds |
//! |---|---|
//! | `grammar` | conditions, and which exclude a call |
//! | `trial` | one check under clauses |
//! | `promises` | what is ensured and assigned |

mod grammar;
mod promises;
mod trial;

use std::io::Write;
use std::time::Duration;

use clap::{Args, ValueEnum};
use prova_ir::{Program, World};
use prova_spec::{Check, Property};
use prova_task::{Budget, Violation};
use serde_json::json;

use super::check::certify;
use crate::arguments::Sources;
use crate::input;
use crate::output::Output;
use crate::status::{Rejected, Status};
use crate::world::{check_names, WorldArguments};
use grammar::{candidates, constants, parameters, Call, Condition, Family, Kind, Parameter};
use trial::{call, told, Result as Tried, Trial};

/// Clauses that are tried before it is given up.
const MOST_CLAUSES: usize = 24;
/// Runs that do well, which are kept in mind.
const MOST_CALLS: usize = 64;
/// What is checked unless told.
const PROPERTIES: &str = "unreach-call+valid-deref+no-overflow+no-div-zero+no-shift-error";

/// Arguments of `prova contract`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The function.
    #[arg(value_name = "FUNCTION")]
    function: String,

    #[command(flatten)]
    pub sources: Sources,

    /// What must not happen; may be given several times [default: unreach-call, valid-deref,
    /// no-overflow, no-div-zero and no-shift-error].
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,

    /// Stop after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,

    #[command(flatten)]
    world: WorldArguments,

    #[command(flatten)]
    certify: certify::Options,

    /// How the answer is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How the answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people: clauses to paste.
    Text,
    /// One JSON object.
    Json,
}

/// A condition, and the run that made it necessary.
#[derive(Clone)]
struct Required {
    condition: Condition,
    run: String,
    what: String,
    at: String,
}

/// What is printed.
#[derive(Default)]
struct Contract {
    requires: Vec<Required>,
    ensures: Vec<String>,
    /// What is assigned, if that is known.
    assigns: Option<Vec<String>>,
    /// What is open; none if all of it is proved.
    open: Option<String>,
}

/// Runs `prova contract`.
pub fn run(mut arguments: Arguments) -> anyhow::Result<Status> {
    arguments.sources.settle()?;
    arguments.sources.world = arguments.world.world(World::default());
    // Larger blocks are beyond what memory is modelled for; this is said.
    arguments.sources.world.blocks_small = true;
    let budget = Budget::new(Some(Duration::from_secs(arguments.timeout)), None);
    let check = planned(&arguments.property)?;
    let program = input::load_watched(&arguments.sources, false, Vec::new())?;
    check_names(&program, &arguments.sources.world)?;
    let function = program
        .find_procedure(&arguments.function)
        .filter(|p| program.procedure(*p).body.is_some())
        .ok_or_else(|| {
            let name = &arguments.function;
            Rejected::because(format!("there is no function `{name}` with a body"))
        })?;
    let search = Search {
        trial: Trial {
            sources: &arguments.sources,
            function: &arguments.function,
            check: &check,
            certify: &arguments.certify,
            budget: &budget,
        },
        parameters: parameters(&program, function),
        constants: constants(&program, function),
        program: &program,
    };
    let mut contract = Contract::default();
    search.requirements(&mut contract)?;
    if contract.open.is_none() {
        search.needed(&mut contract)?;
        search.promises(&mut contract, function)?;
        search.conclude(&mut contract)?;
    }
    let mut out = Output::new();
    match arguments.format {
        Format::Text => print(&mut out, &arguments.function, &check, &contract)?,
        Format::Json => {
            let requires = contract.requires.iter().map(|r| {
                json!({ "condition": r.condition.text(), "run": r.run, "what": r.what, "at": r.at })
            });
            let all = json!({
                "function": arguments.function, "property": check.name,
                "requires": requires.collect::<Vec<_>>(), "ensures": contract.ensures,
                "assigns": contract.assigns, "proved": contract.open.is_none(),
                "open": contract.open,
            });
            writeln!(out, "{all:#}")?;
        }
    }
    out.flush()?;
    Ok(match contract.open {
        None => Status::Fine,
        Some(_) => Status::Unknown,
    })
}

/// All properties together: they get one verdict.
fn planned(names: &[String]) -> Result<Check, Rejected> {
    for name in names {
        let known = Property::named(name).filter(|p| *p != Property::Termination);
        known.ok_or_else(|| {
            Rejected::because(format!(
                "contracts are not proposed for a property `{name}`"
            ))
        })?;
    }
    let key = match names {
        [] => PROPERTIES.to_owned(),
        names => names.join("+"),
    };
    Check::of_key(&key).ok_or_else(|| Rejected::because(format!("there is no property `{key}`")))
}

/// What all steps share.
struct Search<'a> {
    trial: Trial<'a>,
    parameters: Vec<Parameter>,
    constants: Vec<i128>,
    program: &'a Program,
}

impl Search<'_> {
    /// Clauses that try conditions on calls as wild as they come.
    fn wild(&self, conditions: &[&Condition]) -> String {
        let mut text = String::new();
        for parameter in &self.parameters {
            if let Kind::Pointer { plain: true, .. } = parameter.kind {
                let name = &parameter.name;
                text += &format!(" __prova_requires(__prova_some_block({name}));");
            }
        }
        for condition in conditions {
            // Not as a range that is made valid: it is asked of the block.
            text += &format!(" __prova_requires(({}) != 0);", condition.code());
        }
        text
    }

    /// Clauses as the user will have them.
    fn written(&self, contract: &Contract) -> String {
        let mut text = String::new();
        for required in &contract.requires {
            text += &format!(" __prova_requires({});", required.condition.code());
        }
        for ensured in &contract.ensures {
            text += &format!(
                " __prova_ensures({});",
                ensured.replace("prova_", "__prova_")
            );
        }
        if let Some(targets) = &contract.assigns {
            text += &promises::assigns(targets);
        }
        text
    }

    /// Finds conditions until no run fails.
    fn requirements(&self, contract: &mut Contract) -> anyhow::Result<()> {
        let mut passing: Vec<Call> = Vec::new();
        for _ in 0..MOST_CLAUSES {
            let conditions: Vec<&Condition> =
                contract.requires.iter().map(|r| &r.condition).collect();
            let (violation, tests) = match self.trial.run(&self.wild(&conditions), 2, false)? {
                Tried::Proved => return Ok(()),
                Tried::Open(why) => {
                    contract.open = Some(why);
                    return Ok(());
                }
                Tried::Violated(violation, tests) => (violation, tests),
            };
            let names: Vec<String> = violation.inputs.iter().map(|i| i.name.clone()).collect();
            let failing = call(&self.parameters, &names, &violation.test.values);
            let Some(failing) = failing.filter(|_| names.len() == violation.test.values.len())
            else {
                contract.open = Some(self.says(&violation, None));
                return Ok(());
            };
            for test in &tests {
                let seen = call(&self.parameters, &names, &test.values);
                let inside = |c: &Call| conditions.iter().all(|r| r.holds(c)) && *c != failing;
                if let Some(seen) = seen.filter(inside) {
                    if passing.len() < MOST_CALLS && !passing.contains(&seen) {
                        passing.push(seen);
                    }
                }
            }
            let family = match violation.property.as_str() {
                "no-overflow" => Family::Overflow,
                name if name.starts_with("valid") => Family::Memory,
                _ => Family::Other,
            };
            let choose = |passing: &[Call]| {
                let found =
                    candidates(&self.parameters, &self.constants, &failing, passing, family);
                let new = |c: &Condition| !contract.requires.iter().any(|r| r.condition == *c);
                found.into_iter().find(new)
            };
            // What did well so far need not do well for long: tests end early.
            let Some(condition) = choose(&passing).or_else(|| choose(&[])) else {
                contract.open = Some(self.says(&violation, Some(&failing)));
                return Ok(());
            };
            contract
                .requires
                .retain(|r| !condition.covers(&r.condition));
            contract.requires.push(Required {
                condition,
                run: told(&self.parameters, &failing),
                what: violation.message.clone(),
                at: self.place(&violation),
            });
        }
        contract.open = Some("too many conditions are needed".into());
        Ok(())
    }

    /// Leaves out what is not needed: it was excluded by what came later.
    fn needed(&self, contract: &mut Contract) -> anyhow::Result<()> {
        let mut at = 0;
        while contract.requires.len() > 1 && at < contract.requires.len() {
            let others = contract
                .requires
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != at);
            let others: Vec<&Condition> = others.map(|(_, r)| &r.condition).collect();
            match self.trial.run(&self.wild(&others), 4, false)? {
                Tried::Proved => drop(contract.requires.remove(at)),
                _ => at += 1,
            }
        }
        Ok(())
    }

    /// Proves all of it, for callers as they are.
    fn conclude(&self, contract: &mut Contract) -> anyhow::Result<()> {
        for _ in 0..=self.parameters.len() {
            match self.trial.run(&self.written(contract), 1, true)? {
                Tried::Proved => return Ok(()),
                Tried::Open(why) => {
                    contract.open = Some(why);
                    return Ok(());
                }
                Tried::Violated(violation, _) => {
                    // What did not happen to blocks of their own: two pointers lead to one object.
                    let Some(condition) = self.apart(contract) else {
                        contract.open = Some(self.says(&violation, None));
                        return Ok(());
                    };
                    contract.requires.push(Required {
                        condition,
                        run: "two pointers lead to the same object".into(),
                        what: violation.message.clone(),
                        at: self.place(&violation),
                    });
                }
            }
        }
        contract.open = Some("it fails where pointers lead to the same object".into());
        Ok(())
    }

    /// The next two pointers that are not said to be apart.
    fn apart(&self, contract: &Contract) -> Option<Condition> {
        let pointers = self
            .parameters
            .iter()
            .filter(|p| matches!(p.kind, Kind::Pointer { .. }));
        let pointers: Vec<&String> = pointers.map(|p| &p.name).collect();
        let pairs = pointers.iter().enumerate();
        let mut pairs = pairs.flat_map(|(i, p)| {
            let others = pointers[i + 1..].iter();
            others.map(|q| Condition::Separate((*p).clone(), (*q).clone()))
        });
        pairs.find(|c| !contract.requires.iter().any(|r| r.condition == *c))
    }

    fn place(&self, violation: &Violation) -> String {
        input::place(self.program, violation.span).unwrap_or_default()
    }

    fn says(&self, violation: &Violation, call: Option<&Call>) -> String {
        let run = call
            .map(|c| told(&self.parameters, c))
            .filter(|t| !t.is_empty());
        let run = run.map_or_else(String::new, |run| format!(", with {run}"));
        let (what, at) = (&violation.message, self.place(violation));
        format!("no condition on the parameters excludes this: {what} at {at}{run}")
    }
}

fn print(
    out: &mut Output,
    function: &str,
    check: &Check,
    contract: &Contract,
) -> anyhow::Result<()> {
    if contract.open.is_some() && !contract.requires.is_empty() {
        writeln!(out, "    /* tried, and not enough: */")?;
    }
    for required in &contract.requires {
        writeln!(out, "    prova_requires({});", required.condition.text())?;
    }
    for ensured in &contract.ensures {
        writeln!(out, "    prova_ensures({ensured});")?;
    }
    if let Some(targets) = &contract.assigns {
        writeln!(out, "    prova_assigns({});", targets.join(", "))?;
    }
    let none = contract.requires.is_empty() && contract.ensures.is_empty();
    if none && contract.assigns.is_none() && contract.open.is_none() {
        writeln!(out, "    /* nothing has to be required */")?;
    }
    writeln!(out)?;
    for required in &contract.requires {
        let Required {
            condition,
            run,
            what,
            at,
        } = required;
        writeln!(out, "without `{}`: {what} at {at}", condition.text())?;
        writeln!(out, "  in a run with {run}")?;
    }
    let names: Vec<&str> = check.properties.iter().map(|p| p.name()).collect();
    match &contract.open {
        None => {
            let names = names.join(", ");
            writeln!(
                out,
                "proved for `{function}` under these clauses, and certified: {names}"
            )?;
            writeln!(
                out,
                "assumed: blocks have at most 128 MB (`--blocks small`)"
            )?;
        }
        Some(why) => writeln!(out, "open: {why}")?,
    }
    Ok(())
}
