//! Random small C programs whose inputs come from a tiny domain, so that running all of them
//! decides whether the error can be reached.

/// A deterministic source of numbers (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// Values an input can have: `0..DOMAIN`.
pub const DOMAIN: u128 = 4;

/// A program and the most inputs one of its runs can ask for.
pub struct Generated {
    pub source: String,
    pub inputs: usize,
}

struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    inputs: usize,
    loops: usize,
    procedures: bool,
}

const VARIABLES: [&str; 4] = ["a", "b", "c", "d"];
const POINTERS: [&str; 2] = ["p", "q"];

/// A program over four integers and two pointers to them, with branches, bounded loops and a few
/// checks; with small procedures if asked.
pub fn program(seed: u64, procedures: bool) -> Generated {
    let mut random = Random::new(seed);
    let mut w = Writer {
        random: &mut random,
        text: String::new(),
        inputs: 0,
        loops: 0,
        procedures,
    };
    w.text
        .push_str("extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\n");
    w.text.push_str("extern void reach_error(void);\nint g;\n");
    w.text.push_str(
        "static int pick(void) {\n  int v = __VERIFIER_nondet_int();\n  __VERIFIER_assume(v >= 0 && v < 4);\n  return v;\n}\n",
    );
    if procedures {
        w.text.push_str("static int twist(int x, int y) {\n  if (x > y) return x - y;\n  g = g + 1;\n  return y + 1;\n}\n");
        w.text.push_str("static void move(int *from, int *to) {\n  *to = *from;\n  if (from != to) *from = 0;\n}\n");
        w.text.push_str(
            "static int down(int n) {\n  if (n <= 0) return 0;\n  return 2 + down(n - 1);\n}\n",
        );
    }
    w.text.push_str("int main(void) {\n");
    for v in VARIABLES {
        let start = if w.random.one_in(2) && w.inputs < 3 {
            w.input()
        } else {
            w.random.below(4).to_string()
        };
        w.text.push_str(&format!("  int {v} = {start};\n"));
    }
    for p in POINTERS {
        let target = VARIABLES[w.random.below(4) as usize];
        w.text.push_str(&format!("  int *{p} = &{target};\n"));
    }
    let count = 3 + w.random.below(5);
    w.statements(count, 1, false);
    w.check(1);
    w.text.push_str("  return 0;\n}\n");
    Generated {
        inputs: w.inputs,
        source: w.text,
    }
}

impl Writer<'_> {
    fn input(&mut self) -> String {
        self.inputs += 1;
        "pick()".into()
    }

    fn variable(&mut self) -> String {
        if self.random.one_in(4) {
            format!("*{}", POINTERS[self.random.below(2) as usize])
        } else if self.random.one_in(6) {
            "g".into()
        } else {
            VARIABLES[self.random.below(4) as usize].into()
        }
    }

    fn operand(&mut self) -> String {
        if self.random.one_in(3) {
            self.random.below(5).to_string()
        } else {
            self.variable()
        }
    }

    fn expression(&mut self) -> String {
        let (x, y) = (self.operand(), self.operand());
        match self.random.below(if self.procedures { 10 } else { 8 }) {
            0 | 1 => format!("{x} + {y}"),
            2 | 3 => format!("{x} - {y}"),
            4 => format!("{x} * 2 + {y}"),
            5 => format!("({x} & {y})"),
            6 => format!("{x} ^ 1"),
            7 => x,
            8 => format!("twist({x}, {y})"),
            _ => format!("down({x} & 3)"),
        }
    }

    fn condition(&mut self) -> String {
        let (x, y) = (self.operand(), self.operand());
        let op = ["==", "!=", "<", "<=", ">", ">="][self.random.below(6) as usize];
        if self.random.one_in(8) {
            format!("{} == {}", POINTERS[0], POINTERS[1])
        } else if self.random.one_in(5) {
            let z = self.operand();
            format!("{x} {op} {y} && {z} != 0")
        } else {
            format!("{x} {op} {y}")
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.text.push_str(&"  ".repeat(depth));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn check(&mut self, depth: usize) {
        let (condition, variable, value) =
            (self.condition(), self.variable(), self.random.below(9));
        self.line(depth, &format!("if ({condition} && {variable} == {value})"));
        self.line(depth + 1, "reach_error();");
    }

    fn statements(&mut self, count: u64, depth: usize, in_loop: bool) {
        for _ in 0..count {
            match self.random.below(10) {
                0 if depth < 4 => {
                    let condition = self.condition();
                    self.line(depth, &format!("if ({condition}) {{"));
                    self.statements(2, depth + 1, in_loop);
                    self.line(depth, "} else {");
                    self.statements(1, depth + 1, in_loop);
                    self.line(depth, "}");
                }
                1 if depth < 3 && !in_loop => {
                    let i = format!("i{}", self.loops);
                    self.loops += 1;
                    let bound = 1 + self.random.below(3);
                    self.line(
                        depth,
                        &format!("for (int {i} = 0; {i} < {bound}; {i}++) {{"),
                    );
                    self.statements(2, depth + 1, true);
                    self.line(depth, "}");
                }
                2 => {
                    let p = POINTERS[self.random.below(2) as usize];
                    let v = VARIABLES[self.random.below(4) as usize];
                    self.line(depth, &format!("{p} = &{v};"));
                }
                3 if self.inputs < 4 && !in_loop => {
                    let v = self.variable();
                    let input = self.input();
                    self.line(depth, &format!("{v} = {input};"));
                }
                4 if self.random.one_in(2) => self.check(depth),
                5 if self.procedures => {
                    let (x, y) = (
                        POINTERS[self.random.below(2) as usize],
                        VARIABLES[self.random.below(4) as usize],
                    );
                    self.line(depth, &format!("move({x}, &{y});"));
                }
                _ => {
                    let (v, e) = (self.variable(), self.expression());
                    self.line(depth, &format!("{v} = {e};"));
                }
            }
        }
    }
}
