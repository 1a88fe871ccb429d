//! Where things stand in a source: statements, loops, branchings and calls, as byte ranges of the
//! preprocessed text. Witnesses speak of these, and code is woven in at them.

use lang_c::ast::*;
use lang_c::span::Span;
use lang_c::visit::{self, Visit};
use prova_c::{with_large_stack, Unit};
use std::ops::Range;

/// All of it, in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct Syntax {
    /// Statements and declarations inside functions.
    pub statements: Vec<Statement>,
    /// Loops.
    pub loops: Vec<Loop>,
    /// Branchings, loops among them.
    pub branchings: Vec<Branching>,
    /// Calls.
    pub calls: Vec<Call>,
    /// Blocks, bodies of functions and `for` loops: what names are visible in.
    pub scopes: Vec<Range<usize>>,
}

/// A statement or declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its text.
    pub range: Range<usize>,
    /// Whether it stands in a block, so that another statement may be put before it.
    pub in_block: bool,
    /// The function it stands in.
    pub function: String,
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Its keyword.
    pub keyword: usize,
    /// What kind it is.
    pub kind: LoopKind,
    /// Its condition; empty, at the place where it would stand, if there is none.
    pub condition: Range<usize>,
    /// Its body.
    pub body: Range<usize>,
    /// The function it stands in.
    pub function: String,
}

/// Kinds of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    /// `while`.
    While,
    /// `for`.
    For,
    /// `do`.
    Do,
}

/// A place where control goes one of two ways, or of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branching {
    /// Its keyword, or the question mark.
    pub keyword: usize,
    /// Where else it may be said to stand: the `while` of a `do` loop, the start of `a ? b : c`.
    pub also: Option<usize>,
    /// What decides; empty where a `for` has no condition.
    pub condition: Range<usize>,
    /// What runs if it holds, where that is a statement.
    pub then: Option<Range<usize>>,
    /// What runs if it does not, where that is a statement of its own.
    pub otherwise: Option<Range<usize>>,
    /// Whether it is a `switch`.
    pub switch: bool,
    /// The function it stands in.
    pub function: String,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The whole expression.
    pub range: Range<usize>,
    /// The closing parenthesis.
    pub close: usize,
    /// What is called, if that is a name.
    pub callee: Option<String>,
    /// The function it stands in.
    pub function: String,
}

/// Looks a unit over.
pub fn syntax(unit: &Unit) -> Syntax {
    with_large_stack(|| {
        let mut walk = Walk {
            unit,
            found: Syntax::default(),
            function: String::new(),
            in_block: false,
        };
        walk.visit_translation_unit(unit.ast());
        let mut found = walk.found;
        found.statements.sort_by_key(|s| s.range.start);
        found.loops.sort_by_key(|l| l.keyword);
        found.branchings.sort_by_key(|b| b.keyword);
        found.calls.sort_by_key(|c| c.close);
        found
    })
}

struct Walk<'a> {
    unit: &'a Unit,
    found: Syntax,
    function: String,
    /// The next statement stands in a block.
    in_block: bool,
}

impl Walk<'_> {
    /// A node's range in the text before edits.
    fn range(&self, span: Span) -> Range<usize> {
        let text = self.unit.text();
        let inside = text.get(span.start..span.end).unwrap_or_default();
        let end = span.start + inside.trim_end().len();
        let start = span.start + (inside.len() - inside.trim_start().len());
        let lines = self.unit.lines();
        let start = lines.original_offset(start);
        let end = lines.original_offset(end.saturating_sub(1)) + 1;
        start..end.max(start)
    }

    /// The first of `marks` at or behind an offset.
    fn find(&self, from: usize, mark: char) -> Option<usize> {
        let before = &self.unit.source.before;
        crate::text::pieces(before, from)
            .find(|(_, _, piece)| *piece == crate::text::Piece::Mark(mark))
            .map(|(start, ..)| start)
    }

    fn branching(&mut self, keyword: usize, condition: Range<usize>) -> &mut Branching {
        self.found.branchings.push(Branching {
            keyword,
            also: None,
            condition,
            then: None,
            otherwise: None,
            switch: false,
            function: self.function.clone(),
        });
        let last = self.found.branchings.len() - 1;
        &mut self.found.branchings[last]
    }

    fn looping(
        &mut self,
        kind: LoopKind,
        keyword: usize,
        condition: Range<usize>,
        body: Range<usize>,
    ) {
        let function = self.function.clone();
        self.found.loops.push(Loop {
            keyword,
            kind,
            condition,
            body,
            function,
        });
    }
}

impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_function_definition(&mut self, f: &'ast FunctionDefinition, _: &'ast Span) {
        self.function = declared_name(&f.declarator.node).unwrap_or_default();
        // The body's braces are no statement of their own.
        if let lang_c::ast::Statement::Compound(items) = &f.statement.node {
            let scope = self.range(f.statement.span);
            self.found.scopes.push(scope);
            for item in items {
                self.visit_block_item(&item.node, &item.span);
            }
        }
        self.function.clear();
    }

    fn visit_block_item(&mut self, item: &'ast BlockItem, span: &'ast Span) {
        match item {
            BlockItem::Declaration(d) => {
                if !self.function.is_empty() {
                    let range = self.range(d.span);
                    self.found.statements.push(Statement {
                        range,
                        in_block: true,
                        function: self.function.clone(),
                    });
                }
                visit::visit_block_item(self, item, span);
            }
            BlockItem::Statement(_) => {
                self.in_block = true;
                visit::visit_block_item(self, item, span);
            }
            BlockItem::StaticAssert(_) => {}
        }
    }

    fn visit_statement(&mut self, s: &'ast lang_c::ast::Statement, span: &'ast Span) {
        use lang_c::ast::Statement as S;
        let in_block = std::mem::replace(&mut self.in_block, false);
        let range = self.range(*span);
        let keyword = range.start;
        if !self.function.is_empty() {
            self.found.statements.push(Statement {
                range: range.clone(),
                in_block,
                function: self.function.clone(),
            });
        }
        match s {
            S::If(s) => {
                let condition = self.range(s.node.condition.span);
                let then = self.range(s.node.then_statement.span);
                let other = s.node.else_statement.as_ref().map(|e| self.range(e.span));
                let branching = self.branching(keyword, condition);
                branching.then = Some(then);
                branching.otherwise = other;
            }
            S::Switch(s) => {
                let condition = self.range(s.node.expression.span);
                self.branching(keyword, condition).switch = true;
            }
            S::While(s) => {
                let condition = self.range(s.node.expression.span);
                let body = self.range(s.node.statement.span);
                self.branching(keyword, condition.clone()).then = Some(body.clone());
                self.looping(LoopKind::While, keyword, condition, body);
            }
            S::DoWhile(s) => {
                let condition = self.range(s.node.expression.span);
                let body = self.range(s.node.statement.span);
                let rest = &self.unit.source.before[body.end..];
                let also = rest.find("while").map(|i| body.end + i);
                let branching = self.branching(keyword, condition.clone());
                branching.also = also;
                branching.then = Some(body.clone());
                self.looping(LoopKind::Do, keyword, condition, body);
            }
            S::For(s) => {
                let body = self.range(s.node.statement.span);
                let condition = match &s.node.condition {
                    Some(condition) => self.range(condition.span),
                    None => {
                        let open = self.find(keyword, '(').unwrap_or(keyword);
                        let from = match &s.node.initializer.node {
                            ForInitializer::Empty => open,
                            // A declaration ends with the semicolon itself.
                            ForInitializer::Declaration(d) => self.range(d.span).end - 1,
                            ForInitializer::Expression(e) => self.range(e.span).end,
                            ForInitializer::StaticAssert(a) => self.range(a.span).end,
                        };
                        let at = self.find(from, ';').map_or(from, |i| i + 1);
                        at..at
                    }
                };
                self.branching(keyword, condition.clone()).then = Some(body.clone());
                self.looping(LoopKind::For, keyword, condition, body);
            }
            S::Compound(_) => self.found.scopes.push(range.clone()),
            _ => {}
        }
        if let S::For(_) = s {
            self.found.scopes.push(range);
        }
        visit::visit_statement(self, s, span);
    }

    fn visit_conditional_expression(&mut self, c: &'ast ConditionalExpression, span: &'ast Span) {
        let condition = self.range(c.condition.span);
        if let Some(mark) = self.find(condition.end, '?') {
            self.branching(mark, condition.clone()).also = Some(condition.start);
        }
        visit::visit_conditional_expression(self, c, span);
    }

    fn visit_call_expression(&mut self, c: &'ast CallExpression, span: &'ast Span) {
        let range = self.range(*span);
        let callee = match &c.callee.node {
            Expression::Identifier(name) => {
                Some(prova_c::fixups::original_name(&name.node.name).into_owned())
            }
            _ => None,
        };
        let closes = self
            .unit
            .source
            .before
            .get(range.end.saturating_sub(1)..range.end)
            == Some(")");
        if closes && !self.function.is_empty() {
            self.found.calls.push(Call {
                close: range.end - 1,
                range,
                callee,
                function: self.function.clone(),
            });
        }
        visit::visit_call_expression(self, c, span);
    }
}

fn declared_name(d: &Declarator) -> Option<String> {
    let mut d = d;
    loop {
        match &d.kind.node {
            DeclaratorKind::Identifier(name) => {
                return Some(prova_c::fixups::original_name(&name.node.name).into_owned())
            }
            DeclaratorKind::Declarator(inner) => d = &inner.node,
            DeclaratorKind::Abstract => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Syntax {
        let options = prova_c::Options::default();
        let unit = prova_c::parse_text("t.c", text, &options).expect("it is C");
        syntax(&unit)
    }

    #[test]
    fn loops_and_branchings_are_found_where_they_stand() {
        let text = "int f(int x) { while (x > 1) x--; for (;;) { if (x) break; else x = x ? 1 : 2; }\n\
                    do { x++; } while (x < 9); for (int i = 0; i < 3; i++) ; switch (x) { case 1: ; }\n\
                    for (int k = 0;;) return g(h(x), 2); }";
        let found = of(text);
        let at = |r: &Range<usize>| text[r.clone()].to_owned();
        let conditions: Vec<String> = found.loops.iter().map(|l| at(&l.condition)).collect();
        assert_eq!(conditions, ["x > 1", "", "x < 9", "i < 3", ""]);
        let empty: Vec<&str> = found
            .loops
            .iter()
            .filter(|l| l.condition.is_empty())
            .map(|l| &text[l.condition.start - 1..l.condition.start + 2])
            .collect();
        assert_eq!(empty, [";;)", ";;)"]);
        let keywords: Vec<&str> = found
            .branchings
            .iter()
            .map(|b| text[b.keyword..].split(' ').next().unwrap_or_default())
            .collect();
        assert_eq!(
            keywords,
            ["while", "for", "if", "?", "do", "for", "switch", "for"]
        );
        let calls: Vec<String> = found.calls.iter().map(|c| at(&c.range)).collect();
        assert_eq!(calls, ["h(x)", "g(h(x), 2)"]);
        assert!(found
            .calls
            .iter()
            .all(|c| &text[c.close..c.close + 1] == ")"));
    }

    #[test]
    fn statements_know_whether_others_fit_before_them() {
        let text = "void f(void) { int x; if (x) x = 1; else { x = 2; } L: x = 3; }";
        let found = of(text);
        let blocks: Vec<(&str, bool)> = found
            .statements
            .iter()
            .map(|s| (&text[s.range.clone()], s.in_block))
            .collect();
        assert_eq!(
            blocks,
            [
                ("int x;", true),
                ("if (x) x = 1; else { x = 2; }", true),
                ("x = 1;", false),
                ("{ x = 2; }", false),
                ("x = 2;", true),
                ("L: x = 3;", true),
                ("x = 3;", false),
            ]
        );
    }
}
