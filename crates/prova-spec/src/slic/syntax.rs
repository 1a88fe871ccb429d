//! A rule as it is written.

use prova_c::lines::Source;
use prova_c::tokens::Token;
use std::ops::Range;
use std::sync::Arc;

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name: that of its file, letters, digits and underscores only.
    pub name: String,
    /// Its text.
    pub source: Arc<Source>,
    /// The text's tokens.
    pub tokens: Vec<Token>,
    /// Declarations of its state.
    pub state: Vec<Declaration>,
    /// Names that state declarations introduce: variables and enumerators.
    pub names: Vec<String>,
    /// Where objects come from that the state belongs to.
    pub watches: Vec<Watch>,
    /// What happens at events.
    pub handlers: Vec<EventHandler>,
    /// Functions that a program need not have.
    pub optional: Vec<String>,
}

/// A declaration in a `state` block.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its text, with the semicolon.
    pub range: Range<usize>,
}

/// `watch f.entry.$1;`
#[derive(Clone, Debug)]
pub struct Watch {
    /// The function.
    pub function: Name,
    /// The event.
    pub event: Event,
    /// `$1`, `$return`.
    pub object: Name,
}

/// `f.entry [guard $1] { … }`
#[derive(Clone, Debug)]
pub struct EventHandler {
    /// The functions.
    pub functions: Vec<Name>,
    /// The event.
    pub event: Event,
    /// What must be the watched object.
    pub guard: Option<Name>,
    /// The block, with its braces.
    pub body: Range<usize>,
}

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its place.
    pub range: Range<usize>,
}

/// When a handler runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// `entry` or `call`: before the function does anything.
    Entry,
    /// `exit` or `return`: when it has returned.
    Exit,
}

impl Event {
    /// The event with this name.
    pub fn named(name: &str) -> Option<Event> {
        match name {
            "entry" | "call" => Some(Event::Entry),
            "exit" | "return" => Some(Event::Exit),
            _ => None,
        }
    }
}
