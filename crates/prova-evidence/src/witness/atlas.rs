//! All sources of a program with their syntax and positions: from the program's places to those of
//! a witness, and back to what stands there.

use super::format::Location;
use super::positions::Positions;
use super::syntax::{syntax, Branching, Call, Loop, Statement, Syntax};
use crate::text::pieces;
use crate::Sources;
use prova_c::lines::Lines;
use prova_ir::{Program, Span};
use rustc_hash::FxHashMap;

/// All sources.
pub struct Atlas {
    /// One page per source.
    pub pages: Vec<Page>,
}

/// A source.
pub struct Page {
    /// Its name, as it was given.
    pub name: String,
    /// Its text and positions.
    pub positions: Positions,
    /// What stands where in its text.
    pub syntax: Syntax,
    /// Offsets by the position that messages show: file, line, column.
    shown: FxHashMap<(String, u32, u32), usize>,
}

/// Why something cannot be placed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misplaced {
    /// The witness is about another file.
    #[error("`{0}` is none of the program's files")]
    File(String),
    /// The file ends before.
    #[error("line {line}{} lies outside of `{file}`", .column.map(|c| format!(", column {c},")).unwrap_or_default())]
    Outside {
        /// The file.
        file: String,
        /// The line.
        line: u32,
        /// The column.
        column: Option<u32>,
    },
    /// Nothing of that kind stands there.
    #[error("there is no {what} at line {line} of `{file}`")]
    Nothing {
        /// What was looked for.
        what: &'static str,
        /// The file.
        file: String,
        /// The line.
        line: u32,
    },
}

impl Atlas {
    /// Reads all sources.
    pub fn of(sources: &Sources) -> Result<Atlas, String> {
        let pages: Result<Vec<Page>, String> = (0..sources.files.len())
            .map(|index| Page::of(sources, index))
            .collect();
        Ok(Atlas { pages: pages? })
    }

    /// Where a position that messages show is in the texts: page and offset.
    pub fn find(&self, program: &Program, span: Span) -> Option<(usize, usize)> {
        let file = program.files.get(span.file.index())?;
        let key = (file.name.clone(), span.line, span.column);
        let pages = self.pages.iter().enumerate();
        pages
            .filter_map(|(i, page)| Some((i, *page.shown.get(&key)?)))
            .next()
    }

    /// The place of an offset as witnesses say it.
    pub fn location(&self, page: usize, offset: usize, function: &str) -> Option<Location> {
        let page = &self.pages[page];
        let (line, column) = page.positions.certain(offset)?;
        Some(Location {
            file: page.name.clone(),
            line,
            column,
            function: (!function.is_empty()).then(|| function.to_owned()),
            said_at: 0,
        })
    }

    /// The page that a witness's location is on.
    pub fn page(&self, location: &Location) -> Result<usize, Misplaced> {
        let named = |full: bool| {
            let base = |name: &str| match full {
                true => name.to_owned(),
                false => name.rsplit('/').next().unwrap_or(name).to_owned(),
            };
            let mut pages = self.pages.iter();
            pages.position(|p| base(&p.name) == base(&location.file))
        };
        let found = named(true).or_else(|| named(false));
        let index = match found {
            Some(index) => index,
            None if self.pages.len() == 1 && location.file.is_empty() => 0,
            None => return Err(Misplaced::File(location.file.clone())),
        };
        let page = &self.pages[index];
        match page.positions.contains(location.line, location.column) {
            true => Ok(index),
            false => Err(Misplaced::Outside {
                file: location.file.clone(),
                line: location.line,
                column: location.column,
            }),
        }
    }

    /// The statement at a location.
    pub fn statement(&self, location: &Location) -> Result<(usize, &Statement), Misplaced> {
        self.look(
            location,
            "statement",
            |p| &p.syntax.statements,
            |s| vec![s.range.start],
        )
    }

    /// The loop at a location.
    pub fn looping(&self, location: &Location) -> Result<(usize, &Loop), Misplaced> {
        self.look(location, "loop", |p| &p.syntax.loops, |l| vec![l.keyword])
    }

    /// The branching at a location.
    pub fn branching(&self, location: &Location) -> Result<(usize, &Branching), Misplaced> {
        self.look(
            location,
            "branching",
            |p| &p.syntax.branchings,
            |b| std::iter::once(b.keyword).chain(b.also).collect(),
        )
    }

    /// The call whose closing parenthesis is at a location.
    pub fn call(&self, location: &Location) -> Result<(usize, &Call), Misplaced> {
        self.look(location, "call", |p| &p.syntax.calls, |c| vec![c.close])
    }

    /// What starts at the location's column; without a column, or where macros have moved it, the
    /// nearest on its line, from the left.
    fn look<'a, T>(
        &'a self,
        location: &Location,
        what: &'static str,
        things: impl Fn(&'a Page) -> &'a [T],
        places: impl Fn(&T) -> Vec<usize>,
    ) -> Result<(usize, &'a T), Misplaced> {
        let index = self.page(location)?;
        let page = &self.pages[index];
        let mut best: Option<(u64, &T)> = None;
        for thing in things(page) {
            for offset in places(thing) {
                let Some((line, column)) = page.positions.at(offset) else {
                    continue;
                };
                if line != location.line {
                    continue;
                }
                let distance = match location.column {
                    None => u64::from(column),
                    Some(wanted) => u64::from(wanted.abs_diff(column)),
                };
                if best.is_none_or(|(d, _)| distance < d) {
                    best = Some((distance, thing));
                }
            }
        }
        match best {
            Some((_, thing)) => Ok((index, thing)),
            None => Err(Misplaced::Nothing {
                what,
                file: location.file.clone(),
                line: location.line,
            }),
        }
    }
}

impl Page {
    fn of(sources: &Sources, index: usize) -> Result<Page, String> {
        let name = sources.name(index);
        let positions = Positions::of(sources, index)?;
        let unit = prova_c::parse_text(&name, positions.text.clone(), &sources.options)
            .map_err(|e| e.to_string())?;
        let lines = Lines::new(&name, &positions.text);
        let mut shown = FxHashMap::default();
        for (start, ..) in pieces(&positions.text, 0) {
            let at = lines.position(start);
            let key = (at.file.to_owned(), at.line, at.column);
            shown.entry(key).or_insert(start);
        }
        Ok(Page {
            syntax: syntax(&unit),
            name,
            positions,
            shown,
        })
    }

    /// The innermost statement that holds an offset.
    pub fn enclosing(&self, offset: usize) -> Option<&Statement> {
        let statements = self.syntax.statements.iter();
        statements
            .filter(|s| s.range.contains(&offset))
            .min_by_key(|s| s.range.len())
    }

    /// The call of a function that starts at an offset.
    pub fn call_at(&self, offset: usize, callee: &str) -> Option<&Call> {
        let mut calls = self.syntax.calls.iter();
        calls.find(|c| c.range.start == offset && c.callee.as_deref() == Some(callee))
    }
}
