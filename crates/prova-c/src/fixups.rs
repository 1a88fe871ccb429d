//! Small edits to the preprocessed text, for what the parser does not take.
//!
//! `lang-c` knows C11 and much of GNU C, but not all that real programs hold. What it lacks is
//! rewritten here, token by token, into something it parses, without adding or removing a line;
//! positions are kept right by [`crate::lines::Lines`]. Where a construct has no equivalent, a
//! reserved name stands for it and the lowering gives it its meaning:
//!
//! | in the program | as parsed |
//! |---|---|
//! | `__int128` | `__typeof__(__prova_int128)` |
//! | `&&label` | `__prova_label_address(label)` |
//! | `goto *e;` | `__prova_goto(e);` |
//! | `a ?: b` | `a ? __prova_condition : b` |
//! | `asm goto (…)` | `__prova_asm_goto();` |
//! | `asm (…);` at file level | `typedef int __prova_file_assembly;` |
//! | `__builtin_types_compatible_p(A, B)` | the same with `sizeof(A), sizeof(B)` |
//! | `__alignof__(expression)` | `__alignof__(__typeof__(expression))` |
//! | `__auto_type x = e` | `__typeof__((0, e)) x = e` |
//! | a structure under `#pragma pack(n)` | `struct {…} __attribute__((pragma_pack(n)))` |
//! | `_Alignas(…)` of a member | `__attribute__((aligned(…)))` |
//! | names with `$` or beyond ASCII, and parameters named like a type | an encoded name, see [`original_name`] |
//!
//! Attributes that have no meaning for a verifier are blanked, wherever they stand.

use std::borrow::Cow;
use std::ops::Range;

use crate::attributes;
use crate::implicit_int::{self, is_modifier, is_type_keyword, is_type_opener};
use crate::lines::Edit;
use crate::tokens::{Kind, NotC, Token, Tokens};

/// Reserved names that the edits introduce.
pub mod reserved {
    /// `__typeof__` of this is `__int128`.
    pub const INT128: &str = "__prova_int128";
    /// Called with a label's name: the label's address.
    pub const LABEL_ADDRESS: &str = "__prova_label_address";
    /// Called with a pointer: a computed `goto`.
    pub const GOTO: &str = "__prova_goto";
    /// The middle operand of `a ?: b`: the value of the condition.
    pub const CONDITION: &str = "__prova_condition";
    /// Called without arguments: assembly that may jump. Nothing can be proved behind it.
    pub const ASM_GOTO: &str = "__prova_asm_goto";
    /// A type of this name stands for assembly at file level.
    pub const FILE_ASSEMBLY: &str = "__prova_file_assembly";
    /// An attribute of structures: the alignment of members is at most this.
    pub const PRAGMA_PACK: &str = "pragma_pack";
}

/// How an encoded name begins.
const ENCODED: &str = "__prova_name_";

/// The name as the user wrote it, for a name of the edited text.
pub fn original_name(name: &str) -> Cow<'_, str> {
    let Some(rest) = name.strip_prefix(ENCODED) else {
        return Cow::Borrowed(name);
    };
    let mut out = String::new();
    let mut rest = rest.split('_');
    out.push_str(rest.next().unwrap_or(""));
    // `_` is written `__`, any other character `_x24_`: pieces alternate accordingly.
    while let Some(piece) = rest.next() {
        let decoded = piece
            .strip_prefix('x')
            .and_then(|hex| u32::from_str_radix(hex, 16).ok())
            .and_then(char::from_u32);
        out.push(if piece.is_empty() {
            '_'
        } else {
            decoded.unwrap_or('?')
        });
        out.push_str(rest.next().unwrap_or(""));
    }
    Cow::Owned(out)
}

/// An identifier that the parser takes for one with `$`, with universal character names or with
/// characters beyond ASCII.
pub fn encode_name(name: &str) -> String {
    let mut out = String::from(ENCODED);
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        let mut meant = c;
        if let Some(ucn) = crate::tokens::ucn_length(rest.as_bytes()) {
            length = ucn;
            let code = u32::from_str_radix(&rest[2..ucn], 16).unwrap_or(0);
            meant = char::from_u32(code).unwrap_or('\u{fffd}');
        }
        match meant {
            '_' => out.push_str("__"),
            c if c.is_ascii_alphanumeric() => out.push(c),
            c => out.push_str(&format!("_x{:x}_", c as u32)),
        }
        rest = &rest[length..];
    }
    out
}

/// Tokens without line markers, with matching brackets.
pub(crate) struct Code<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// For an opening bracket, the index of the closing one, and the other way round.
    partners: Vec<u32>,
}

impl<'a> Code<'a> {
    /// Leaves out the lines that start with `#`.
    pub fn new(text: &'a str, tokens: &[Token]) -> Self {
        let tokens: Vec<Token> = tokens
            .iter()
            .copied()
            .filter(|t| t.kind != Kind::Directive)
            .collect();
        let mut partners = vec![u32::MAX; tokens.len()];
        let mut open = Vec::new();
        for (i, token) in tokens.iter().enumerate() {
            if token.kind != Kind::Punct {
                continue;
            }
            match &text[token.range()] {
                "(" | "[" | "{" | "<:" | "<%" => open.push(i),
                ")" | "]" | "}" | ":>" | "%>" => {
                    if let Some(o) = open.pop() {
                        partners[o] = i as u32;
                        partners[i] = o as u32;
                    }
                }
                _ => {}
            }
        }
        Code {
            text,
            tokens,
            partners,
        }
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The spelling of a token, digraphs as what they stand for; empty behind the end.
    pub fn word(&self, at: usize) -> &'a str {
        match self.tokens.get(at) {
            None => "",
            Some(t) => match &self.text[t.range()] {
                "<:" => "[",
                ":>" => "]",
                "<%" => "{",
                "%>" => "}",
                word => word,
            },
        }
    }

    /// Whether a token is an identifier or keyword.
    pub fn is_word(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| t.kind == Kind::Word)
    }

    /// Offset of a token's first byte.
    pub fn start(&self, at: usize) -> usize {
        self.tokens
            .get(at)
            .map_or(self.text.len(), |t| t.start as usize)
    }

    /// Offset behind a token's last byte.
    pub fn end(&self, at: usize) -> usize {
        self.tokens
            .get(at)
            .map_or(self.text.len(), |t| t.end as usize)
    }

    /// The index behind the bracket that closes the one at `at`; behind the end where none
    /// does, and `at + 1` where there is no bracket.
    pub fn behind(&self, at: usize) -> usize {
        match self.word(at) {
            "(" | "[" | "{" => self.close(at).map_or(self.len(), |c| c + 1),
            _ => (at + 1).min(self.len()).max(at),
        }
    }

    /// The index of the bracket that closes the one at `at`.
    pub fn close(&self, at: usize) -> Option<usize> {
        let partner = *self.partners.get(at)? as usize;
        (partner > at && partner < self.len()).then_some(partner)
    }

    /// The index of the bracket that opens the one at `at`.
    pub fn opening(&self, at: usize) -> Option<usize> {
        let partner = *self.partners.get(at)? as usize;
        (partner < at).then_some(partner)
    }

    /// The source text from one token to another, both included.
    pub fn slice(&self, from: usize, to: usize) -> &'a str {
        &self.text[self.start(from)..self.end(to).max(self.start(from))]
    }
}

/// What is edited in a text, sorted and disjoint.
pub(crate) fn edits(text: &str, tokens: &Tokens) -> Result<Vec<Edit>, NotC> {
    let code = Code::new(text, &tokens.tokens);
    let found = implicit_int::find(&code);
    let mut fix = Fix {
        text,
        code: &code,
        typedefs: &found.typedefs,
        hidden: &found.hidden,
        edits: Vec::new(),
        copies: Vec::new(),
        struct_braces: Vec::new(),
        done: rustc_hash::FxHashSet::default(),
    };
    for range in &tokens.blanks {
        fix.blank(range.clone());
    }
    for &at in &found.missing {
        fix.insert(at, "int ");
    }
    for &at in &found.stray {
        fix.blank(code.start(at)..code.end(at));
    }
    fix.directives(&tokens.tokens)?;
    let mut at = 0;
    while at < code.len() {
        at = fix.token(at);
    }
    Ok(fix.finish())
}

/// Applies edits.
pub(crate) fn apply(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len() + edits.len() * 8);
    let mut at = 0;
    for edit in edits {
        out.push_str(&text[at..edit.start]);
        out.push_str(&edit.text);
        at = edit.end;
    }
    out.push_str(&text[at..]);
    out
}

pub(crate) struct Fix<'a> {
    text: &'a str,
    pub code: &'a Code<'a>,
    typedefs: &'a rustc_hash::FxHashSet<String>,
    hidden: &'a rustc_hash::FxHashSet<usize>,
    edits: Vec<Edit>,
    /// Places where an expression is repeated: where, text before, expression, text after.
    copies: Vec<(usize, &'static str, Range<usize>, &'static str)>,
    /// Closing indices of the structure bodies we are in.
    struct_braces: Vec<usize>,
    /// Tokens that were looked at before.
    pub done: rustc_hash::FxHashSet<usize>,
}

impl<'a> Fix<'a> {
    fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.edits.push(Edit {
            start: range.start,
            end: range.end,
            text: text.into(),
        });
    }

    pub fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    pub fn replace_token(&mut self, at: usize, text: impl Into<String>) {
        self.replace(self.code.start(at)..self.code.end(at), text);
    }

    /// Writes spaces over a range, keeping newlines.
    fn blank(&mut self, range: Range<usize>) {
        let blanks = self.text[range.clone()].bytes();
        let text: String = blanks
            .map(|b| if b == b'\n' { '\n' } else { ' ' })
            .collect();
        self.replace(range, text);
    }

    pub fn blank_tokens(&mut self, from: usize, to: usize) {
        self.blank(self.code.start(from)..self.code.end(to));
    }

    /// Lines that start with `#`: most mean nothing here, some change the layout of types.
    fn directives(&mut self, tokens: &[Token]) -> Result<(), NotC> {
        let mut pack = crate::packing::PackStack::default();
        let mut bodies: Vec<(usize, bool)> = Vec::new();
        // The tokens with directives are walked beside those without, by offset.
        let mut at = 0;
        for token in tokens {
            if token.kind == Kind::Directive {
                let line = &self.text[token.range()];
                pack.directive(line).map_err(|message| NotC {
                    message,
                    range: token.range(),
                })?;
                // The parser knows directives at the start of a line only.
                let start = token.start as usize;
                if start > 0 && self.text.as_bytes()[start - 1] != b'\n' {
                    self.blank(token.range());
                }
                continue;
            }
            match self.code.word(at) {
                "{" => bodies.push((at, self.opens_structure(at))),
                "}" => {
                    if let (Some((_, true)), Some(n)) = (bodies.pop(), pack.current()) {
                        self.insert(
                            self.code.end(at),
                            format!(" __attribute__(({}({n})))", reserved::PRAGMA_PACK),
                        );
                    }
                }
                _ => {}
            }
            at += 1;
        }
        Ok(())
    }

    /// Whether the brace at `at` opens the body of a structure or union.
    fn opens_structure(&self, at: usize) -> bool {
        let mut back = at;
        for _ in 0..64 {
            let Some(previous) = back.checked_sub(1) else {
                return false;
            };
            match self.code.word(previous) {
                "struct" | "union" => return true,
                ")" => back = self.code.partners[previous] as usize,
                "]" => back = self.code.partners[previous] as usize,
                _ if self.code.is_word(previous) => back = previous,
                _ => return false,
            }
            if back >= at {
                return false;
            }
        }
        false
    }

    /// Looks at one token; returns the index at which to go on.
    fn token(&mut self, at: usize) -> usize {
        let code = self.code;
        let token = code.tokens[at];
        let word = code.word(at);
        if self.done.contains(&at) {
            return at + 1;
        }
        match token.kind {
            Kind::Literal => self.literal(token.range()),
            Kind::Number | Kind::Directive => {}
            Kind::Punct => return self.punctuator(at, word),
            Kind::Word => return self.word(at, word),
        }
        at + 1
    }

    fn punctuator(&mut self, at: usize, word: &str) -> usize {
        let code = self.code;
        let spelled = &self.text[code.start(at)..code.end(at)];
        if spelled != word {
            self.replace_token(at, format!("{word} "));
        }
        if self.implication(at) {
            return at + 1;
        }
        match word {
            "{" if self.opens_structure(at) => self.struct_braces.extend(code.close(at)),
            "}" if self.struct_braces.last() == Some(&at) => {
                self.struct_braces.pop();
            }
            "[" if code.word(at + 1) == "[" => {
                if let (Some(outer), Some(inner)) = (code.close(at), code.close(at + 1)) {
                    if outer == inner + 1 {
                        let parts = attributes::meaningful(code, at + 2, inner);
                        self.attribute(at, outer, parts);
                        return outer + 1;
                    }
                }
            }
            "&&" if code.is_word(at + 1) && self.expects_operand(at) => {
                self.replace_token(at, format!("{}(", reserved::LABEL_ADDRESS));
                self.insert(code.end(at + 1), ")");
            }
            "?" if code.word(at + 1) == ":" => {
                self.insert(code.end(at), format!(" {} ", reserved::CONDITION));
            }
            ":" if code.word(at + 1) == "}" || self.begins_declaration(at + 1) => {
                self.insert(code.end(at), ";");
            }
            // An empty compound literal: zero, as for every empty initialiser.
            "{" if code.word(at + 1) == "}" && at > 0 && code.word(at - 1) == ")" => {
                let open = code.partners[at - 1] as usize;
                if open > 0 && open < at && self.expects_operand(open) && !self.heads_block(open) {
                    self.insert(code.end(at), "0");
                }
            }
            _ => {}
        }
        at + 1
    }

    /// Whether the parenthesis at `open` is in a place where only an operand can stand; false
    /// for the heads of statements and functions.
    fn heads_block(&self, open: usize) -> bool {
        matches!(self.code.word(open - 1), "{" | "}" | ";" | ")" | "]")
    }

    /// Whether the token at `at` stands where an operand begins, not where one has just ended.
    fn expects_operand(&self, at: usize) -> bool {
        let Some(previous) = at.checked_sub(1) else {
            return false;
        };
        let code = self.code;
        match code.tokens[previous].kind {
            Kind::Word => matches!(code.word(previous), "return" | "case"),
            Kind::Punct => match code.word(previous) {
                "]" | "}" | "++" | "--" => false,
                // A cast: a type in parentheses.
                ")" => {
                    let open = code.partners[previous] as usize;
                    open < previous && self.names_type(open + 1)
                }
                _ => true,
            },
            _ => false,
        }
    }

    fn names_type(&self, at: usize) -> bool {
        let word = self.code.word(at);
        is_type_keyword(word)
            || is_type_opener(word)
            || is_modifier(word)
            || self.typedefs.contains(word)
    }

    /// Whether a declaration stands where a statement has to, directly behind a label.
    fn begins_declaration(&self, at: usize) -> bool {
        let word = self.code.word(at);
        is_type_keyword(word)
            || matches!(word, "struct" | "union" | "enum")
            || is_modifier(word)
            || (self.typedefs.contains(word)
                && self.code.is_word(at + 1)
                && !matches!(self.code.word(at + 1), "__attribute__" | "__attribute"))
    }

    fn word(&mut self, at: usize, word: &str) -> usize {
        let code = self.code;
        if let Some(next) = self.clause(at, word) {
            return next;
        }
        match word {
            "__extension__" => self.blank_tokens(at, at),
            "__thread" => self.replace_token(at, "_Thread_local"),
            "__const__" => self.replace_token(at, "const"),
            "__float128" => self.replace_token(at, "_Float128"),
            "__int128" | "__int128__" | "__int128_t" => {
                self.replace_token(at, format!("__typeof__({})", reserved::INT128));
            }
            "__uint128_t" => {
                self.replace_token(at, format!("unsigned __typeof__({})", reserved::INT128));
            }
            "__attribute__" | "__attribute" => {
                if let (Some(outer), Some(inner)) = (code.close(at + 1), code.close(at + 2)) {
                    if code.word(at + 1) == "(" && code.word(at + 2) == "(" && outer == inner + 1 {
                        let parts = attributes::meaningful(code, at + 3, inner);
                        self.attribute(at, outer, parts);
                        return outer + 1;
                    }
                }
            }
            "asm" | "__asm" | "__asm__" => return self.assembly(at),
            "__label__" => {
                if let Some(end) = (at..code.len()).find(|&i| code.word(i) == ";") {
                    self.blank_tokens(at, end);
                    return end + 1;
                }
            }
            "goto" if code.word(at + 1) == "*" => {
                if let Some(end) = (at..code.len()).find(|&i| code.word(i) == ";") {
                    self.replace(
                        code.start(at)..code.end(at + 1),
                        format!("{}(", reserved::GOTO),
                    );
                    self.insert(code.start(end), ")");
                    return at + 2;
                }
            }
            "_Static_assert" => {
                let commas = self.arguments(at + 1);
                if let (Some(close), 1) = (code.close(at + 1), commas.len()) {
                    self.insert(code.start(close), ", \"\"");
                }
            }
            "_Alignas" if !self.struct_braces.is_empty() => {
                if let Some(close) = code.close(at + 1) {
                    let mut inside = code.slice(at + 2, close - 1).replace('\n', " ");
                    if self.names_type(at + 2) {
                        inside = format!("_Alignof({inside})");
                    }
                    self.replace_lines(at, close, format!("__attribute__((aligned({inside})))"));
                    return close + 1;
                }
            }
            "__builtin_types_compatible_p" => {
                for (from, to) in self.arguments(at + 1) {
                    self.insert(code.start(from), "sizeof(");
                    self.insert(code.end(to), ")");
                }
            }
            "__alignof__" | "__alignof" | "_Alignof" => {
                if let Some(close) = code.close(at + 1) {
                    if code.word(at + 1) == "(" && !self.names_type(at + 2) {
                        self.insert(code.end(at + 1), "__typeof__(");
                        self.insert(code.start(close), ")");
                    }
                }
            }
            // The parser would take the name alone for an expression.
            "typeof" | "__typeof__" | "__typeof"
                if code.word(at + 1) == "("
                    && self.typedefs.contains(code.word(at + 2))
                    && code.word(at + 3) != ")" =>
            {
                self.insert(code.start(at + 2), "__attribute__(()) ");
            }
            "__auto_type" => self.auto_type(at),
            _ if self.hidden.contains(&at) => self.replace_token(at, encode_name(word)),
            _ if word.bytes().any(|b| b == b'$' || b == b'\\' || b >= 0x80) => {
                self.replace_token(at, encode_name(word));
            }
            _ => {}
        }
        at + 1
    }

    /// Token ranges of the arguments in the parentheses that open at `open`.
    pub fn arguments(&self, open: usize) -> Vec<(usize, usize)> {
        let code = self.code;
        let mut found = Vec::new();
        let Some(close) = code.close(open).filter(|&c| c > open + 1) else {
            return found;
        };
        let mut from = open + 1;
        let mut at = from;
        while at < close {
            if code.word(at) == "," {
                found.push((from, at - 1));
                from = at + 1;
            }
            at = code.behind(at);
        }
        found.push((from, close - 1));
        found
    }

    /// Replaces tokens by a text, keeping the number of lines.
    pub fn replace_lines(&mut self, from: usize, to: usize, text: String) {
        let range = self.code.start(from)..self.code.end(to);
        let lines = self.text[range.clone()].matches('\n').count();
        self.replace(range, text + &"\n".repeat(lines));
    }

    /// Attributes from token `from` to `to`: only those with a meaning are left, and those
    /// between `struct` and its tag move behind the body, where the parser wants them.
    fn attribute(&mut self, from: usize, to: usize, parts: Vec<String>) {
        let code = self.code;
        if parts.is_empty() {
            self.blank_tokens(from, to);
            return;
        }
        let text = format!("__attribute__(({}))", parts.join(", "));
        let mut first = from;
        // Several attribute lists in a row belong together.
        while first > 0 && code.word(first - 1) == ")" {
            let open = code.partners[first - 1] as usize;
            if open == 0 || open >= first || !code.word(open - 1).starts_with("__attribute") {
                break;
            }
            first = open - 1;
        }
        if first > 0 && matches!(code.word(first - 1), "struct" | "union" | "enum") {
            self.blank_tokens(from, to);
            let mut body = to + 1;
            while code.is_word(body) || code.word(body) == "(" {
                body = code.behind(body);
            }
            if let (Some(close), "{") = (code.close(body), code.word(body)) {
                self.insert(code.end(close), format!(" {text}"));
            }
            return;
        }
        self.replace_lines(from, to, text);
    }

    /// Assembly: at file level it is left out; qualifiers the parser does not know are blanked.
    fn assembly(&mut self, at: usize) -> usize {
        let code = self.code;
        let mut open = at + 1;
        let mut jumps = false;
        while code.is_word(open) {
            jumps |= code.word(open) == "goto";
            open += 1;
        }
        let Some(close) = code.close(open).filter(|_| code.word(open) == "(") else {
            return at + 1;
        };
        let begins = at == 0 || matches!(code.word(at - 1), ";" | "}");
        if jumps {
            self.replace_lines(at, close, format!("{}()", reserved::ASM_GOTO));
            return close + 1;
        }
        if begins && self.at_file_level(at) && code.word(close + 1) == ";" {
            // Directives that only name symbols change nothing that is modelled.
            let text = code.slice(open + 1, close - 1);
            let text = text.trim_start_matches(|c: char| c == '"' || c.is_whitespace());
            if text.is_empty() || text.starts_with(".symver") || text.starts_with(".ident") {
                self.blank_tokens(at, close + 1);
            } else {
                let stands = format!("typedef int {};", reserved::FILE_ASSEMBLY);
                self.replace_lines(at, close + 1, stands);
            }
            return close + 2;
        }
        if code.word(at) == "asm" {
            self.replace_token(at, "__asm__");
        }
        let mut volatile = false;
        for qualifier in at + 1..open {
            let known = matches!(
                code.word(qualifier),
                "volatile" | "__volatile__" | "__volatile"
            );
            if !known || volatile {
                self.blank_tokens(qualifier, qualifier);
            }
            volatile |= known;
        }
        open
    }

    /// Whether no brace is open at a token. Rarely asked, so it looks from the start of the
    /// enclosing bracket structure instead of keeping count.
    fn at_file_level(&self, at: usize) -> bool {
        let mut i = 0;
        while i < at {
            i = self.code.behind(i);
        }
        i == at
    }

    /// `__auto_type x = e` has the type that `e` has as an operand.
    fn auto_type(&mut self, at: usize) {
        let code = self.code;
        if !code.is_word(at + 1) || code.word(at + 2) != "=" {
            return;
        }
        let mut end = at + 3;
        while end < code.len() && !matches!(code.word(end), ";" | ",") {
            end = code.behind(end);
        }
        let expression = code.start(at + 3)..code.end(end - 1);
        self.replace_token(at, "");
        self.copies
            .push((code.end(at), "__typeof__((0, ", expression, "))"));
    }

    /// Escapes in strings and characters that the parser does not know.
    fn literal(&mut self, range: Range<usize>) {
        let bytes = self.text.as_bytes();
        let mut at = range.start;
        while at + 1 < range.end {
            if bytes[at] != b'\\' {
                at += 1;
                continue;
            }
            if let Some(length) = crate::tokens::ucn_length(&bytes[at..range.end]) {
                let code = u32::from_str_radix(&self.text[at + 2..at + length], 16).unwrap_or(0);
                if let Some(c) = char::from_u32(code) {
                    self.replace(at..at + length, c);
                }
                at += length;
                continue;
            }
            match bytes[at + 1] {
                b'e' | b'E' => self.replace(at..at + 2, "\\033"),
                b'\''
                | b'"'
                | b'?'
                | b'\\'
                | b'a'
                | b'b'
                | b'c'
                | b'f'
                | b'n'
                | b'r'
                | b't'
                | b'v'
                | b'x'
                | b'0'..=b'7' => {}
                // As compilers do: the character itself.
                _ => self.replace(at..at + 1, ""),
            }
            at += 2;
        }
    }

    /// Sorts the edits and makes the copies.
    fn finish(mut self) -> Vec<Edit> {
        self.edits.sort_by_key(|e| (e.start, e.end));
        // Inside a part that is replaced as a whole, nothing else is edited.
        let mut end = 0;
        self.edits.retain(|e| {
            let keep = e.start >= end;
            if keep {
                end = e.end;
            }
            keep
        });
        // From the inside out: what is copied may hold copies.
        for (at, before, range, after) in std::mem::take(&mut self.copies).into_iter().rev() {
            let mut inside: Vec<Edit> = self
                .edits
                .iter()
                .filter(|e| e.start >= range.start && e.end <= range.end)
                .map(|e| Edit {
                    start: e.start - range.start,
                    end: e.end - range.start,
                    text: e.text.clone(),
                })
                .collect();
            inside.sort_by_key(|e| (e.start, e.end));
            let copy = apply(&self.text[range], &inside);
            // Line markers, and other directives that mean nothing inside of an expression.
            let lines = copy.lines().filter(|l| !l.trim_start().starts_with('#'));
            let copy = lines.collect::<Vec<_>>().join(" ");
            self.insert(at, format!("{before}{copy}{after}"));
        }
        self.edits.sort_by_key(|e| (e.start, e.end));
        self.edits
    }
}
