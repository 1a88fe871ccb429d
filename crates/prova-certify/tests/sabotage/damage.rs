//! Damages certificates and programs, one small change at a time.

/// An expression of a certificate. (The checker has a parser of its own; this is another.)
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    Leaf(String),
    List(Vec<Tree>),
}

impl std::fmt::Display for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Tree::Leaf(text) => f.write_str(text),
            Tree::List(items) => {
                let texts: Vec<String> = items.iter().map(Tree::to_string).collect();
                write!(f, "({})", texts.join(" "))
            }
        }
    }
}

impl Tree {
    /// The items of a list.
    pub fn items(&self) -> &[Tree] {
        match self {
            Tree::Leaf(_) => &[],
            Tree::List(items) => items,
        }
    }

    /// The first word of a list.
    pub fn head(&self) -> &str {
        match self.items().first() {
            Some(Tree::Leaf(word)) => word,
            _ => "",
        }
    }

    /// Whether it is a list that begins with this word.
    pub fn is(&self, head: &str) -> bool {
        self.head() == head
    }

    fn list(&mut self) -> &mut Vec<Tree> {
        match self {
            Tree::List(items) => items,
            Tree::Leaf(word) => panic!("{word} is no list"),
        }
    }

    /// The part at a path of positions.
    fn at(&mut self, path: &[usize]) -> &mut Tree {
        path.iter().fold(self, |tree, &i| &mut tree.list()[i])
    }

    /// Paths to all parts, this one first.
    fn paths(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for (i, item) in self.items().iter().enumerate() {
            all.extend(item.paths().into_iter().map(|mut path| {
                path.insert(0, i);
                path
            }));
        }
        all
    }
}

/// Reads all lists of a text.
pub fn read(text: &str) -> Vec<Tree> {
    let mut open = vec![Vec::new()];
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '(' | ')' => 1,
            '"' | '|' => 2 + rest[1..].find(c).expect("it is closed"),
            _ => rest.find(|c: char| c.is_whitespace() || "()".contains(c)).unwrap_or(rest.len()),
        };
        let (token, behind) = rest.split_at(length);
        rest = behind.trim_start();
        let done = match c {
            '(' => {
                open.push(Vec::new());
                continue;
            }
            ')' => Tree::List(open.pop().expect("something is open")),
            _ => Tree::Leaf(token.to_string()),
        };
        open.last_mut().expect("something is open").push(done);
    }
    open.pop().expect("all is closed")
}

/// What was done to a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    DroppedConjunct,
    DroppedCase,
    DroppedLocation,
    OtherRelation,
    OtherConstant,
    Swapped,
    OtherProgram,
}

/// Other relations that a relation is easily taken for.
const RELATIONS: [(&str, &[&str]); 11] = [
    ("bvult", &["bvule", "bvslt"]),
    ("bvule", &["bvult", "bvsle"]),
    ("bvslt", &["bvsle", "bvult"]),
    ("bvsle", &["bvslt", "bvule"]),
    ("bvugt", &["bvuge"]),
    ("bvuge", &["bvugt"]),
    ("bvsgt", &["bvsge"]),
    ("bvsge", &["bvsgt"]),
    ("=", &["bvule", "bvuge", "distinct"]),
    ("and", &["or"]),
    ("or", &["and"]),
];

/// All certificates that one small change makes of this one.
pub fn damaged(certificate: &str) -> Vec<(Kind, String)> {
    let whole = Tree::List(read(certificate));
    let mut found = Vec::new();
    let mut change = |kind: Kind, path: &[usize], how: &dyn Fn(&mut Tree)| {
        let mut other = whole.clone();
        how(other.at(path));
        if other != whole {
            let lines: Vec<String> = other.items().iter().map(Tree::to_string).collect();
            found.push((kind, lines.join("\n")));
        }
    };
    for path in whole.paths() {
        let tree = whole.clone().at(&path).clone();
        let remove = |i: usize| move |t: &mut Tree| drop(t.list().remove(i));
        match (&tree, tree.head()) {
            (_, "case") => {
                for i in 1..tree.items().len() {
                    change(Kind::DroppedConjunct, &path, &remove(i));
                }
            }
            (_, "at") => {
                for i in 3..tree.items().len() {
                    change(Kind::DroppedCase, &path, &remove(i));
                }
            }
            (_, "procedure") => {
                let claims: Vec<usize> =
                    (2..tree.items().len()).filter(|&i| tree.items()[i].is("at")).collect();
                for (n, &i) in claims.iter().enumerate() {
                    change(Kind::DroppedLocation, &path, &remove(i));
                    for &j in &claims[n + 1..] {
                        change(Kind::Swapped, &path, &|t: &mut Tree| {
                            let number = t.at(&[i, 1]).clone();
                            *t.at(&[i, 1]) = std::mem::replace(t.at(&[j, 1]), number);
                        });
                    }
                }
            }
            (Tree::Leaf(word), _) => {
                let inside = path.len() > 2 && whole.items()[path[0]].is("procedure");
                if !inside {
                    continue;
                }
                for other in RELATIONS.iter().filter(|r| r.0 == word).flat_map(|r| r.1) {
                    change(Kind::OtherRelation, &path, &|t| *t = Tree::Leaf(other.to_string()));
                }
                for other in other_numbers(word) {
                    change(Kind::OtherConstant, &path, &|t| *t = Tree::Leaf(other.clone()));
                }
            }
            _ => {}
        }
    }
    found
}

/// Numbers near this one.
fn other_numbers(word: &str) -> Vec<String> {
    if let Some(number) = word.strip_prefix("bv").and_then(|n| n.parse::<u128>().ok()) {
        let less = number.checked_sub(1).map(|n| format!("bv{n}"));
        return less.into_iter().chain([format!("bv{}", number + 1)]).collect();
    }
    let Some(digits) = word.strip_prefix("#b") else { return Vec::new() };
    let flip = |i: usize| {
        let mut bits: Vec<char> = digits.chars().collect();
        bits[i] = if bits[i] == '0' { '1' } else { '0' };
        format!("#b{}", bits.into_iter().collect::<String>())
    };
    let mut all = vec![flip(digits.len() - 1), flip(0)];
    all.dedup();
    all
}

/// Programs with one number or operator changed.
pub fn edited(source: &str) -> Vec<String> {
    const OPERATORS: [(&str, &str); 8] = [
        (" < ", " <= "),
        (" <= ", " < "),
        (" > ", " >= "),
        (" == ", " != "),
        (" != ", " == "),
        (" + ", " - "),
        ("++", "--"),
        (" && ", " || "),
    ];
    let start = source.find('\n').unwrap_or(0);
    let mut found = Vec::new();
    for (from, to) in OPERATORS {
        for (at, _) in source.match_indices(from).filter(|(at, _)| *at > start) {
            found.push(format!("{}{to}{}", &source[..at], &source[at + from.len()..]));
        }
    }
    let bytes = source.as_bytes();
    let part = |at: usize| bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_';
    for at in start + 1..bytes.len() - 1 {
        if bytes[at].is_ascii_digit() && !part(at - 1) && !part(at + 1) {
            let other = (bytes[at] - b'0' + 1) % 10;
            found.push(format!("{}{other}{}", &source[..at], &source[at + 1..]));
        }
    }
    found
}
