//! Random C programs that use much of the language's data: integers of all widths, floats,
//! arrays, structures with bit-fields, unions, bytes of wider values, the heap, pointers to
//! functions, recursion with local arrays, uninitialised storage, and arbitrary pointers.

use crate::generate::Random;

const PRELUDE: &str = r#"
typedef unsigned long size_t;
typedef __builtin_va_list va_list;
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void free(void *);
extern void *memcpy(void *, const void *, size_t);
extern void *memset(void *, int, size_t);
extern size_t strlen(const char *);
extern int strcmp(const char *, const char *);
extern int printf(const char *, ...);
extern void reach_error(void);

struct part { signed char c; short s; int i; unsigned b : 5; int sb : 7; long l; };
struct whole { struct part a; int v[3]; struct part *link; double d; };
union view { int i; unsigned char b[4]; float f; };

int g0;
unsigned char g1 = 3;
short ga[4] = { 1, -2, 3 };
long gl = -7;
struct part gq = { 1, 2, 3, 4, 5, 6 };
struct whole gw = { { 1, 2 }, { 5, 6, 7 }, &gq, 0.5 };
union view gu;
const char *text = "abc";

static int plus(int x, int y) { return x + y; }
static int less(int x, int y) { return x < y; }
static int mix(int x, int y) { g0 ^= x; return g0 - y; }
static int (*const ops[4])(int, int) = { plus, less, mix, plus };
static struct part turn(struct part p, int by) {
  p.i += by; p.b = p.i; p.sb = by; p.c = p.s; return p;
}
static int deep(int n, int *up) {
  int own[2];
  own[n & 1] = n;
  if (n <= 0) return *up + own[0];
  own[0] = *up + n;
  int below = deep(n - 1, &own[n & 1]);
  return below + own[0];
}
static long sum(int n, ...) {
  va_list rest;
  long total = 0;
  __builtin_va_start(rest, n);
  for (int i = 0; i < n; i++) total += __builtin_va_arg(rest, int);
  __builtin_va_end(rest);
  return total;
}
"#;

const LOCALS: &str = "
  int x = 1, y = 2; unsigned u = 3; signed char c = -4; unsigned char uc = 5; short s = 6;
  unsigned short us = 7; long l = -8; unsigned long ul = 9; _Bool t = 1; __int128 w = 10;
  float f = 1.5f; double d = -2.25; long double e = 3;
  int arr[4] = { 1, 2, 3, 4 }; unsigned char bytes[4] = { 9, 8, 7, 6 }; char word[4] = \"xy\";
  struct part q = { 1, 2, 3, 4, 5, 6 }, *pq = &q; struct whole h = gw; union view v = { 1 };
  int *p = &x, *heap = 0; int raw; int rawa[3]; double da[2] = { 1, 2 };
  (void)us; (void)ul;
";

const INTEGERS: [&str; 16] = [
    "x", "y", "u", "c", "uc", "s", "us", "l", "ul", "t", "g0", "g1", "gl", "w", "raw", "u",
];

/// A program; with `entry`, a function with arbitrary arguments takes the place of `main`. Where
/// longs are not `wide`, there are no 128-bit integers either.
pub fn program(seed: u64, entry: bool, wide: bool) -> String {
    let mut w = Writer {
        random: Random::new(seed),
        text: String::new(),
        loops: 0,
        floats: false,
    };
    w.floats = w.random.one_in(3);
    if entry {
        w.text.push_str("// entry: start\n");
    }
    w.text.push_str(PRELUDE);
    w.text.push_str(if entry {
        "int start(struct whole *ah, int *ap, int ai) {"
    } else {
        "int main(void) {\n  struct whole *ah = &gw; int *ap = &g0, ai = __VERIFIER_nondet_int();"
    });
    w.text.push_str(LOCALS);
    let count = 4 + w.random.below(8);
    w.statements(count, 1);
    w.text.push_str("  return x;\n}\n");
    if wide {
        w.text
    } else {
        w.text.replace("__int128", "long long").replace("64", "32")
    }
}

struct Writer {
    random: Random,
    text: String,
    loops: usize,
    floats: bool,
}

impl Writer {
    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.random.below(from.len() as u64) as usize]
    }

    /// An integer place.
    fn place(&mut self, depth: u32) -> String {
        let i = if depth == 0 {
            self.pick(&["0", "1", "x & 1", "uc & 3"]).to_string()
        } else {
            format!("{} & 3", self.integer(depth - 1))
        };
        match self.random.below(24) {
            0 | 1 => format!("arr[{i}]"),
            2 => format!("bytes[{i}]"),
            3 => format!("ga[{i}]"),
            4 => format!("q.{}", self.pick(&["c", "s", "i", "b", "sb", "l"])),
            5 => format!("pq->{}", self.pick(&["c", "s", "i", "b", "sb", "l"])),
            6 => format!(
                "h.{}",
                self.pick(&["a.i", "a.b", "v[1]", "a.l", "v[x & 1]"])
            ),
            7 => format!(
                "ah->{}",
                self.pick(&["a.i", "a.sb", "v[2]", "a.c", "v[ai & 1]"])
            ),
            8 => self.pick(&["v.i", "v.b[x & 3]", "gu.i", "gu.b[1]"]).into(),
            9 | 10 => self.pick(&["*p", "*ap", "p[0]"]).into(),
            11 => format!("((unsigned char *)&x)[{i}]"),
            12 => format!("((unsigned char *)&l)[{i}]"),
            13 => "rawa[x & 1]".into(),
            _ => self.pick(&INTEGERS).into(),
        }
    }

    fn constant(&mut self) -> String {
        match self.random.below(6) {
            0 => self
                .pick(&["2147483647", "-1", "255u", "65536L", "0x80000000u"])
                .into(),
            _ => self.random.below(9).to_string(),
        }
    }

    fn input(&mut self) -> String {
        let kinds = [
            "int", "char", "uchar", "short", "uint", "long", "bool", "int",
        ];
        format!("__VERIFIER_nondet_{}()", self.pick(&kinds))
    }

    fn integer(&mut self, depth: u32) -> String {
        if depth == 0 {
            return if self.random.one_in(3) {
                self.constant()
            } else {
                self.place(0)
            };
        }
        let a = self.integer(depth - 1);
        let b = self.integer(depth - 1);
        match self.random.below(22) {
            0..=2 => format!("({a} + {b})"),
            3 | 4 => format!("({a} - {b})"),
            5 => format!("({a} * {b})"),
            6 => format!("({a} {} {b})", self.pick(&["&", "|", "^"])),
            7 => format!("({a} << ({b} & 7))"),
            8 => format!("({a} >> ({b} & 15))"),
            9 => format!("({a} / (({b}) | 1))"),
            10 => format!("({a} % {})", 1 + self.random.below(9)),
            11 => format!(
                "({a} {} {b})",
                self.pick(&["==", "!=", "<", "<=", ">", ">="])
            ),
            12 => format!("({} ? {a} : {b})", self.condition(0)),
            13 => format!(
                "(({})({a}))",
                self.pick(&[
                    "signed char",
                    "unsigned short",
                    "long",
                    "unsigned",
                    "_Bool",
                    "__int128"
                ])
            ),
            14 => format!("{}({a})", self.pick(&["-", "~", "!", "+"])),
            15 => format!("ops[{a} & 3]({b}, 3)"),
            16 => format!("({} && {b})", self.condition(0)),
            17 if self.floats => format!("(int)({})", self.float(depth - 1)),
            18 => format!("(p - arr == {a})"),
            19 => format!("(({a}) {} ({b}))", self.pick(&["<<", ">>"])),
            _ => self.place(depth - 1),
        }
    }

    fn float(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self
                .pick(&[
                    "f",
                    "d",
                    "e",
                    "1.5",
                    "0.25f",
                    "h.d",
                    "v.f",
                    "da[1]",
                    "da[x & 1]",
                ])
                .into();
        }
        let (a, b) = (self.float(depth - 1), self.integer(0));
        match self.random.below(6) {
            0 => format!("({a} + {})", self.float(0)),
            1 => format!("({a} - {})", self.float(0)),
            2 => format!("({a} * 2)"),
            3 => format!("(float)({b})"),
            4 => format!("(-{a})"),
            _ => a,
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        if self.random.one_in(8) {
            return self
                .pick(&[
                    "p == ap",
                    "p == &x",
                    "heap != 0",
                    "p < arr + 2",
                    "ah->link == 0",
                    "ah->link == pq",
                    "(void *)p == (void *)pq",
                ])
                .into();
        }
        if self.floats && self.random.one_in(3) {
            let (a, b) = (self.float(depth), self.float(0));
            return format!("{a} {} {b}", self.pick(&["<", "<=", "==", "!=", ">"]));
        }
        let (a, b) = (self.integer(depth), self.integer(0));
        format!("{a} {} {b}", self.pick(&["==", "!=", "<", "<=", ">", ">="]))
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.text.push_str(&"  ".repeat(depth));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn statements(&mut self, count: u64, depth: usize) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        match self.random.below(30) {
            0..=2 if depth < 4 => {
                let condition = self.condition(1);
                self.line(depth, &format!("if ({condition}) {{"));
                self.statements(2, depth + 1);
                self.line(depth, "} else {");
                self.statements(1, depth + 1);
                self.line(depth, "}");
            }
            3 if depth < 3 => {
                let i = format!("i{}", self.loops);
                self.loops += 1;
                let bound = ["3", "(x & 3)", "2"][self.random.below(3) as usize];
                self.line(
                    depth,
                    &format!("for (int {i} = 0; {i} < {bound}; {i}++) {{"),
                );
                // Storage that is entered anew in every round.
                self.line(
                    depth + 1,
                    &format!("int n{i}; int na{i}[2]; struct part np{i}; int *nq{i} = &n{i};"),
                );
                self.line(
                    depth + 1,
                    &format!("x += na{i}[{i} & 1] + *nq{i} + np{i}.s;"),
                );
                self.line(
                    depth + 1,
                    &format!("na{i}[0] = {i}; np{i}.i = x; *nq{i} = y;"),
                );
                self.statements(2, depth + 1);
                self.line(depth, "}");
            }
            4 if depth < 4 => {
                let value = self.integer(1);
                self.line(depth, &format!("switch ((int){value}) {{"));
                self.line(depth, "case 1:");
                self.statements(1, depth + 1);
                let end = if self.random.one_in(2) {
                    "break; case 4:"
                } else {
                    "case -1:"
                };
                self.line(depth, end);
                self.statements(1, depth + 1);
                self.line(depth, "break; default:");
                self.statements(1, depth + 1);
                self.line(depth, "}");
            }
            5 | 6 => {
                let to = self.pick(&[
                    "&x",
                    "&y",
                    "&arr[x & 3]",
                    "arr + 1",
                    "&q.i",
                    "&h.v[1]",
                    "ap",
                    "&g0",
                    "&ah->v[0]",
                    "&v.i",
                ]);
                self.line(depth, &format!("p = {to};"));
            }
            7 => {
                let to = self.pick(&["&q", "&gq", "&h.a", "&ah->a", "&gw.a"]);
                self.line(depth, &format!("pq = {to};"));
            }
            8..=10 => {
                let (to, input) = (self.place(0), self.input());
                self.line(depth, &format!("{to} = {input};"));
            }
            11 => {
                let n = self.integer(0);
                let text = self.pick(&[
                    "q = turn(q, N);",
                    "gq = turn(*pq, N);",
                    "h.a = q;",
                    "gw = h;",
                    "*pq = ah->a;",
                    "h = *ah;",
                ]);
                self.line(depth, &text.replace('N', &n));
            }
            12 => {
                let n = self.integer(0);
                let call = self.pick(&[
                    "deep(N & 3, p)",
                    "deep(2, &arr[N & 3])",
                    "sum(3, (int)(N), x, y)",
                    "(int)strlen(text)",
                    "strcmp(word, text)",
                    "mix(N, y)",
                    "ops[2](x, N)",
                    "printf(\"%d\\n\", (int)(N))",
                ]);
                let to = self.place(0);
                self.line(depth, &format!("{to} = {};", call.replace('N', &n)));
            }
            13 => {
                let text = self.pick(&[
                    "heap = malloc(8); heap[0] = x; heap[1] = y; x = heap[y & 1];",
                    "heap = calloc((x & 3) + 1, 4); heap[0] = y; y = heap[x & 1 & (x & 3)];",
                    "heap = malloc((x & 3) + 4); *heap = y; u = *(unsigned char *)heap; free(heap); heap = 0;",
                    "{ struct part *m = malloc(sizeof *m); m->i = x; m->b = y; ah->link = m; l = m->l + m->i; }",
                    "memcpy(rawa, arr, 8);",
                    "memcpy(&x, bytes, 4);",
                    "memset(arr, x, 6);",
                    "memcpy(&v, &arr[x & 1], sizeof v);",
                    "word[x & 3] = 0; s = (short)strlen(\"ab\");",
                    "{ int n = (x & 3) + 1; short vla[n]; vla[0] = (short)y; vla[n - 1] = 3; x = vla[0]; }",
                    "w = ((__int128)x << 64) | ul; l = (long)(w >> 60);",
                    "if (ah->link) ah->link->i = ai;",
                    "if (ah->link) { x = ah->link->s; pq = ah->link; }",
                    "goto out; out: x++;",
                ]);
                let label = format!("out{}", self.loops);
                self.loops += 1;
                self.line(depth, &text.replace("out", &label));
            }
            14 | 15 if self.floats => {
                let (to, value) = (
                    self.pick(&["f", "d", "e", "h.d", "v.f", "da[x & 1]"]),
                    self.float(2),
                );
                let value = match self.random.below(4) {
                    0 => "__VERIFIER_nondet_float()".into(),
                    1 => "__VERIFIER_nondet_double()".into(),
                    _ => value,
                };
                self.line(depth, &format!("{to} = {value};"));
            }
            16 => {
                let condition = self.condition(1);
                self.line(depth, &format!("if ({condition}) reach_error();"));
            }
            17 | 18 => {
                let (to, value) = (self.place(1), self.integer(1));
                let op = self.pick(&["+=", "-=", "^=", "|=", "*="]);
                self.line(depth, &format!("{to} {op} {value};"));
            }
            19 => {
                let to = self.place(0);
                let op = self.pick(&["++", "--"]);
                self.line(depth, &format!("y = {to}{op};"));
            }
            _ => {
                let (to, value) = (self.place(1), self.integer(2));
                self.line(depth, &format!("{to} = {value};"));
            }
        }
    }
}
