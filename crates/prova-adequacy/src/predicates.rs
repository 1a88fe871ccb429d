//! The file that says what is asked of states, and where. A line names places, then predicates in C:
//!
//! ```text
//! # a comment
//! foo: x < 5; px == 0          every cutpoint of the function
//! foo:A,B: x < 5               labels of the function
//! foo:12: x < 5                a line in it
//! ```
//!
//! What stands behind the last colon that a place may have is predicates, separated by semicolons.

/// A predicate as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its text.
    pub text: String,
    /// The line of the file, from one.
    pub line: u32,
    /// The column, from one.
    pub column: u32,
}

/// Where a group of predicates is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Where {
    /// At every cutpoint of the function.
    Everywhere,
    /// At a label.
    Label(String),
    /// At a line.
    Line(u32),
}

/// Predicates for some places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The function.
    pub function: String,
    /// The places in it.
    pub places: Vec<Where>,
    /// The predicates.
    pub predicates: Vec<Written>,
    /// The line of the file.
    pub line: u32,
}

/// Why a file is not taken: line, column and message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The line, from one.
    pub line: u32,
    /// The column, from one.
    pub column: u32,
    /// What is wrong.
    pub what: String,
}

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.what)
    }
}

/// Reads the text of a file.
pub fn parse(text: &str) -> Result<Vec<Group>, Wrong> {
    let mut groups = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index as u32 + 1;
        let content = line.split('#').next().unwrap_or_default();
        if content.trim().is_empty() {
            continue;
        }
        groups.push(group(content, number)?);
    }
    Ok(groups)
}

fn group(content: &str, line: u32) -> Result<Group, Wrong> {
    let wrong = |at: usize, what: String| Wrong {
        line,
        column: at as u32 + 1,
        what,
    };
    let (function, rest) = content
        .split_once(':')
        .ok_or_else(|| wrong(0, "`FUNCTION: PREDICATE; …` is expected".into()))?;
    let name = function.trim();
    if !is_name(name) {
        return Err(wrong(0, format!("`{name}` is no function's name")));
    }
    let mut at = function.len() + 1;
    let mut places = vec![Where::Everywhere];
    let mut predicates = rest;
    // A colon further on belongs to the places if only names, numbers and commas stand before it.
    if let Some((middle, behind)) = rest.split_once(':') {
        let words: Vec<&str> = middle.split(',').map(str::trim).collect();
        let all = words
            .iter()
            .all(|w| is_name(w) || (!w.is_empty() && w.bytes().all(|b| b.is_ascii_digit())));
        if all && !behind.starts_with(':') {
            places = words
                .iter()
                .map(|w| match w.parse() {
                    Ok(line) => Where::Line(line),
                    Err(_) => Where::Label((*w).to_owned()),
                })
                .collect();
            predicates = behind;
            at += middle.len() + 1;
        }
    }
    let mut found = Vec::new();
    for part in predicates.split(';') {
        let skipped = part.len() - part.trim_start().len();
        if !part.trim().is_empty() {
            found.push(Written {
                text: part.trim().to_owned(),
                line,
                column: (at + skipped) as u32 + 1,
            });
        }
        at += part.len() + 1;
    }
    if found.is_empty() {
        return Err(wrong(content.len(), "a predicate is expected".into()));
    }
    Ok(Group {
        function: name.to_owned(),
        places,
        predicates: found,
        line,
    })
}

fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_predicates_are_told_apart() {
        let groups = parse("# none\nfoo:A,12: x < 5;  px == 0\nbar: a ? b : c\n").expect("groups");
        assert_eq!(
            groups[0].places,
            [Where::Label("A".into()), Where::Line(12)]
        );
        let texts: Vec<&str> = groups[0].predicates.iter().map(|p| &p.text[..]).collect();
        assert_eq!(texts, ["x < 5", "px == 0"]);
        assert_eq!(groups[0].predicates[1].column, 19);
        assert_eq!(groups[1].places, [Where::Everywhere]);
        assert_eq!(groups[1].predicates[0].text, "a ? b : c");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, line, column) in [("x < 5", 1, 1), ("\n1f: x", 2, 1), ("f:A:", 1, 5)] {
            let wrong = parse(text).expect_err(text);
            assert_eq!((wrong.line, wrong.column), (line, column), "{text}");
        }
    }
}
