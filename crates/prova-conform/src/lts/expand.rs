//! Syntax to transition systems: pieces are put in where they are used, words become numbers.

use super::read::STOP;
use super::syntax::*;
use super::{Action, Alphabet, Lts, StateId, Value, TAU};
use prova_c::Diagnostic;
use std::collections::BTreeMap;

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// Pieces within pieces; beyond, one uses itself.
const DEPTH: usize = 16;
/// States that a machine may have.
const STATES: usize = 200_000;

/// What a parameter of a piece stands for: a word, or a state of whoever uses the piece.
#[derive(Clone)]
struct Meaning {
    word: String,
    state: String,
}

/// What words stand for in a piece.
type Words = BTreeMap<String, Meaning>;

/// The transition system of a machine.
///
/// # Errors
/// A state, a machine or a number of words that does not fit.
pub fn machine(file: &File, name: &Name, alphabet: &mut Alphabet) -> Result<Lts> {
    let found = file.machines.iter().find(|m| m.name.text == name.text);
    let Some(machine) = found else {
        let message = format!("there is no machine `{}`", name.text);
        return Err(file.error(&name.range, message));
    };
    if !machine.parameters.is_empty() {
        let message = format!("`{}` has parameters: it is a piece of a machine", name.text);
        return Err(file.error(&name.range, message));
    }
    let mut expansion = Expansion {
        file,
        alphabet,
        lts: Lts::default(),
        numbers: BTreeMap::new(),
        stop: None,
    };
    expansion.states(machine, "", &Words::new(), 0)?;
    expansion.moves(machine, "", &Words::new(), 0)?;
    Ok(expansion.lts)
}

struct Expansion<'f, 'a> {
    file: &'f File,
    alphabet: &'a mut Alphabet,
    lts: Lts,
    numbers: BTreeMap<String, StateId>,
    stop: Option<StateId>,
}

impl<'f> Expansion<'f, '_> {
    fn state(&mut self, name: String) -> StateId {
        if let Some(&known) = self.numbers.get(&name) {
            return known;
        }
        let number = self.lts.state(name.clone());
        self.numbers.insert(name, number);
        number
    }

    /// Names the states of a machine, and of the pieces in it. The first state of a piece is the
    /// state that it stands in.
    fn states(&mut self, machine: &Machine, own: &str, words: &Words, depth: usize) -> Result<()> {
        for (i, state) in machine.states.iter().enumerate() {
            let name = own_name(own, &state.name.text, i);
            self.state(name.clone());
            if self.lts.states.len() > STATES {
                let message = "this machine has too many states";
                return Err(self.file.error(&machine.name.range, message));
            }
            for step in &state.moves {
                if let Move::Piece {
                    name: piece,
                    arguments,
                } = step
                {
                    let (piece, inner) = self.piece(piece, arguments, own, words, depth)?;
                    self.states(piece, &name, &inner, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    fn moves(&mut self, machine: &Machine, own: &str, words: &Words, depth: usize) -> Result<()> {
        for (i, state) in machine.states.iter().enumerate() {
            let name = own_name(own, &state.name.text, i);
            let from = self.state(name.clone());
            for step in &state.moves {
                match step {
                    Move::Step { action, to } => {
                        let to = self.target(machine, own, words, to)?;
                        let word = words.get(&action.text).map_or(&action.text, |m| &m.word);
                        let action = match word.as_str() {
                            "tau" => TAU,
                            word => self.alphabet.number(&Action::Basic(word.into())),
                        };
                        self.lts.add(from, action, to);
                    }
                    Move::Return { value, range } => {
                        let value = match value {
                            Returned::Value(value) => Some(*value),
                            Returned::Parameter(name) => {
                                words.get(name).and_then(|m| value_of(&m.word))
                            }
                        };
                        let Some(value) = value else {
                            let message = "a number, `void`, `any` or `other` is returned";
                            return Err(self.file.error(range, message));
                        };
                        let action = self.alphabet.number(&Action::Return(value));
                        let stop = match self.stop {
                            Some(stop) => stop,
                            None => *self.stop.insert(self.lts.state(STOP)),
                        };
                        self.lts.add(from, action, stop);
                    }
                    Move::Piece {
                        name: piece,
                        arguments,
                    } => {
                        let (piece, inner) = self.piece(piece, arguments, own, words, depth)?;
                        self.moves(piece, &name, &inner, depth + 1)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The state that a word stands for: one of the machine, or one that was passed to the piece.
    fn target(
        &mut self,
        machine: &Machine,
        own: &str,
        words: &Words,
        to: &Name,
    ) -> Result<StateId> {
        let given = words.get(&to.text).map(|m| m.state.clone());
        let inside = || {
            let position = machine.states.iter().position(|s| s.name.text == to.text)?;
            Some(own_name(own, &to.text, position))
        };
        let found = given.or_else(inside);
        match found.and_then(|name| self.numbers.get(&name).copied()) {
            Some(number) => Ok(number),
            None => {
                let message = format!("there is no state `{}` here", to.text);
                Err(self.file.error(&to.range, message))
            }
        }
    }

    /// A piece, and what its parameters stand for. Words for states are full names of states.
    fn piece(
        &self,
        name: &Name,
        arguments: &[Name],
        own: &str,
        words: &Words,
        depth: usize,
    ) -> Result<(&'f Machine, Words)> {
        let file: &'f File = self.file;
        let found = file.machines.iter().find(|m| m.name.text == name.text);
        let Some(piece) = found else {
            let message = format!("there is no machine `{}`", name.text);
            return Err(file.error(&name.range, message));
        };
        if piece.parameters.len() != arguments.len() {
            let (wanted, given) = (piece.parameters.len(), arguments.len());
            let message = format!("`{}` has {wanted} parameters, not {given}", name.text);
            return Err(file.error(&name.range, message));
        }
        if depth >= DEPTH {
            let message = format!("`{}` is a piece of itself", name.text);
            return Err(file.error(&name.range, message));
        }
        let meaning = |argument: &Name| match words.get(&argument.text) {
            Some(known) => known.clone(),
            None => Meaning {
                word: argument.text.clone(),
                state: match own {
                    "" => argument.text.clone(),
                    own => format!("{own}.{}", argument.text),
                },
            },
        };
        let parameters = piece.parameters.iter().map(|p| p.text.clone());
        let inner = parameters.zip(arguments.iter().map(meaning)).collect();
        Ok((piece, inner))
    }
}

fn own_name(own: &str, name: &str, index: usize) -> String {
    match (own, index) {
        ("", _) => name.to_string(),
        (own, 0) => own.to_string(),
        (own, _) => format!("{own}.{name}"),
    }
}

fn value_of(word: &str) -> Option<Value> {
    match word {
        "void" => Some(Value::Void),
        "any" => Some(Value::Any),
        "other" => Some(Value::Other),
        number => number.replace(' ', "").parse().ok().map(Value::Int),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lts::read::parse;

    fn moves(text: &str) -> std::result::Result<Vec<String>, String> {
        let file = parse("t.lts", text).map_err(|e| e.to_string())?;
        let mut alphabet = Alphabet::default();
        let name = file.machines.last().expect("one").name.clone();
        let lts = machine(&file, &name, &mut alphabet).map_err(|e| e.to_string())?;
        let mut all = Vec::new();
        for (from, moves) in lts.moves.iter().enumerate() {
            for &(action, to) in moves {
                let (from, to) = (&lts.states[from], &lts.states[to as usize]);
                all.push(format!("{from} {} {to}", alphabet.action(action)));
            }
        }
        Ok(all)
    }

    #[test]
    fn machines_are_read() {
        let text = "machine M { s: a -> t | tau -> s; t: return -1 | return void; }";
        let found = moves(text).expect("a machine");
        let wanted = ["s a t", "s tau s", "t return -1 STOP", "t return void STOP"];
        assert_eq!(found, wanted);
    }

    #[test]
    fn pieces_are_put_in_where_they_are_used() {
        let text = "machine Round(ask, next, code) {
                p: ask -> q; q: ok -> next | bad -> r; r: return code;
            }
            machine M { s: Round(hello, t, -3); t: Round(bye, s, 4); }";
        let found = moves(text).expect("a machine");
        let wanted = [
            "s hello s.q",
            "s.q ok t",
            "s.q bad s.r",
            "s.r return -3 STOP",
            "t bye t.q",
            "t.q ok s",
            "t.q bad t.r",
            "t.r return 4 STOP",
        ];
        let mut found = found;
        found.sort();
        let mut wanted: Vec<String> = wanted.iter().map(|w| w.to_string()).collect();
        wanted.sort();
        assert_eq!(found, wanted);
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let cases = [
            (
                "machine M { s: a -> t; }",
                "t.lts:1:21: there is no state `t`",
            ),
            (
                "machine M { s: a -> s; s: ; }",
                "t.lts:1:24: there are two states",
            ),
            ("machine M { s: a => s; }", "t.lts:1:18: expected `->`"),
            (
                "machine M { s: a -> STOP; }",
                "t.lts:1:21: only `return` leads",
            ),
            ("machine M { s: return x; }", "t.lts:1:16: a number, `void`"),
            (
                "machine M(x) { s: M(x); }\nmachine N { s: M(a); }",
                "t.lts:1:19: `M` is a piece",
            ),
            (
                "machine M { s: N(a); }",
                "t.lts:1:16: there is no machine `N`",
            ),
            ("", "t.lts:1:1: there is no machine here"),
            ("machine M { s: ", "expected"),
            ("machine { s: ; }", "t.lts:1:9: expected the machine's name"),
            ("target f : M;", "t.lts:1:10: expected the `(`"),
        ];
        for (text, wanted) in cases {
            let found = moves(text).expect_err(text);
            assert!(found.contains(wanted), "{text}: {found}");
        }
    }
}
