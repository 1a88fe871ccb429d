//! S-expressions, as solvers print them.

/// An S-expression: a word or a list. Quoted symbols lose their bars, strings their quotes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Sexpr {
    Word(String),
    List(Vec<Sexpr>),
}

impl Sexpr {
    /// The word, if it is one.
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Sexpr::Word(word) => Some(word),
            Sexpr::List(_) => None,
        }
    }

    /// The elements, if it is a list.
    pub(super) fn list(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::Word(_) => None,
            Sexpr::List(items) => Some(items),
        }
    }
}

/// Collects lines until they make one whole S-expression.
#[derive(Default)]
pub(super) struct Collector {
    stack: Vec<Vec<Sexpr>>,
    word: String,
    /// The quote that ends the symbol or string being read.
    quote: Option<char>,
    done: Option<Sexpr>,
}

impl Collector {
    /// Reads one line; the expression, once it is complete. `Err` on an unmatched parenthesis.
    pub(super) fn line(&mut self, line: &str) -> Result<Option<Sexpr>, String> {
        let mut comment = false;
        for c in line.chars().chain(std::iter::once('\n')) {
            match (self.quote, c) {
                (Some(quote), _) if c == quote => {
                    self.quote = None;
                    self.finish_quoted();
                }
                (Some(_), _) => self.word.push(c),
                _ if comment => {}
                (None, '|' | '"') => {
                    self.finish_word();
                    self.quote = Some(c);
                }
                (None, ';') => comment = true,
                (None, '(') => {
                    self.finish_word();
                    self.stack.push(Vec::new());
                }
                (None, ')') => {
                    self.finish_word();
                    let items = self.stack.pop().ok_or("unmatched parenthesis")?;
                    self.put(Sexpr::List(items));
                }
                (None, c) if c.is_whitespace() => self.finish_word(),
                (None, c) => self.word.push(c),
            }
        }
        Ok(self.done.take())
    }

    fn finish_word(&mut self) {
        if !self.word.is_empty() {
            self.finish_quoted();
        }
    }

    fn finish_quoted(&mut self) {
        let word = std::mem::take(&mut self.word);
        self.put(Sexpr::Word(word));
    }

    fn put(&mut self, item: Sexpr) {
        match self.stack.last_mut() {
            Some(list) => list.push(item),
            None => self.done = Some(item),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(items: &[&str]) -> Vec<Sexpr> {
        items.iter().map(|w| Sexpr::Word(w.to_string())).collect()
    }

    #[test]
    fn expressions_over_several_lines() {
        let mut collector = Collector::default();
        assert_eq!(collector.line("((x"), Ok(None));
        assert_eq!(collector.line("  #x0a) ; a comment )"), Ok(None));
        let read = collector.line("(|a b| \"q)\"))").unwrap().unwrap();
        let expected = vec![
            Sexpr::List(words(&["x", "#x0a"])),
            Sexpr::List(words(&["a b", "q)"])),
        ];
        assert_eq!(read, Sexpr::List(expected));
        assert_eq!(
            collector.line("sat"),
            Ok(Some(Sexpr::Word("sat".to_string())))
        );
        assert!(collector.line(")").is_err());
    }
}
