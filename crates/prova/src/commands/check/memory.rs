//! What `prova check` takes from a store of `prova batch`, and what it leaves for it.
//!
//! A question is known by the digest of the prepared program (apart from positions and numbering), the
//! property, the options and the version. A proof that was given to the same question is checked again
//! against the program that is here now: its claims are written in numbers instead of names, and told with
//! the names and at the lines of today. A violation is not recalled at all: its test is offered to the
//! search, which runs it first. Facts of functions are offered as candidates ([`super::facts`]). What would be unsound: to say *proved* for an earlier certificate that the
//! checker did not accept. `--trust-cache` asks for that, and only where the certificate is about the very
//! program that the digest was made of.
//!
//! Nothing is written here: the member `memory` of the answer says what is worth keeping.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use prova_batch::digest;
use prova_batch::store::Store;
use prova_certify::certificate::{Certificate, VERSION};
use prova_certify::{check, prepare, Limits};
use prova_exec::transplant::Bytes;
use prova_exec::{Code, Given, Run};
use prova_ir::{Program, Span};
use prova_task::identity::{identity, of_procedure, Identity, Names};
use prova_task::prepare::as_written;
use prova_task::{Budget, Inline, Lasting, Outcome, Report, Task};
use serde_json::{json, Value};

use super::certify::{assumptions, solvers, Certified, PATIENCE};
use super::decide::Goal;
use super::facts::Functions;
use super::{termination, Arguments, Format};

/// No more tests than these are left.
const MOST_TESTS: usize = 24;

/// Arguments about what earlier checks left.
#[derive(Debug, Args, Default)]
pub struct MemoryArguments {
    /// Look for an earlier answer and for tests in this store of `prova batch`.
    #[arg(long, value_name = "STORE", hide = true)]
    pub recall: Option<PathBuf>,

    /// Do not check the evidence of an earlier answer again.
    #[arg(long, hide = true, requires = "recall")]
    trust_cache: bool,

    /// Ask again where the earlier answer is unknown.
    #[arg(long, hide = true, requires = "recall")]
    retry_unknown: bool,

    /// Which build this is; answers of others are not recalled.
    #[arg(long, value_name = "TEXT", hide = true, default_value = "")]
    build: String,

    /// Print the names of the program's own functions, and check nothing.
    #[arg(long, hide = true)]
    pub list_functions: bool,
}

/// The names of functions with a body in the program's own files.
pub fn own_functions(program: &Program) -> Vec<String> {
    let own = program.procedures.iter().filter(|p| {
        p.body.is_some() && program.is_own(p.span) && !p.c_name.is_empty() && p.c_name != "main"
    });
    own.map(|p| p.c_name.clone()).collect()
}

/// A question as the store knows it.
pub struct Question {
    key: String,
    about: Vec<String>,
    identity: Identity,
    files: Vec<String>,
    /// The passes of the program that the key was made of.
    passes: Vec<&'static str>,
    functions: Functions,
    store: Option<Store>,
}

/// What is left for the store.
pub struct Learnt {
    key: String,
    about: Vec<String>,
    tests: Vec<Value>,
    facts: Vec<Value>,
    certificate: Option<Value>,
    limits: (Option<u64>, Option<u64>),
    places: HashMap<(String, u32, u32), usize>,
    away: Rename,
}

/// An earlier answer that holds today.
pub struct Recalled {
    /// As `--format json` prints it.
    pub json: Value,
    /// `proved` or `unknown`.
    pub proved: bool,
}

impl Question {
    /// What is asked, if anybody wants to know.
    pub fn new(
        arguments: &Arguments,
        program: &Program,
        goal: &Goal,
        engine: &str,
        task: &Task,
    ) -> Option<Question> {
        let path = arguments.memory_of.recall.as_ref()?;
        if arguments.format != Format::Json {
            return None;
        }
        let prepared = Inline::Always.prepare(&task.program).ok();
        let (subject, passes) = match &prepared {
            Some(prepared) => (prepared.program.clone(), prepared.passes.clone()),
            None => (Arc::new(task.program.clone()), Vec::new()),
        };
        let identity = identity(&subject);
        let world = &arguments.sources.world;
        let unmodelled: Vec<&String> = task.unmodelled.iter().map(|u| &u.0).collect();
        let asked = format!(
            "{:?} {:?} {:?} {engine} {:?} {:?} {} {:?} {:?}",
            goal.check.key(),
            goal.entry,
            goal.check.calls.label,
            arguments.settings().ok()?,
            arguments.seed,
            arguments.overflow_never,
            assumptions(world, &task.assumed),
            unmodelled,
        );
        let version = format!(
            "{} {}",
            env!("CARGO_PKG_VERSION"),
            arguments.memory_of.build
        );
        let parts = ["prova-memory 1", &version, &asked, &identity.text];
        let key = digest(parts.map(str::as_bytes));
        let entry = task
            .program
            .entry
            .map(|e| task.program.procedure(e).c_name.clone());
        let entry = goal.entry.cloned().or(entry).unwrap_or_default();
        let named = arguments.sources.files.iter().filter_map(|f| f.file_name());
        let named: Vec<String> = named.map(|f| f.to_string_lossy().into_owned()).collect();
        let mut about = Vec::new();
        if let Some(procedure) = program.find_procedure(&entry) {
            let text = of_procedure(program, procedure).text;
            about.push(digest(["function", &text].map(str::as_bytes)));
        }
        let names = format!("{named:?} {entry}");
        about.push(digest(["name", &names].map(str::as_bytes)));
        Some(Question {
            key,
            about,
            functions: Functions::of(program, &named),
            files: subject.files.iter().map(|f| f.name.clone()).collect(),
            identity,
            passes,
            store: Store::open_memory(path),
        })
    }

    /// Tests of earlier checks, to begin with.
    pub fn tests(&self) -> Vec<Given> {
        let Some(store) = &self.store else {
            return Vec::new();
        };
        let tests = store.tests(&self.about);
        tests.iter().filter_map(given).collect()
    }

    /// What earlier checks proved of the program's functions: nobody believes it.
    pub fn candidates(&self) -> Vec<Lasting> {
        let store = self.store.as_ref();
        store.map_or(Vec::new(), |store| self.functions.candidates(store))
    }

    /// The earlier answer to the same question, if it holds today.
    pub fn recall(
        &self,
        arguments: &Arguments,
        goal: &Goal,
        task: &Task,
        budget: &Budget,
    ) -> Option<Recalled> {
        let start = Instant::now();
        let kept = self.store.as_ref()?.recall(&self.key)?;
        let mut json = kept.get("result")?.clone();
        let proved = match json["verdict"].as_str()? {
            "proved" => true,
            "unknown" => false,
            _ => return None,
        };
        let how = if proved {
            self.certified(arguments, goal, task, budget, &kept["certificate"])?
        } else {
            // With more time or memory it may be known.
            let enough = |limit: Option<u64>, had: &Value| match (limit, had.as_u64()) {
                (Some(limit), Some(had)) => limit <= had,
                (None, Some(_)) => false,
                (_, None) => true,
            };
            let same = enough(arguments.timeout, &kept["timeout"])
                && enough(arguments.memory, &kept["memory"]);
            if arguments.memory_of.retry_unknown || !same {
                return None;
            }
            json!("limits")
        };
        self.place_again(&mut json);
        let back = Rename::back(&self.identity.names);
        facts(&mut json, &mut |fact| reworded(fact, &back));
        json["recalled"] = how;
        json["property"] = json!(goal.check.name);
        json["entry"] = json!(goal.entry);
        for count in ["iterations", "tests", "solver_calls"] {
            json["statistics"][count] = json!(0);
        }
        json["statistics"]["seconds"] = json!(start.elapsed().as_secs_f64());
        Some(Recalled { json, proved })
    }

    /// Whether an earlier certificate holds for the program that is here now, and how that is known.
    fn certified(
        &self,
        arguments: &Arguments,
        goal: &Goal,
        task: &Task,
        budget: &Budget,
        kept: &Value,
    ) -> Option<Value> {
        let words = |key: &str| -> Option<Vec<String>> {
            let all = kept[key].as_array()?.iter();
            all.map(|w| w.as_str().map(str::to_string)).collect()
        };
        let (passes, measures) = (words("passes")?, words("measures")?);
        let mut program = task.program.clone();
        if termination::is_asked(goal.check) {
            // Claims about another reading of overflow are about another program.
            if kept["property"].as_str() != Some(goal.check.key().as_str()) {
                return None;
            }
            termination::weave_measures(&mut program, &measures).ok()?;
        } else if arguments.memory_of.trust_cache && passes == self.passes {
            return Some(json!("trusted"));
        }
        let prepared = prepare::prepare(&program, &passes).ok()?;
        let claims = renamed(
            kept["claims"].as_str()?,
            &Rename::back(&self.identity.names),
        );
        let text = format!(
            "(prova-certificate {VERSION})\n(passes {})\n(prepared \"{}\")\n{claims}",
            passes.join(" "),
            prepare::digest(&prepared)
        );
        let limits = Limits {
            query: PATIENCE,
            deadline: budget
                .remaining()
                .map(|left| Instant::now() + left.min(Duration::from_secs(120))),
            cancelled: &|| budget.poll().is_some(),
            ask_all: false,
        };
        let certificate = Certificate::parse(&text).ok()?;
        check(&program, &certificate, &solvers(&[]), &limits).ok()?;
        Some(json!("checked"))
    }

    /// Tells places with the lines of today.
    fn place_again(&self, value: &mut Value) {
        match value {
            Value::Array(all) => all.iter_mut().for_each(|v| self.place_again(v)),
            Value::Object(members) => {
                if let Some(number) = members.remove("#") {
                    let number = number.as_u64().unwrap_or(u64::MAX) as usize;
                    let place = self.identity.positions.get(number);
                    let place = place.copied().unwrap_or(Span::NONE);
                    let file = self.files.get(place.file.index());
                    members.insert("file".into(), json!(file.filter(|_| place.is_known())));
                    members.insert("line".into(), json!(place.line));
                    members.insert("column".into(), json!(place.column));
                }
                members.values_mut().for_each(|v| self.place_again(v));
            }
            _ => {}
        }
    }

    /// What is worth keeping of a search that does not end: that there is no answer within these
    /// limits.
    pub fn stopped(&self, arguments: &Arguments) -> Learnt {
        Learnt {
            key: self.key.clone(),
            about: self.about.clone(),
            tests: Vec::new(),
            facts: Vec::new(),
            certificate: None,
            limits: (arguments.timeout, arguments.memory),
            places: HashMap::new(),
            away: Rename::away(&Names::default()),
        }
    }

    /// What is worth keeping of an answer.
    pub fn learnt(
        self,
        arguments: &Arguments,
        task: &Task,
        report: &Report,
        certified: Option<&Certified>,
    ) -> Learnt {
        let mut tests: Vec<Given> = Vec::new();
        if let Outcome::Violated(violation) = &report.outcome {
            let code = Code::new(Arc::new(as_written(&task.program)));
            let limits = prova_exec::Limits::default();
            let run = code.map(|code| Run::new(&code, &violation.test, limits));
            tests.extend(run.map(|run| Given::of(&run)));
        }
        // Tests that are long cost more to keep than they are worth.
        let short = |g: &&Given| g.values.len() <= 1000 && g.fills.len() <= 1000;
        tests.extend(report.scope.tests.iter().filter(short).cloned());
        tests.truncate(MOST_TESTS);
        // What nobody certified is not worth keeping.
        let facts = match certified {
            Some(_) => self.functions.learnt(task, report),
            None => Vec::new(),
        };
        let certificate = certified.and_then(|certified| {
            let certificate = Certificate::parse(&certified.text).ok()?;
            let claims = certified.text.find("\n(procedure ")? + 1;
            Some(json!({
                "property": certificate.header("property").first(),
                "passes": certificate.header("passes"),
                "measures": certificate.header("measure"),
                "claims": renamed(&certified.text[claims..], &Rename::away(&self.identity.names)),
            }))
        });
        let mut places = HashMap::new();
        for (number, place) in self.identity.positions.iter().enumerate() {
            let file = self
                .files
                .get(place.file.index())
                .cloned()
                .unwrap_or_default();
            places
                .entry((file, place.line, place.column))
                .or_insert(number);
        }
        Learnt {
            key: self.key,
            about: self.about,
            tests: tests.iter().map(told).collect(),
            facts,
            certificate,
            limits: (arguments.timeout, arguments.memory),
            places,
            away: Rename::away(&self.identity.names),
        }
    }
}

impl Learnt {
    /// Adds it to an answer.
    pub fn attach(self, json: &mut Value) {
        let mut result = json.clone();
        self.mark(&mut result);
        facts(&mut result, &mut |fact| reworded(fact, &self.away));
        let decided = match json["verdict"].as_str() {
            Some("proved") => self.certificate.is_some(),
            // What is stopped from outside says nothing of the question.
            Some("unknown") => !matches!(
                json["evidence"]["reason"].as_str(),
                None | Some("interrupted" | "check-failed" | "replay")
            ),
            _ => false,
        };
        let answer = decided.then(|| {
            json!({
                "verdict": json["verdict"],
                "result": result,
                "certificate": self.certificate,
                "timeout": self.limits.0,
                "memory": self.limits.1,
            })
        });
        json["memory"] = json!({
            "key": self.key,
            "about": self.about,
            "tests": self.tests,
            "facts": self.facts,
            "answer": answer,
        });
    }

    /// Gives places the numbers that they have in the program, whatever their lines are.
    fn mark(&self, value: &mut Value) {
        match value {
            Value::Array(all) => all.iter_mut().for_each(|v| self.mark(v)),
            Value::Object(members) => {
                let number = |key: &str| members.get(key).and_then(Value::as_u64);
                if let (Some(file), Some(line), Some(column)) =
                    (members.get("file"), number("line"), number("column"))
                {
                    let file = file.as_str().unwrap_or_default().to_string();
                    let place = (file, line as u32, column as u32);
                    // A place that is not in the program as it is checked has no line of today.
                    let number = self.places.get(&place).copied();
                    members.insert("#".into(), json!(number.unwrap_or(usize::MAX)));
                }
                members.values_mut().for_each(|v| self.mark(v));
            }
            _ => {}
        }
    }
}

/// Names for numbers, or numbers for names.
struct Rename {
    registers: HashMap<String, String>,
    objects: HashMap<String, String>,
    procedures: HashMap<String, String>,
}

impl Rename {
    fn new(names: &Names, away: bool) -> Rename {
        let of = |names: &[String], mark: &str| {
            let pairs = names.iter().enumerate().map(|(number, name)| {
                let number = format!("{mark}!{number}");
                match away {
                    true => (name.clone(), number),
                    false => (number, name.clone()),
                }
            });
            pairs.collect()
        };
        Rename {
            registers: of(&names.registers, "r"),
            objects: of(&names.objects, "o"),
            procedures: of(&names.procedures, "p"),
        }
    }

    fn away(names: &Names) -> Rename {
        Rename::new(names, true)
    }

    fn back(names: &Names) -> Rename {
        Rename::new(names, false)
    }

    /// The other name of what a certificate speaks of.
    fn name(&self, name: &str) -> Option<String> {
        if let Some(register) = self.registers.get(name) {
            return Some(register.clone());
        }
        for array in ["mem0[", "mem["] {
            let inside = name.strip_prefix(array).and_then(|n| n.strip_suffix(']'));
            if let Some(class) = inside {
                return Some(format!("{array}{}]", self.class(class)?));
            }
        }
        let address = name.strip_prefix('&')?;
        match address.strip_suffix("()") {
            Some(function) => Some(format!("&{}()", self.procedures.get(function)?)),
            None => Some(format!("&{}", self.objects.get(address)?)),
        }
    }

    /// A class of memory is named after the first thing in it, with an offset and a count.
    fn class(&self, class: &str) -> Option<String> {
        let (table, mark, name) = match (class.strip_prefix('*'), class.strip_prefix('&')) {
            (Some(name), _) => (&self.registers, "*", name),
            (_, Some(name)) => (&self.procedures, "&", name),
            _ => (&self.objects, "", class),
        };
        let ends = std::iter::once(name.len()).chain(
            name.char_indices()
                .rev()
                .filter(|(_, c)| ".'".contains(*c))
                .map(|(i, _)| i),
        );
        for end in ends {
            if let Some(other) = table.get(&name[..end]) {
                return Some(format!("{mark}{other}{}", &name[end..]));
            }
        }
        None
    }
}

/// Claims with other names. What stands behind an opening parenthesis is a keyword and stays.
fn renamed(text: &str, rename: &Rename) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let (mut opened, mut head) = (false, "");
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '(' | ')' => 1,
            '|' | '"' => rest[1..].find(c).map_or(rest.len(), |end| end + 2),
            c if c.is_whitespace() => c.len_utf8(),
            _ => {
                let ends = |c: char| c.is_whitespace() || "()|\"".contains(c);
                rest.find(ends).unwrap_or(rest.len())
            }
        };
        let (token, behind) = rest.split_at(length);
        rest = behind;
        let name = token.trim_matches('|');
        let word = !c.is_whitespace() && !"()\"".contains(c);
        let other = match (word, opened, head) {
            (false, ..) | (_, true, _) => None,
            (_, _, "procedure") => rename.procedures.get(name).cloned(),
            // Numbers of locations, sorts and the like.
            (_, _, "at" | "order" | "rounds" | "induction" | "_" | "call") => None,
            _ => rename.name(name),
        };
        match other {
            Some(other) => out.push_str(&symbol(&other)),
            None => out.push_str(token),
        }
        if word {
            head = if opened { token } else { "" };
        }
        if !c.is_whitespace() {
            opened = c == '(';
        }
    }
    out
}

/// Changes the facts of an answer as people read them.
fn facts(answer: &mut Value, change: &mut dyn FnMut(&str) -> String) {
    let invariants = answer["evidence"]["invariants"].as_array_mut();
    for invariant in invariants.into_iter().flatten() {
        let cases = invariant["cases"].as_array_mut();
        for case in cases.into_iter().flatten() {
            for fact in case.as_array_mut().into_iter().flatten() {
                if let Some(text) = fact.as_str() {
                    *fact = json!(change(text));
                }
            }
        }
    }
}

/// A fact as people read it, with other names of variables.
fn reworded(fact: &str, rename: &Rename) -> String {
    let inside = |c: char| c.is_alphanumeric() || "_#.!$'".contains(c);
    let mut out = String::new();
    let mut rest = fact;
    while !rest.is_empty() {
        let word = rest.find(|c| !inside(c)).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(word);
        out.push_str(rename.registers.get(name).map_or(name, String::as_str));
        let next = behind.find(inside).unwrap_or(behind.len());
        let (between, behind) = behind.split_at(next);
        out.push_str(between);
        rest = behind;
    }
    out
}

/// A name as certificates write it.
fn symbol(name: &str) -> String {
    let start = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.".contains(c);
    let taken = ["true", "false", "_", "RNE", "RNA", "RTP", "RTN", "RTZ"].contains(&name);
    match start && name.chars().all(plain) && !taken {
        true => name.to_string(),
        false => format!("|{name}|"),
    }
}

/// A test as JSON. Numbers of 128 bits are texts.
fn told(given: &Given) -> Value {
    let texts = |values: &[u128]| values.iter().map(u128::to_string).collect::<Vec<_>>();
    let registers: BTreeMap<&String, String> = given
        .registers
        .iter()
        .map(|(n, v)| (n, v.to_string()))
        .collect();
    let bytes = |bytes: &Bytes| -> Vec<(u64, u8)> { bytes.iter().map(|(o, b)| (*o, *b)).collect() };
    let objects: BTreeMap<&String, _> = given.objects.iter().map(|(n, b)| (n, bytes(b))).collect();
    let fills: Vec<_> = given.fills.iter().map(bytes).collect();
    json!({
        "values": texts(&given.values),
        "registers": registers,
        "objects": objects,
        "fills": fills,
        "unknown": bytes(&given.unknown),
    })
}

/// The test that such JSON tells; `None` if it tells none.
fn given(json: &Value) -> Option<Given> {
    let number = |v: &Value| v.as_str()?.parse::<u128>().ok();
    let bytes = |v: &Value| -> Option<Bytes> {
        let pairs = v.as_array()?.iter();
        pairs
            .map(|p| Some((p[0].as_u64()?, u8::try_from(p[1].as_u64()?).ok()?)))
            .collect()
    };
    let members = |key: &str| json[key].as_object();
    Some(Given {
        values: json["values"]
            .as_array()?
            .iter()
            .map(number)
            .collect::<Option<_>>()?,
        registers: members("registers")?
            .iter()
            .map(|(n, v)| Some((n.clone(), number(v)?)))
            .collect::<Option<_>>()?,
        objects: members("objects")?
            .iter()
            .map(|(n, v)| Some((n.clone(), bytes(v)?)))
            .collect::<Option<_>>()?,
        fills: json["fills"]
            .as_array()?
            .iter()
            .map(bytes)
            .collect::<Option<_>>()?,
        unknown: bytes(&json["unknown"])?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_keep_their_meaning_under_other_names() {
        let names = |suffix: &str| Names {
            registers: vec![format!("x#{suffix}"), format!("at{suffix}")],
            objects: vec![format!("buffer.{suffix}")],
            procedures: vec!["main".into()],
        };
        let (before, now) = (names("3"), names("12"));
        let text = "(procedure main\n  (at 4 \"a.c:1:2\"\n    (case\n      (bvule |x#3| at3)\n      (= (select |mem[buffer.3.8'2]| |&buffer.3|) (_ bv0 8)))))\n";
        let kept = renamed(text, &Rename::away(&before));
        assert!(!kept.contains('3') || !kept.contains("x#3"), "{kept}");
        let told = renamed(&kept, &Rename::back(&now));
        let wanted = "(procedure main\n  (at 4 \"a.c:1:2\"\n    (case\n      (bvule |x#12| at12)\n      (= (select |mem[buffer.12.8'2]| |&buffer.12|) (_ bv0 8)))))\n";
        assert_eq!(told, wanted);
        assert_eq!(renamed(&kept, &Rename::back(&before)), text);
    }

    #[test]
    fn facts_are_told_with_the_names_of_today() {
        let names = |name: &str| Names {
            registers: vec![name.into(), "n".into()],
            ..Names::default()
        };
        let kept = reworded("i <= n - 1 && (i)", &Rename::away(&names("i")));
        assert_eq!(kept, "r!0 <= r!1 - 1 && (r!0)");
        assert_eq!(
            reworded(&kept, &Rename::back(&names("index"))),
            "index <= n - 1 && (index)"
        );
    }

    #[test]
    fn tests_are_told_and_read() {
        let test = Given {
            values: vec![0, u128::MAX],
            registers: [("x".to_string(), 7)].into(),
            objects: [("o".to_string(), Bytes::from([(3, 255)]))].into(),
            fills: vec![Bytes::new(), Bytes::from([(0, 1)])],
            unknown: Bytes::from([(0x6000_0000_0000, 9)]),
        };
        assert_eq!(given(&told(&test)), Some(test));
        assert_eq!(given(&json!({ "values": [3] })), None);
        assert_eq!(given(&json!({})), None);
    }
}
