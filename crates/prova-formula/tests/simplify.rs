//! What is plain to see must be true. Of random facts and formulas it is said whether the one
//! follows from the other, with the simplifier and without; the z3 program, which is told their
//! text, has to say the same.

use prova_formula::{Reader, Script, Sort, Term, Token};
use std::io::Write;
use std::process::{Command, Stdio};

/// The sort of what random terms are: narrow, so that many formulas are valid.
const ARRAY: &str = "(Array (_ BitVec 3) (_ BitVec 3))";

/// The sizes of two objects, `a` and `b`, whose addresses are random terms, too.
const SIZES: [u64; 2] = [6, 1];

/// What formulas speak of, as the z3 program is told it without a line of this crate.
const CONSTANTS: &str = "(declare-fun x () (_ BitVec 32)) (declare-fun y () (_ BitVec 32))
    (declare-fun a () (_ BitVec 16)) (declare-fun b () (_ BitVec 16))
    (declare-fun m () (Array (_ BitVec 16) (_ BitVec 3)))
    (define-fun inside ((p (_ BitVec 16)) (n (_ BitVec 16))) Bool
      (and (bvule #x1000 p) (bvule p (bvadd p n))))
    (assert (and (inside a #x0006) (inside b #x0001)))
    (assert (or (bvule (bvadd a #x0006) b) (bvule (bvadd b #x0001) a)))";

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }

    /// A bit-vector of three bits.
    fn bits(&mut self, depth: u32) -> String {
        if depth == 0 {
            let number = format!("#b{:03b}", self.below(8));
            let low = self.pick(&["((_ extract 2 0) x)", "((_ extract 2 0) y)", &number]);
            return low.to_string();
        }
        let [a, b] = [(); 2].map(|()| self.bits(depth - 1));
        match self.below(9) {
            0..=2 => {
                let operator =
                    self.pick(&["bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "bvshl"]);
                format!("({operator} {a} {b})")
            }
            3 => format!("(bvadd {a} {b} #b{:03b})", self.below(8)),
            4 => format!("({} {a})", self.pick(&["bvnot", "bvneg"])),
            5 => format!("(ite {} {a} {b})", self.truth(depth - 1)),
            6 => {
                let (how, at) = (self.pick(&["zero_extend", "sign_extend"]), self.below(3));
                let wide = match self.below(2) {
                    0 => format!("((_ {how} 2) {a})"),
                    _ => format!("(concat {a} {b})"),
                };
                format!("((_ extract {} {at}) {wide})", at + 2)
            }
            7 => {
                let [p, q] = [(); 2].map(|()| self.address());
                format!("(select (store (store m {p} {a}) {q} {b}) {})", self.pick(&[&p, &q]))
            }
            _ => {
                let [c, d, e] = [(); 3].map(|()| self.bits(depth - 1));
                let memory = format!("(store ((as const {ARRAY}) {a}) {b} {c})");
                format!("(select (store {memory} {d} {e}) {})", self.pick(&[&b, &d]))
            }
        }
    }

    /// An address in an object, behind it, or in the null page.
    fn address(&mut self) -> String {
        match self.below(4) {
            0 => self.pick(&["#x0000", "#x0fff", "#x1000"]).to_string(),
            _ => format!("(bvadd {} #x000{})", self.pick(&["a", "b"]), self.below(8)),
        }
    }

    fn truth(&mut self, depth: u32) -> String {
        let d = depth.saturating_sub(1);
        match self.below(if depth == 0 { 2 } else { 6 }) {
            0 => format!("(= {} {})", self.bits(d), self.bits(d)),
            1 => {
                let relations =
                    ["bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge", "="];
                format!("({} {} {})", self.pick(&relations), self.bits(d), self.bits(d))
            }
            2 => format!("(not {})", self.truth(d)),
            5 => {
                let relation = self.pick(&["=", "bvult", "bvule", "bvslt"]);
                format!("({relation} {} {})", self.address(), self.address())
            }
            3 => {
                let operator = self.pick(&["and", "or", "xor", "=>", "="]);
                format!("({operator} {} {})", self.truth(d), self.truth(d))
            }
            _ => format!("(ite {} {} {})", self.truth(d), self.truth(d), self.truth(d)),
        }
    }

    /// A fact that fixes something, and a formula that has to follow.
    fn claim(&mut self) -> (String, String) {
        let part = self.pick(&["((_ extract 2 0) x)", "((_ extract 2 0) y)", "x", "(bvadd x y)"]);
        let value = match part.starts_with("((") {
            true => self.bits(0),
            false => self.pick(&["y", "#x00000003", "(bvadd y #x00000005)"]).to_string(),
        };
        let fact = format!("(= {part} {value})");
        let (a, depth) = (self.truth(2), 1 + self.below(2) as u32);
        let formula = match self.below(4) {
            0 => a,
            1 => format!("(=> {fact} {a})"),
            2 => format!("(or {a} {} {})", self.truth(depth), self.truth(depth)),
            _ => format!("(or (not {a}) {})", a.replace("bvult", "bvule")),
        };
        (fact, formula)
    }
}

/// What z3 says to a script, a line per question; `None` if it is not installed.
fn ask_z3(script: &str) -> Option<Vec<String>> {
    let mut command = Command::new("z3");
    command.args(["-in", "-t:20000"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        eprintln!("the z3 program is not installed: nothing decides about formulas here");
        return None;
    };
    let (mut input, script) = (child.stdin.take().expect("it listens"), script.to_string());
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = child.wait_with_output().expect("z3 ends");
    writer.join().expect("a writer").expect("z3 reads");
    Some(String::from_utf8_lossy(&output.stdout).lines().map(String::from).collect())
}

/// A script with the constants that formulas speak of, and their names.
fn script(simplifies: bool) -> (Script, Vec<(&'static str, Term)>) {
    let mut script = Script::new(simplifies);
    let [a, b] = SIZES.map(|size| script.object(16, size));
    let [x, y] = [(); 2].map(|()| script.constant(Sort::Bits(32)));
    let m = script.constant(Sort::Array(16, 3));
    (script, vec![("a", a), ("b", b), ("x", x), ("y", y), ("m", m)])
}

fn read(script: &mut Script, names: &[(&str, Term)], text: &str) -> Term {
    let find = |token: Token| match token {
        Token::Word(word) => names.iter().find(|n| n.0 == word).map(|n| n.1),
        _ => None,
    };
    // A reader wants to see the end of a list.
    Reader::new(&format!("{text} )"), 0).term(script, &find).expect("a term")
}

/// Holds what is said of claims, each a fact and a formula that has to follow, against what z3
/// says. Gives how many are valid and how many plain to see, if z3 is there.
fn compare(claims: &[(String, String)]) -> Option<(usize, usize)> {
    let asked = claims.iter().map(|(fact, formula)| {
        format!("(push)(assert (and {fact} (not {formula})))(check-sat)(pop)\n")
    });
    let truth = ask_z3(&format!("{CONSTANTS}{}", asked.collect::<String>()))?;
    assert_eq!(truth.len(), claims.len());
    let (mut plain, mut questions, mut expected) = (0, String::new(), Vec::new());
    for simplifies in [true, false] {
        let (mut script, names) = script(simplifies);
        for ((fact, formula), truth) in claims.iter().zip(&truth) {
            let [given, wanted] = [fact, formula].map(|t| read(&mut script, &names, t));
            match script.refutation(&[given], &[vec![wanted]]) {
                None => {
                    assert!(simplifies);
                    assert_eq!(truth, "unsat", "{fact} does not give {formula}");
                    plain += 1;
                }
                Some(assertions) => {
                    questions += &script.question(&assertions);
                    expected.push((truth, fact, formula));
                }
            }
        }
        assert_eq!(script.error, None);
    }
    let answers = ask_z3(&questions)?;
    assert_eq!(answers.len(), expected.len());
    for (answer, (truth, fact, formula)) in answers.iter().zip(expected) {
        assert_eq!(answer, truth, "{fact} gives {formula}");
    }
    Some((truth.iter().filter(|t| *t == "unsat").count(), plain))
}

#[test]
fn what_is_plain_to_see_is_true() {
    let mut random = Random(1);
    let count = if std::env::var_os("PROVA_LONG").is_some() { 20_000 } else { 1_000 };
    let claims: Vec<(String, String)> = (0..count).map(|_| random.claim()).collect();
    let Some((valid, plain)) = compare(&claims) else { return };
    eprintln!("{valid} of {count} are valid, {plain} plain to see");
    assert!(valid * 5 >= count && plain * 20 >= count, "{valid}, {plain}");
}

/// Addresses in objects, at their ends and in the null page, each with each.
#[test]
fn what_is_plain_to_see_of_objects_is_true() {
    let mut addresses: Vec<String> = ["#x0000", "#x0fff", "#x1000"].map(String::from).into();
    addresses.extend(["a", "b"].map(String::from));
    for number in ["#x0001", "#x0005", "#x0006", "#xffff"] {
        addresses.extend(["a", "b"].map(|object| format!("(bvadd {object} {number})")));
    }
    let mut claims = Vec::new();
    for p in &addresses {
        for q in &addresses {
            let mut all =
                ["=", "bvult", "bvule", "bvslt"].map(|r| format!("({r} {p} {q})")).to_vec();
            all.push(format!("(= (select (store m {p} #b001) {q}) (select m {q}))"));
            all.extend(all.clone().iter().map(|formula| format!("(not {formula})")));
            claims.extend(all.into_iter().map(|formula| ("true".to_string(), formula)));
        }
    }
    let Some((valid, plain)) = compare(&claims) else { return };
    eprintln!("{valid} of {} are valid, {plain} plain to see", claims.len());
    assert!(plain * 2 >= valid, "{valid}, {plain}");
}

/// Loads behind stores at addresses that may be equal, with facts about them.
#[test]
fn what_is_plain_to_see_of_loads_is_true() {
    let (x, y) = ("((_ extract 2 0) x)", "((_ extract 2 0) y)");
    let next = format!("(bvadd {x} #b001)");
    let addresses = [x, y, &next];
    let mut facts = vec!["true".to_string(), format!("(= {x} {y})")];
    facts.push(format!("(not (= {x} {y}))"));
    facts.push(format!("(and (not (= {y} {next})) (not (= {x} {y})))"));
    let mut claims = Vec::new();
    for number in 0..3usize.pow(3) * 2usize.pow(3) {
        let [p, q, at] = [1, 3, 9].map(|n| addresses[number / n % 3]);
        let [a, b, c] = [27, 54, 108].map(|n| format!("#b00{}", number / n % 2));
        let memory = format!("(store (store ((as const {ARRAY}) {a}) {p} {b}) {q} {c})");
        let formula = format!("(= (select {memory} {at}) #b001)");
        for fact in &facts {
            claims.push((fact.clone(), formula.clone()));
            claims.push((fact.clone(), format!("(not {formula})")));
        }
    }
    let Some((valid, plain)) = compare(&claims) else { return };
    eprintln!("{valid} of {} are valid, {plain} plain to see", claims.len());
    assert!(plain * 5 >= valid * 4, "{valid}, {plain}");
}

#[test]
fn without_the_simplifier_terms_stay_as_they_are_written() {
    let (mut script, names) = script(false);
    let parts = ["(= x x)", "(bvult #b001 (bvadd #b001 #b001))", "(not (not (= a #x0000)))"];
    let parts = parts.map(|t| read(&mut script, &names, t));
    let again = read(&mut script, &names, "(= x x)");
    assert_eq!(parts[0], again, "the same text is the same term");
    let truth = script.boolean(true);
    // Even what is written down as true is asked.
    let open = script.refutation(&[truth], &[vec![truth], parts.to_vec()]);
    let question = script.question(&open.expect("nothing is plain"));
    for written in ["(bvadd #b001 #b001)", "(bvult #b001 ", "(not true)", "(assert true)"] {
        assert!(question.contains(written), "{written}: {question}");
    }
    assert_eq!(question.matches("(not ").count(), 4, "{question}");
}

/// Cases that bound terms: whether they leave out a value, in one term and in two at once.
#[test]
fn what_bounds_cover_is_plain_and_what_they_leave_out_is_not() {
    let mut random = Random(7);
    let (x, y) = ("((_ extract 2 0) x)", "((_ extract 2 0) y)");
    let wide = format!("(bvadd ((_ sign_extend 2) {x}) #b00010)");
    let parts = [(x, 3), (y, 3), (&*wide, 5)];
    let bound = |random: &mut Random| {
        let (term, width) = parts[random.below(3) as usize];
        let number = random.below(1 << width);
        let relation = random.pick(&["=", "bvslt", "bvsle", "bvsgt", "bvsge", "bvult"]);
        let atom = format!("({relation} {term} #b{number:0width$b})");
        match random.below(3) {
            0 => format!("(not {atom})"),
            _ => atom,
        }
    };
    let mut claims = Vec::new();
    for _ in 0..600 {
        let [a, b, c] = [(); 3].map(|()| bound(&mut random));
        let fact = match random.below(3) {
            0 => a,
            1 => format!("(and {a} {b})"),
            _ => format!("(and {a} (not (or {b} (not {c}))))"),
        };
        let cases = (0..2 + random.below(4)).map(|_| {
            let all: Vec<String> = (0..1 + random.below(2)).map(|_| bound(&mut random)).collect();
            all
        });
        claims.push((fact, cases.collect::<Vec<_>>()));
    }
    let whole = |cases: &[Vec<String>]| {
        let all = cases.iter().map(|case| format!("(and true {})", case.join(" ")));
        format!("(or false {})", all.collect::<Vec<_>>().join(" "))
    };
    let asked = claims.iter().map(|(fact, cases)| {
        format!("(push)(assert (and {fact} (not {})))(check-sat)(pop)\n", whole(cases))
    });
    let Some(truth) = ask_z3(&format!("{CONSTANTS}{}", asked.collect::<String>())) else { return };
    let (mut script, names) = script(true);
    let (mut valid, mut plain) = (0, 0);
    for ((fact, cases), truth) in claims.iter().zip(&truth) {
        let given = read(&mut script, &names, fact);
        let said = cases.iter().map(|c| c.iter().map(|t| read(&mut script, &names, t)).collect());
        let said: Vec<Vec<Term>> = said.collect();
        valid += usize::from(truth == "unsat");
        if script.refutation(&[given], &said).is_none() {
            assert_eq!(truth, "unsat", "{fact} does not give {cases:?}");
            plain += 1;
        }
    }
    eprintln!("{valid} of {} are valid, {plain} plain to see", claims.len());
    assert!(valid >= 50 && plain * 3 >= valid * 2, "{valid}, {plain}");
}
