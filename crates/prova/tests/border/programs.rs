//! The programs and their heads. A head is the lines `// key: value` a program begins with:
//!
//! | key | value |
//! |---|---|
//! | `expect` | `true`, `false` or `unknown`, or two of them with `or` between |
//! | `property` | what is checked; `unreach-call` unless told |
//! | `options` | further options of `prova check` |
//! | `bits` | the only data model that the program is about; both unless told |
//! | `inputs` | values of `__VERIFIER_nondet_…` in the order of the run that shows the error |
//! | `stdin` | what is read from standard input then, as a C string |
//! | `arguments`, `environment` | words of the command line, `NAME=value` |
//! | `allocations` | `fail 2`: which of them finds no memory |
//! | `gcc` | further options of the compiler |
//! | `native` | a line of C for a file of its own: functions and variables that the program lacks |
//! | `shown by` | how the native run shows the error, where a sanitizer's report does not |
//! | `not shown by gcc` | why it cannot: it needs another choice than gcc's |
//! | `rests on` | an assumption beside a proof without which it would be wrong: it has to be printed |
//!
//! Programs that `_bug.c` has no twin for belong to other tests.

use std::path::{Path, PathBuf};

/// What a check may come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Proved.
    True,
    /// Violated.
    False,
    /// Neither.
    Unknown,
    /// The program was refused, or the command failed.
    None,
}

/// A program and its head.
#[derive(Clone, Debug)]
pub struct Program {
    pub path: PathBuf,
    /// Class and name.
    pub name: String,
    /// Whether it is the twin with the error.
    pub bug: bool,
    pub expected: Vec<Verdict>,
    pub property: String,
    pub options: Vec<String>,
    pub bits: Option<u32>,
    pub inputs: Vec<String>,
    pub stdin: Vec<u8>,
    pub arguments: Vec<String>,
    pub environment: Option<(String, String)>,
    pub fails: Option<String>,
    pub gcc: Vec<String>,
    pub native: Vec<String>,
    pub shown_by: Option<String>,
    pub not_shown: bool,
    pub rests_on: Option<String>,
}

impl Program {
    /// Whether the head allows this verdict.
    pub fn may_be(&self, verdict: Verdict) -> bool {
        self.expected.contains(&verdict)
    }

    fn read(path: &Path, name: String) -> Self {
        let text = std::fs::read_to_string(path).expect("readable");
        let mut program = Program {
            path: path.to_path_buf(),
            bug: name.ends_with("_bug"),
            name,
            expected: Vec::new(),
            property: "unreach-call".into(),
            options: Vec::new(),
            bits: None,
            inputs: Vec::new(),
            stdin: Vec::new(),
            arguments: Vec::new(),
            environment: None,
            fails: None,
            gcc: Vec::new(),
            native: Vec::new(),
            shown_by: None,
            not_shown: false,
            rests_on: None,
        };
        for line in text.lines() {
            let head = line.strip_prefix("// ").and_then(|l| l.split_once(": "));
            if !head.is_some_and(|(key, value)| program.take(key, value)) {
                break;
            }
        }
        assert!(!program.expected.is_empty(), "{}", program.name);
        program
    }

    /// Takes a line of the head; false for any other line.
    fn take(&mut self, key: &str, value: &str) -> bool {
        let words = || value.split_whitespace().map(String::from).collect();
        match key {
            "expect" => {
                self.expected = value
                    .split(" or ")
                    .map(|word| match word {
                        "true" => Verdict::True,
                        "false" => Verdict::False,
                        "unknown" => Verdict::Unknown,
                        _ => panic!("{}: expect: {value}", self.name),
                    })
                    .collect();
            }
            "property" => self.property = value.into(),
            "options" => self.options = words(),
            "bits" => self.bits = Some(value.parse().expect("32 or 64")),
            "inputs" => self.inputs = value.split(", ").map(String::from).collect(),
            "stdin" => self.stdin = unescape(value),
            "arguments" => self.arguments = words(),
            "environment" => {
                let (name, value) = value.split_once('=').expect("NAME=value");
                self.environment = Some((name.into(), value.into()));
            }
            "allocations" => {
                self.fails = Some(value.strip_prefix("fail ").expect("fail N").into());
            }
            "gcc" => self.gcc = words(),
            "native" => self.native.push(value.into()),
            "shown by" => self.shown_by = Some(value.into()),
            "not shown by gcc" => self.not_shown = true,
            "rests on" => self.rests_on = Some(value.into()),
            _ => return false,
        }
        true
    }
}

/// The bytes of a C string, quotes around it.
fn unescape(text: &str) -> Vec<u8> {
    let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    let bytes = inner.expect("a string").as_bytes();
    let mut result = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            result.push(bytes[at]);
            at += 1;
            continue;
        }
        at += 1;
        let digits = bytes[at..].iter().take(3);
        let digits = digits.take_while(|b| (b'0'..=b'7').contains(b)).count();
        if digits > 0 {
            let number = &inner.expect("a string")[at..at + digits];
            result.push(u8::from_str_radix(number, 8).expect("a byte"));
            at += digits;
        } else {
            result.push(match bytes[at] {
                b'n' => b'\n',
                b't' => b'\t',
                other => other,
            });
            at += 1;
        }
    }
    result
}

/// The folder of all classes.
pub fn folder() -> PathBuf {
    let here = std::env::current_dir().expect("the package's folder");
    here.join("../../tests/programs/border")
        .canonicalize()
        .expect("the programs")
}

/// All pairs, safe program first, in a fixed order.
pub fn pairs() -> Vec<(Program, Program)> {
    let mut found = Vec::new();
    for class in std::fs::read_dir(folder()).expect("classes") {
        let class = class.expect("a class").path();
        if !class.is_dir() {
            continue;
        }
        let name = class.file_name().expect("a name").to_string_lossy();
        for file in std::fs::read_dir(&class).expect("programs") {
            let path = file.expect("a program").path();
            let stem = path.file_stem().expect("a name").to_string_lossy();
            let Some(stem) = stem.strip_suffix("_bug") else {
                continue;
            };
            let safe = class.join(format!("{stem}.c"));
            found.push((
                Program::read(&safe, format!("{name}/{stem}")),
                Program::read(&path, format!("{name}/{stem}_bug")),
            ));
        }
    }
    found.sort_by(|a, b| a.0.name.cmp(&b.0.name));
    found
}

/// The programs of all pairs.
pub fn programs() -> Vec<Program> {
    pairs().into_iter().flat_map(|(a, b)| [a, b]).collect()
}
