//! Witnesses of format 2.0 as data: what is in a file, read with every complaint at its line, and
//! written. (Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl, Strejček: *Software Verification
//! Witnesses 2.0*, SPIN 2024.)

use super::yaml::{self, cut, Node, YamlError};
use prova_ir::DataModel;

/// A witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// What it is about.
    pub metadata: Metadata,
    /// What it says.
    pub content: Content,
}

/// What a witness is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// The format's version.
    pub format_version: String,
    /// Identifies the entry.
    pub uuid: String,
    /// When it was made.
    pub creation_time: String,
    /// The tool's name.
    pub producer: String,
    /// The tool's version.
    pub producer_version: String,
    /// The program's files, as they were named.
    pub input_files: Vec<String>,
    /// Their SHA-256 digests, by name.
    pub hashes: Vec<(String, String)>,
    /// The property, as the competition spells it.
    pub specification: String,
    /// The data model.
    pub model: DataModel,
}

/// What a witness says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// How to reach the error.
    Violation(Vec<Segment>),
    /// What holds where.
    Correctness(Vec<InvariantAt>),
}

/// A part of the way to the error: some waypoints to avoid and one to follow, the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment(pub Vec<Waypoint>);

/// A place on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waypoint {
    /// What it is.
    pub kind: WaypointKind,
    /// Whether it must be passed, or must not.
    pub follow: bool,
    /// What must hold there: a C expression, `true` or `false` or a case of a branching, or
    /// `\result` compared with a constant.
    pub constraint: Option<String>,
    /// Where.
    pub location: Location,
}

/// What a waypoint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WaypointKind {
    /// An expression holds before a statement.
    Assumption,
    /// A branching goes one way.
    Branching,
    /// A function is called.
    FunctionEnter,
    /// A function returns.
    FunctionReturn,
    /// The error.
    Target,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file, as the witness names it.
    pub file: String,
    /// The line, from one.
    pub line: u32,
    /// The column, from one; if absent, the leftmost that fits.
    pub column: Option<u32>,
    /// The function, for people.
    pub function: Option<String>,
    /// The line of the witness that says so; zero if it was not read.
    pub said_at: usize,
}

/// An invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvariantAt {
    /// Whether it is a loop's, or a statement's.
    pub of_loop: bool,
    /// Where.
    pub location: Location,
    /// A C expression.
    pub value: String,
}

const KINDS: [(WaypointKind, &str); 5] = [
    (WaypointKind::Assumption, "assumption"),
    (WaypointKind::Branching, "branching"),
    (WaypointKind::FunctionEnter, "function_enter"),
    (WaypointKind::FunctionReturn, "function_return"),
    (WaypointKind::Target, "target"),
];

/// Versions that are understood.
const VERSIONS: [&str; 3] = ["2.0", "2.1", "2.2"];

/// The largest number of waypoints or invariants that is taken.
const MOST: usize = 100_000;

fn error<T>(node: &Node, what: impl Into<String>) -> Result<T, YamlError> {
    let what = what.into();
    let line = node.line;
    Err(YamlError { line, what })
}

/// Reads a witness.
pub fn read(text: &str) -> Result<Witness, YamlError> {
    let root = yaml::read(text)?;
    let entries = root.as_sequence()?;
    let Some(first) = entries.first() else {
        return error(&root, "there is no entry");
    };
    let mut witness: Option<Witness> = None;
    for entry in entries {
        let metadata = metadata(entry.need("metadata")?)?;
        let content = entry.need("content")?;
        let kind = entry.need("entry_type")?;
        let content = match kind.as_text()? {
            "violation_sequence" => Content::Violation(segments(content)?),
            "invariant_set" => Content::Correctness(invariants(content)?),
            other => return error(kind, format!("entries `{}` are not known", cut(other))),
        };
        match (&mut witness, content) {
            (None, content) => witness = Some(Witness { metadata, content }),
            (Some(w), Content::Correctness(more)) => match &mut w.content {
                Content::Correctness(known) => known.extend(more),
                Content::Violation(_) => {
                    return error(kind, "a violation witness has no invariants")
                }
            },
            (Some(_), Content::Violation(_)) => {
                return error(kind, "more than one violation is not taken")
            }
        }
    }
    match witness {
        Some(witness) => Ok(witness),
        None => error(first, "there is no entry"),
    }
}

fn metadata(node: &Node) -> Result<Metadata, YamlError> {
    let version = node.need("format_version")?;
    if !VERSIONS.contains(&version.as_text()?) {
        return error(
            version,
            format!(
                "format version `{}` is not known; {} are",
                cut(version.as_text()?),
                VERSIONS.join(", ")
            ),
        );
    }
    let text = |node: &Node, key: &str| Ok(node.need(key)?.as_text()?.to_owned());
    let producer = node.need("producer")?;
    let task = node.need("task")?;
    let files = task.need("input_files")?.as_sequence()?;
    let files: Result<Vec<String>, YamlError> = files
        .iter()
        .map(|f| f.as_text().map(str::to_owned))
        .collect();
    let hashes = task.need("input_file_hashes")?;
    let yaml::Value::Mapping(entries) = &hashes.value else {
        return error(hashes, "a mapping from files to digests is expected");
    };
    let hashes: Result<Vec<(String, String)>, YamlError> = entries
        .iter()
        .map(|(file, hash)| Ok((file.clone(), hash.as_text()?.to_owned())))
        .collect();
    let model = task.need("data_model")?;
    Ok(Metadata {
        format_version: text(node, "format_version")?,
        uuid: text(node, "uuid")?,
        creation_time: text(node, "creation_time")?,
        producer: text(producer, "name")?,
        producer_version: text(producer, "version")?,
        input_files: files?,
        hashes: hashes?,
        specification: text(task, "specification")?,
        model: match model.as_text()? {
            "ILP32" => DataModel::Ilp32,
            "LP64" => DataModel::Lp64,
            other => return error(model, format!("data model `{}` is not known", cut(other))),
        },
    })
}

fn segments(node: &Node) -> Result<Vec<Segment>, YamlError> {
    let mut found = Vec::new();
    let mut count = 0;
    for entry in node.as_sequence()? {
        let waypoints = entry.need("segment")?.as_sequence()?;
        let waypoints: Result<Vec<Waypoint>, YamlError> = waypoints
            .iter()
            .map(|w| waypoint(w.need("waypoint")?))
            .collect();
        let waypoints = waypoints?;
        count += waypoints.len();
        if count > MOST {
            return error(entry, format!("more than {MOST} waypoints are not taken"));
        }
        let ends = waypoints.iter().position(|w| w.follow);
        if ends.is_none_or(|at| at + 1 != waypoints.len()) {
            return error(entry, "a segment ends with its one waypoint to follow");
        }
        found.push(Segment(waypoints));
    }
    let target = |s: &Segment| s.0.last().is_some_and(|w| w.kind == WaypointKind::Target);
    let targets = found.iter().filter(|s| target(s)).count();
    if targets != 1 || !found.last().is_some_and(target) {
        return error(node, "the last segment, and no other, ends at the target");
    }
    Ok(found)
}

fn waypoint(node: &Node) -> Result<Waypoint, YamlError> {
    let kind = node.need("type")?;
    let name = kind.as_text()?;
    let Some((kind, _)) = KINDS.iter().find(|(_, n)| *n == name) else {
        return error(kind, format!("waypoints `{}` are not known", cut(name)));
    };
    let action = node.need("action")?;
    let follow = match action.as_text()? {
        "follow" => true,
        "avoid" => false,
        other => return error(action, format!("action `{}` is not known", cut(other))),
    };
    let constraint = match node.get("constraint") {
        Some(constraint) => {
            if let Some(format) = constraint.get("format") {
                expression_format(format)?;
            }
            Some(constraint.need("value")?.as_text()?.to_owned())
        }
        None => None,
    };
    let needed = matches!(kind, WaypointKind::Assumption | WaypointKind::Branching);
    if needed && constraint.is_none() {
        return error(node, format!("a waypoint `{name}` has a constraint"));
    }
    if *kind == WaypointKind::Target && !follow {
        return error(action, "a target is followed");
    }
    Ok(Waypoint {
        kind: *kind,
        follow,
        constraint,
        location: location(node.need("location")?)?,
    })
}

fn expression_format(node: &Node) -> Result<(), YamlError> {
    match node.as_text()? {
        "c_expression" | "C" | "acsl_expression" | "ext_c_expression" => Ok(()),
        other => error(node, format!("expressions `{}` are not known", cut(other))),
    }
}

fn invariants(node: &Node) -> Result<Vec<InvariantAt>, YamlError> {
    let mut found = Vec::new();
    for entry in node.as_sequence()? {
        let invariant = entry.need("invariant")?;
        let kind = invariant.need("type")?;
        let of_loop = match kind.as_text()? {
            "loop_invariant" => true,
            "location_invariant" => false,
            other => return error(kind, format!("invariants `{}` are not known", cut(other))),
        };
        expression_format(invariant.need("format")?)?;
        found.push(InvariantAt {
            of_loop,
            location: location(invariant.need("location")?)?,
            value: invariant.need("value")?.as_text()?.to_owned(),
        });
        if found.len() > MOST {
            return error(entry, format!("more than {MOST} invariants are not taken"));
        }
    }
    Ok(found)
}

fn location(node: &Node) -> Result<Location, YamlError> {
    Ok(Location {
        file: node.need("file_name")?.as_text()?.to_owned(),
        line: node.need("line")?.as_number()?,
        column: node.get("column").map(Node::as_number).transpose()?,
        function: match node.get("function") {
            Some(function) => Some(function.as_text()?.to_owned()),
            None => None,
        },
        said_at: node.line,
    })
}

impl Witness {
    /// The witness as YAML.
    pub fn write(&self) -> String {
        let (kind, content) = match &self.content {
            Content::Violation(segments) => (
                "violation_sequence",
                Node::sequence(segments.iter().map(write_segment)),
            ),
            Content::Correctness(invariants) => (
                "invariant_set",
                Node::sequence(invariants.iter().map(write_invariant)),
            ),
        };
        let entry = Node::mapping([
            ("entry_type", Node::text(kind)),
            ("metadata", self.metadata.write()),
            ("content", content),
        ]);
        Node::sequence([entry]).write()
    }
}

impl Metadata {
    fn write(&self) -> Node {
        let files = self.input_files.iter().map(Node::text);
        let hashes = self.hashes.iter().map(|(f, h)| (f.clone(), Node::text(h)));
        Node::mapping([
            ("format_version", Node::text(&self.format_version)),
            ("uuid", Node::text(&self.uuid)),
            ("creation_time", Node::text(&self.creation_time)),
            (
                "producer",
                Node::mapping([
                    ("name", Node::text(&self.producer)),
                    ("version", Node::text(&self.producer_version)),
                ]),
            ),
            (
                "task",
                Node::mapping([
                    ("input_files", Node::sequence(files)),
                    ("input_file_hashes", Node::mapping(hashes)),
                    ("specification", Node::text(&self.specification)),
                    (
                        "data_model",
                        Node::text(match self.model {
                            DataModel::Ilp32 => "ILP32",
                            DataModel::Lp64 => "LP64",
                        }),
                    ),
                    ("language", Node::text("C")),
                ]),
            ),
        ])
    }
}

fn write_segment(segment: &Segment) -> Node {
    let waypoints = segment.0.iter().map(|w| {
        let name = KINDS.iter().find(|(k, _)| *k == w.kind).map(|(_, n)| *n);
        let mut entries = vec![
            ("type", Node::text(name.unwrap_or_default())),
            (
                "action",
                Node::text(if w.follow { "follow" } else { "avoid" }),
            ),
        ];
        if let Some(value) = &w.constraint {
            let mut constraint = vec![("value", Node::text(value))];
            match w.kind {
                WaypointKind::FunctionReturn => {
                    constraint.push(("format", Node::text("acsl_expression")));
                }
                WaypointKind::Assumption => {
                    constraint.push(("format", Node::text("c_expression")));
                }
                _ => {}
            }
            entries.push(("constraint", Node::mapping(constraint)));
        }
        entries.push(("location", w.location.write()));
        Node::mapping([("waypoint", Node::mapping(entries))])
    });
    Node::mapping([("segment", Node::sequence(waypoints))])
}

fn write_invariant(invariant: &InvariantAt) -> Node {
    let kind = match invariant.of_loop {
        true => "loop_invariant",
        false => "location_invariant",
    };
    Node::mapping([(
        "invariant",
        Node::mapping([
            ("type", Node::text(kind)),
            ("location", invariant.location.write()),
            ("value", Node::text(&invariant.value)),
            ("format", Node::text("c_expression")),
        ]),
    )])
}

impl Location {
    fn write(&self) -> Node {
        let mut entries = vec![
            ("file_name", Node::text(&self.file)),
            ("line", Node::number(self.line)),
        ];
        if let Some(column) = self.column {
            entries.push(("column", Node::number(column)));
        }
        if let Some(function) = &self.function {
            entries.push(("function", Node::text(function)));
        }
        Node::mapping(entries)
    }
}
