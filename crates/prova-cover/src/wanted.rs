//! Which kinds of goals somebody wants: words on a command line, or a property file as the test
//! competition writes them.

use crate::goal::Kind;

/// What is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Kinds of goals.
    pub kinds: Vec<Kind>,
    /// The function where runs start, if it is not `main`.
    pub entry: Option<String>,
    /// The line of the property file, for metadata.
    pub specification: Option<String>,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted {
            kinds: vec![
                Kind::Function,
                Kind::Line,
                Kind::Branch,
                Kind::Goal,
                Kind::Error,
            ],
            entry: None,
            specification: None,
        }
    }
}

impl Wanted {
    /// Words with commas between them.
    pub fn of_words(words: &[String]) -> Result<Wanted, String> {
        let mut kinds = Vec::new();
        for word in words {
            if word == "all" {
                kinds.extend(Kind::ALL);
                continue;
            }
            let kind = Kind::ALL.into_iter().find(|k| k.word() == word);
            kinds.push(kind.ok_or_else(|| {
                let all: Vec<&str> = Kind::ALL.iter().map(|k| k.word()).collect();
                format!(
                    "there are no goals `{word}`; there are {}, and all",
                    all.join(", ")
                )
            })?);
        }
        kinds.sort_unstable();
        kinds.dedup();
        Ok(Wanted {
            kinds,
            ..Wanted::default()
        })
    }

    /// A property file: `COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )`, or with
    /// `@CALL(reach_error)` or `@BASICBLOCKENTRY` or `@CONDITIONEDGE` in the place of the edges.
    pub fn of_file(text: &str) -> Result<Wanted, String> {
        let lines = text.lines().map(str::trim);
        let mut lines = lines
            .enumerate()
            .filter(|(_, l)| !l.is_empty() && !l.starts_with('#') && !l.starts_with("//"));
        let Some((number, line)) = lines.next() else {
            return Err("line 1: there is no COVER in this file".into());
        };
        let wrong = |what: &str| format!("line {}: {what}", number + 1);
        if let Some((other, _)) = lines.next() {
            return Err(format!("line {}: one COVER is read, no more", other + 1));
        }
        let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let inner = compact
            .strip_prefix("COVER(")
            .and_then(|l| l.strip_suffix(')'))
            .ok_or_else(|| wrong("`COVER( init(main()), FQL(…) )` is expected"))?;
        let (start, formula) = inner
            .strip_prefix("init(")
            .and_then(|l| l.split_once("()),"))
            .ok_or_else(|| wrong("`init(FUNCTION())` is expected first"))?;
        let edges = formula
            .strip_prefix("FQL(COVEREDGES(")
            .and_then(|l| l.strip_suffix("))"))
            .ok_or_else(|| wrong("`FQL(COVER EDGES(…))` is expected"))?;
        let kinds = match edges {
            "@DECISIONEDGE" => vec![Kind::Branch],
            "@CONDITIONEDGE" => vec![Kind::Branch, Kind::Condition],
            "@BASICBLOCKENTRY" => vec![Kind::Line],
            "@CALL(reach_error)" | "@CALL(__VERIFIER_error)" => vec![Kind::Error],
            other => return Err(wrong(&format!("edges `{other}` are not known"))),
        };
        Ok(Wanted {
            kinds,
            entry: (start != "main").then(|| start.to_owned()),
            specification: Some(line.to_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_competitions_files_are_read() {
        let kinds = |edges: &str| {
            let line = format!("COVER( init(main()), FQL(COVER EDGES({edges})) )\n");
            Wanted::of_file(&line).map(|w| w.kinds)
        };
        assert_eq!(kinds("@DECISIONEDGE"), Ok(vec![Kind::Branch]));
        assert_eq!(kinds("@CALL(reach_error)"), Ok(vec![Kind::Error]));
        for wrong in [
            "",
            "CHECK( init(main()), LTL(G ! call(reach_error())) )",
            "COVER( FQL(COVER EDGES(@DECISIONEDGE)) )",
            "COVER( init(main()), FQL(COVER EDGES(@NOTHING)) )",
            "COVER( init(main()), COVER EDGES(@DECISIONEDGE) )",
        ] {
            let said = Wanted::of_file(wrong).expect_err(wrong);
            assert!(said.starts_with("line 1: "), "{said}");
        }
    }

    #[test]
    fn words_name_kinds() {
        let words = |w: &[&str]| {
            let words: Vec<String> = w.iter().map(|w| (*w).to_owned()).collect();
            Wanted::of_words(&words).map(|w| w.kinds)
        };
        assert_eq!(words(&["lines", "mcdc"]), Ok(vec![Kind::Line, Kind::Mcdc]));
        assert_eq!(words(&["all"]).map(|k| k.len()), Ok(Kind::ALL.len()));
        assert!(words(&["everything"]).is_err());
    }
}
