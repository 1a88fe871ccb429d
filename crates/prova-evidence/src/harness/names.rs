//! How the harness of an entry function names the program's variables: by their names where they
//! stand in the file that it includes, and by the linker's elsewhere.

use crate::recording::{Argument, Entry, Place};
use prova_ir::Span;
use std::fmt::Write;

/// Names, and what they take.
pub struct Named {
    /// What the file that includes the program must declare.
    pub declarations: String,
    elsewhere: Vec<String>,
}

impl Named {
    /// The names for what an entry function is given; `own` says what the included file defines.
    pub fn of(entry: &Entry, own: impl Fn(Span) -> bool) -> Named {
        let pointers = entry.pointers.iter();
        let places = entry.arguments.iter().filter_map(|a| match a {
            Argument::Own(place) => Some(place),
            _ => None,
        });
        let places = places.chain(pointers.clone().map(|(_, place)| place));
        let variables = entry.globals.iter().chain(pointers.map(|(v, _)| v));
        let variables = variables.map(|v| (&v.name, v.span));
        let all = variables.chain(places.map(|p| (&p.name, p.span)));
        let mut named = Named {
            declarations: String::new(),
            elsewhere: Vec::new(),
        };
        for (name, span) in all {
            if !own(span) && !named.elsewhere.contains(name) {
                let i = named.elsewhere.len();
                let _ = writeln!(
                    named.declarations,
                    "extern char prova_global_{i}[] __asm__(\"{name}\");"
                );
                named.elsewhere.push(name.clone());
            }
        }
        named
    }

    /// The address of a variable.
    pub fn address(&self, name: &str) -> String {
        match self.elsewhere.iter().position(|n| n == name) {
            Some(i) => format!("(void *)prova_global_{i}"),
            None => format!("(void *)&{name}"),
        }
    }

    /// The address of a place in one.
    pub fn place(&self, place: &Place) -> String {
        format!("(char *){} + {}", self.address(&place.name), place.offset)
    }
}
