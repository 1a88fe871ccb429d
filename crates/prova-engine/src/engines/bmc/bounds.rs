//! How many rounds of which loop: `8`, `parse.c:31=100`, `31=100` or `parse=100`.

use prova_ir::Span;
use prova_task::Prepared;

/// The bounds that somebody chose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// For all loops; without it they are followed further and further.
    pub all: Option<u64>,
    /// For loops by their place or function, the last one counts.
    pub of: Vec<(String, u64)>,
}

impl Bounds {
    /// Reads what was written behind `--bound`.
    pub fn parse(texts: &[String]) -> Result<Bounds, String> {
        let mut bounds = Bounds::default();
        for text in texts {
            let (name, number) = match text.rsplit_once('=') {
                Some((name, number)) => (Some(name), number),
                None => (None, text.as_str()),
            };
            let number = number.parse().map_err(|_| {
                format!("`{text}` is no bound: a number is needed, or a loop and a number")
            })?;
            match name {
                None => bounds.all = Some(number),
                Some(name) => bounds.of.push((name.to_string(), number)),
            }
        }
        Ok(bounds)
    }

    /// The bound of a loop that begins at a place, if there is one.
    pub fn at(&self, prepared: &Prepared, span: Span) -> Option<u64> {
        let named = self
            .of
            .iter()
            .rev()
            .find(|(name, _)| names(prepared, name, span));
        named.map(|(_, number)| *number).or(self.all)
    }
}

/// Whether a name means the loop at a place.
fn names(prepared: &Prepared, name: &str, span: Span) -> bool {
    let (file, line) = match name.rsplit_once(':') {
        Some((file, line)) => (Some(file), line),
        None => (None, name),
    };
    if let Ok(line) = line.parse::<u32>() {
        let own = prepared.original.files.get(span.file.index());
        let is_file =
            |f: &str| own.is_some_and(|o| o.name == f || o.name.ends_with(&format!("/{f}")));
        return span.line == line && file.is_none_or(is_file);
    }
    let mut procedures = prepared.original.procedures.iter();
    procedures.any(|p| {
        let has = |body: &prova_ir::Body| body.locations.iter().any(|l| l.span == span);
        p.name == name && p.body.as_ref().is_some_and(has)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_numbers_or_loops_with_numbers() {
        let texts = ["8", "a.c:3=5", "run=2"].map(String::from);
        let bounds = Bounds::parse(&texts).expect("they are bounds");
        assert_eq!(bounds.all, Some(8));
        assert_eq!(bounds.of, [("a.c:3".into(), 5), ("run".into(), 2)]);
        for wrong in ["", "many", "a.c:3=", "=x", "-1"] {
            assert!(Bounds::parse(&[wrong.into()]).is_err(), "{wrong}");
        }
    }
}
