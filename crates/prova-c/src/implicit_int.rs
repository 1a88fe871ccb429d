//! Finds declarations without a type, in which old C means `int`: `main() {…}`, `static x;`,
//! `f(a, b) register a; {…}`. The parser does not know the rule, so an `int` is written in.
//!
//! This follows declarations token by token, as far as it takes to tell a type from a declared
//! name: specifiers, names that a `typedef` introduced, and where declarations can begin.

use rustc_hash::FxHashSet;

use crate::fixups::Code;

/// What a walk over the program finds.
pub struct Found {
    /// Offsets where `int` is missing.
    pub missing: Vec<usize>,
    /// Token indices of semicolons before the first declaration.
    pub stray: Vec<usize>,
    /// Names that some `typedef` introduces.
    pub typedefs: FxHashSet<String>,
    /// Token indices of names that parameters hide from a `typedef` of the same name. The
    /// parser forgets parameters before it comes to the body, and would read `(T) - x` as a
    /// cast there.
    pub hidden: FxHashSet<usize>,
}

/// Walks over a whole unit.
pub fn find(code: &Code<'_>) -> Found {
    let mut walk = Walk {
        code,
        found: Found {
            missing: Vec::new(),
            stray: Vec::new(),
            typedefs: FxHashSet::from_iter(["__builtin_va_list".to_string()]),
            hidden: FxHashSet::default(),
        },
    };
    let mut at = 0;
    while at < code.len() {
        let next = walk.external(at);
        debug_assert!(next > at);
        at = next.max(at + 1);
    }
    walk.found
}

/// Whether a word is a storage class, qualifier or function specifier.
pub fn is_modifier(word: &str) -> bool {
    is_leading_modifier(word)
        || matches!(
            word,
            "inline"
                | "__inline"
                | "__inline__"
                | "_Noreturn"
                | "_Thread_local"
                | "__thread"
                | "restrict"
                | "__restrict"
                | "__restrict__"
        )
}

/// Modifiers that can begin a declaration without a type inside a block.
fn is_leading_modifier(word: &str) -> bool {
    matches!(
        word,
        "static"
            | "extern"
            | "register"
            | "auto"
            | "typedef"
            | "const"
            | "__const"
            | "__const__"
            | "volatile"
            | "__volatile"
            | "__volatile__"
    )
}

/// Whether a word is a keyword that names a type by itself.
pub fn is_type_keyword(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "char"
            | "short"
            | "int"
            | "long"
            | "float"
            | "double"
            | "signed"
            | "unsigned"
            | "_Bool"
            | "_Complex"
            | "__signed"
            | "__signed__"
            | "__complex"
            | "__complex__"
            | "__int128"
            | "__int128__"
            | "__int128_t"
            | "__uint128_t"
            | "__float128"
            | "__builtin_va_list"
            | "__auto_type"
    ) || word.starts_with("_Float")
        || word.starts_with("_Decimal")
}

/// Whether a word is a keyword that begins a type and is followed by more.
pub fn is_type_opener(word: &str) -> bool {
    matches!(
        word,
        "struct" | "union" | "enum" | "typeof" | "__typeof" | "__typeof__" | "_Atomic"
    )
}

fn is_attribute(word: &str) -> bool {
    matches!(
        word,
        "__attribute__" | "__attribute" | "_Alignas" | "__declspec"
    )
}

fn is_asm(word: &str) -> bool {
    matches!(word, "asm" | "__asm" | "__asm__")
}

struct Walk<'a, 'b> {
    code: &'a Code<'b>,
    found: Found,
}

/// What declaration specifiers turned out to be.
struct Specifiers {
    /// Index of the first token behind them.
    next: usize,
    has_type: bool,
    is_typedef: bool,
    any: bool,
}

impl Walk<'_, '_> {
    /// One declaration or definition at file level; returns the index behind it.
    fn external(&mut self, at: usize) -> usize {
        let code = self.code;
        match code.word(at) {
            ";" => {
                if at == self.found.stray.len() {
                    self.found.stray.push(at);
                }
                return at + 1;
            }
            "_Static_assert" | "static_assert" => return self.to_semicolon(at),
            word if is_asm(word) => return self.to_semicolon(at),
            _ => {}
        }
        let specifiers = self.specifiers(at);
        self.check(&specifiers);
        let mut at = specifiers.next.max(at);
        if specifiers.is_typedef {
            let end = self.to_semicolon(at);
            self.collect_typedefs(at, end);
            return end.max(at + 1);
        }
        let mut initialiser = false;
        let mut lists = Vec::new();
        while at < code.len() {
            match code.word(at) {
                ";" => return at + 1,
                "=" => {
                    initialiser = true;
                    at += 1;
                }
                "(" if initialiser => at = code.behind(at),
                "," => {
                    initialiser = false;
                    at += 1;
                }
                "{" if initialiser => at = code.behind(at),
                "{" => {
                    self.hide(&lists, at);
                    self.block(at);
                    return code.behind(at);
                }
                "[" => at = code.behind(at),
                // Between a star and the name, too: what it is given is no list of parameters.
                word if is_attribute(word) && !initialiser => at = code.behind(at + 1),
                "(" => {
                    self.parameters(at);
                    lists.push(at);
                    at = code.behind(at);
                    while is_attribute(code.word(at))
                        || is_asm(code.word(at))
                        || crate::clauses::is_clause(code.word(at))
                    {
                        at = code.behind(at + 1);
                    }
                    // Declarations of parameters, between the list and the body.
                    while code.is_word(at) {
                        let specifiers = self.specifiers(at);
                        self.check(&specifiers);
                        at = self.to_semicolon(specifiers.next.max(at));
                    }
                }
                _ => at += 1,
            }
        }
        at
    }

    /// The index behind the next semicolon outside of brackets.
    fn to_semicolon(&self, mut at: usize) -> usize {
        while at < self.code.len() {
            match self.code.word(at) {
                ";" => return at + 1,
                "(" | "[" | "{" => at = self.code.behind(at),
                _ => at += 1,
            }
        }
        at
    }

    fn specifiers(&self, mut at: usize) -> Specifiers {
        let code = self.code;
        let mut found = Specifiers {
            next: at,
            has_type: false,
            is_typedef: false,
            any: false,
        };
        loop {
            let word = code.word(at);
            if word == "[" && code.word(at + 1) == "[" && found.next == at {
                // `[[attribute]]` before everything else.
                at = code.behind(at);
                found.next = at;
            } else if !code.is_word(at) {
                break;
            } else if is_modifier(word) {
                found.is_typedef |= word == "typedef";
                found.any = true;
                at += 1;
            } else if word == "__extension__" {
                at += 1;
            } else if is_attribute(word) {
                found.any = true;
                at = code.behind(at + 1);
            } else if is_type_keyword(word) {
                found.has_type = true;
                at += 1;
            } else if matches!(word, "struct" | "union" | "enum") {
                found.has_type = true;
                at += 1;
                while is_attribute(code.word(at)) || code.word(at) == "[" {
                    at = if code.word(at) == "[" {
                        code.behind(at)
                    } else {
                        code.behind(at + 1)
                    };
                }
                if code.is_word(at) {
                    at += 1;
                }
                if code.word(at) == "{" {
                    at = code.behind(at);
                }
            } else if word == "_Atomic" && code.word(at + 1) != "(" {
                found.any = true;
                at += 1;
            } else if is_type_opener(word) {
                found.has_type = true;
                at = code.behind(at + 1);
            } else if !found.has_type && !is_asm(word) && self.names_type(at) {
                found.has_type = true;
                at += 1;
            } else {
                break;
            }
        }
        found.next = at;
        found
    }

    /// Whether the identifier at `at`, where a type or a declared name can stand, is a type.
    fn names_type(&self, at: usize) -> bool {
        let code = self.code;
        if self.found.typedefs.contains(code.word(at)) {
            return true;
        }
        // An unknown name before another name or a star: the parser will say what is wrong.
        let next = code.word(at + 1);
        next == "*" || (code.is_word(at + 1) && !is_attribute(next) && !is_asm(next))
    }

    /// Notes a missing `int` behind specifiers that begin a declaration.
    fn check(&mut self, specifiers: &Specifiers) {
        let code = self.code;
        if specifiers.has_type || specifiers.next >= code.len() {
            return;
        }
        let at = specifiers.next;
        let next = code.word(at + 1);
        let declares = if code.is_word(at) {
            matches!(next, "(" | ";" | "=" | "," | "[")
                || (specifiers.any && (is_attribute(next) || is_asm(next)))
        } else {
            specifiers.any && matches!(code.word(at), "*" | "(")
        };
        if declares {
            self.found.missing.push(code.start(at));
        }
    }

    /// A block: declarations without a type begin with a modifier there.
    fn block(&mut self, open: usize) {
        let code = self.code;
        let close = code.behind(open);
        let mut at = open + 1;
        let mut begins = true;
        while at < close {
            let word = code.word(at);
            if begins && is_leading_modifier(word) {
                let specifiers = self.specifiers(at);
                self.check(&specifiers);
                if specifiers.is_typedef {
                    let end = self.to_semicolon(specifiers.next);
                    self.collect_typedefs(specifiers.next, end);
                }
                // Not behind a nested body: what stands in it is looked at, too.
                at += 1;
                begins = false;
                continue;
            }
            begins = match word {
                "{" | "}" | ";" | ":" => true,
                "(" => at > 0 && code.word(at - 1) == "for",
                _ => word == "__extension__" && begins,
            };
            at += 1;
        }
    }

    /// Parameters without a type: `f(register a, const b)`.
    fn parameters(&mut self, open: usize) {
        let code = self.code;
        for at in open + 1..code.behind(open) {
            if matches!(code.word(at), "register" | "const" | "volatile")
                && matches!(code.word(at - 1), "(" | ",")
            {
                let specifiers = self.specifiers(at);
                let name = specifiers.next;
                if !specifiers.has_type
                    && code.is_word(name)
                    && matches!(code.word(name + 1), "," | ")")
                {
                    self.found.missing.push(code.start(name));
                }
            }
        }
    }

    /// Finds parameters with the name of a type, and where the body uses them.
    fn hide(&mut self, lists: &[usize], body: usize) {
        let code = self.code;
        for &open in lists {
            let close = code.behind(open) - 1;
            let mut at = open + 1;
            while at < close {
                let mut end = at;
                while end < close && code.word(end) != "," {
                    end = code.behind(end);
                }
                let declarator = self.specifiers(at).next.min(end);
                let name =
                    (declarator..end).find(|&i| code.is_word(i) && !is_modifier(code.word(i)));
                if let Some(name) = name.filter(|&n| self.found.typedefs.contains(code.word(n))) {
                    let is_use = |&i: &usize| {
                        // Members and tags have names of their own.
                        let other = [".", "->", "struct", "union", "enum", "goto"];
                        code.word(i) == code.word(name) && !other.contains(&code.word(i - 1))
                    };
                    let uses = (body + 1..code.behind(body)).filter(is_use);
                    self.found.hidden.extend(uses);
                    self.found.hidden.insert(name);
                }
                at = end + 1;
            }
        }
    }

    /// The names that the declarators between two indices introduce.
    fn collect_typedefs(&mut self, from: usize, to: usize) {
        let code = self.code;
        let mut name = None;
        let mut settled = false;
        let mut at = from;
        while at < to {
            match code.word(at) {
                "," | ";" => {
                    self.found.typedefs.extend(name.take());
                    settled = false;
                    at += 1;
                }
                "[" | "{" => {
                    settled = true;
                    at = code.behind(at);
                }
                "(" => {
                    // `(*name)(…)` when nothing has been named yet, else parameters.
                    if name.is_none() && !settled {
                        at += 1;
                    } else {
                        settled = true;
                        at = code.behind(at);
                    }
                }
                word if is_attribute(word) || is_asm(word) => at = code.behind(at + 1),
                word => {
                    if code.is_word(at) && !is_modifier(word) && !settled {
                        name = Some(word.to_string());
                    } else if word == ")" {
                        settled = true;
                    }
                    at += 1;
                }
            }
        }
        self.found.typedefs.extend(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with `int` written in wherever it is missing.
    fn fixed(text: &str) -> String {
        let tokens = crate::tokens::tokenize(text).unwrap();
        let mut out = text.to_string();
        let mut missing = find(&Code::new(text, &tokens.tokens)).missing;
        missing.sort();
        for at in missing.into_iter().rev() {
            out.insert_str(at, "int ");
        }
        out
    }

    #[test]
    fn int_is_added_where_it_is_missing() {
        for (old, new) in [
            ("main() {}", "int main() {}"),
            ("static x;", "static int x;"),
            ("static *p, (*f)();", "static int *p, (*f)();"),
            ("const x = 1;", "const int x = 1;"),
            ("f(a,b) int a; {}", "int f(a,b) int a; {}"),
            ("f(a) register a; {}", "int f(a) register int a; {}"),
            ("extern f();main(){}", "extern int f();int main(){}"),
            (
                "int f(void) { register i; static j = 1; }",
                "int f(void) { register int i; static int j = 1; }",
            ),
            (
                "int f() { for (register i = 0;;) {} }",
                "int f() { for (register int i = 0;;) {} }",
            ),
            (
                "int f(register a, const b) {}",
                "int f(register int a, const int b) {}",
            ),
            ("x; y = 2, z[3];", "int x; int y = 2, z[3];"),
            ("typedef x; static x y;", "typedef int x; static x y;"),
            (
                "inline __attribute__((unused)) f() {}",
                "inline __attribute__((unused)) int f() {}",
            ),
        ] {
            assert_eq!(fixed(old), new);
        }
    }

    #[test]
    fn typed_declarations_are_left_alone() {
        for text in [
            "unsigned x; long f(); struct s { const int a; } v; enum e { A = 1 } w;",
            "typedef struct s T; static T x; const T *f(T a); T g(void) { const T b; register T *c; }",
            "typedef int (*F)(int, int); static F f; typedef int A[3], B; static A a; static B b;",
            "typedef void (G)(void); extern G g; typedef enum { X, Y } E; const E e = X;",
            "__extension__ typedef long long L; extern L l; extern __inline L h(L x) { return x; }",
            "static __typeof__(int) x; _Atomic int y; _Atomic(int) z; static unknown t;",
            "void f(int (*g)(const char *, ...)) { x: static int y; switch (1) { case 1: y = 2; } }",
            "int f(a, b) char *a; struct s { int i; } *b; { return 0; }",
            "typedef int T1; T1 f(x) T1 x; { volatile T1 *y; }",
            "int x = (T) y; int z = f(x) + 1;",
            "void * __attribute__((cdecl)) f(int x); int * __attribute__((aligned(8))) *p;",
            "int a[] = { 1, 2 }, b = 3; static int (*t[])(void) = { 0 };",
            "_Static_assert(1, \"\"); __asm__(\"x\"); int x __asm__(\"y\") __attribute__((unused));",
        ] {
            assert_eq!(fixed(text), text);
        }
    }
}
