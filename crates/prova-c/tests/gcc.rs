//! Layout and constants against gcc. Programs full of questions (`unsigned long long q7 =
//! sizeof(struct s3);`) are compiled and run with gcc, and lowered by us: what gcc prints and what
//! our globals start with must agree.

use prova_c::{load, Options};
use prova_ir::{DataModel, Expr, Initial, Program, Storage};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// A small deterministic generator of choices.
struct Choices(u64);

impl Choices {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % below
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.next(list.len() as u64) as usize]
    }
}

/// Questions about numbers, and about the bytes of initialised objects.
#[derive(Default)]
struct Questions {
    text: String,
    numbers: usize,
    bytes: usize,
}

impl Questions {
    fn number(&mut self, expression: &str) {
        let n = self.numbers;
        writeln!(self.text, "unsigned long long q{n} = {expression};").unwrap();
        self.numbers += 1;
    }

    /// The bytes of an object of this type with this initialiser.
    fn bytes(&mut self, ty: &str, init: &str) {
        let n = self.bytes;
        writeln!(self.text, "{ty} b{n} = {init};").unwrap();
        writeln!(self.text, "unsigned long long bs{n} = sizeof(b{n});").unwrap();
        self.bytes += 1;
    }

    fn main(&self) -> String {
        let mut text = String::from("int printf(const char *, ...);\nint main(void) {\n");
        for n in 0..self.numbers {
            writeln!(text, "printf(\"q{n} %llu\\n\", q{n});").unwrap();
        }
        for n in 0..self.bytes {
            writeln!(
                text,
                "printf(\"b{n} \"); for (unsigned long i = 0; i < bs{n}; i++) \
                 printf(\"%02x\", ((unsigned char *)&b{n})[i]); printf(\"\\n\");"
            )
            .unwrap();
        }
        text + "return 0; }\n"
    }
}

const SCALARS: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "long double",
    "_Bool",
    "void *",
    "enum small",
    "enum large",
];

const FIELDS: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
];

fn type_class(expression: &str) -> String {
    format!(
        "_Generic(({expression}), char: 1, signed char: 2, unsigned char: 3, short: 4, \
         unsigned short: 5, int: 6, unsigned: 7, long: 8, unsigned long: 9, long long: 10, \
         unsigned long long: 11, float: 12, double: 13, long double: 14, _Bool: 15, default: 99)"
    )
}

fn bits_of(ty: &str, model: DataModel) -> u64 {
    match ty {
        "_Bool" => 1,
        t if t.contains("char") => 8,
        t if t.contains("short") => 16,
        t if t.contains("long long") => 64,
        t if t.contains("long") => u64::from(model.pointer_bits()),
        _ => 32,
    }
}

/// A random structure or union, and questions about it.
fn record(q: &mut Questions, choices: &mut Choices, index: usize, model: DataModel) {
    let union = choices.next(6) == 0;
    let kind = if union { "union" } else { "struct" };
    let name = format!("{kind} s{index}");
    let mut body = String::new();
    let mut plain = Vec::new();
    let mut fields = Vec::new();
    for f in 0..1 + choices.next(6) {
        let aligned = match choices.next(14) {
            0 => " __attribute__((aligned(8)))",
            1 => " __attribute__((aligned(2)))",
            2 => " __attribute__((packed))",
            _ => "",
        };
        match choices.next(10) {
            0..=3 => {
                let ty = choices.of(FIELDS);
                let width = 1 + choices.next(bits_of(ty, model));
                writeln!(body, "  {ty} f{f} : {width}{aligned};").unwrap();
                fields.push((format!("f{f}"), ty));
            }
            4 => {
                let ty = choices.of(FIELDS);
                let width = choices.next(bits_of(ty, model) + 1);
                writeln!(body, "  {ty} : {width};").unwrap();
            }
            5 if index > 0 => {
                let inner = choices.next(index as u64);
                writeln!(body, "  t{inner} f{f}{aligned};").unwrap();
                plain.push(format!("f{f}"));
            }
            6 => {
                let ty = choices.of(SCALARS);
                let n = 1 + choices.next(4);
                writeln!(body, "  {ty} f{f}[{n}]{aligned};").unwrap();
                plain.push(format!("f{f}"));
            }
            _ => {
                let ty = choices.of(SCALARS);
                writeln!(body, "  {ty} f{f}{aligned};").unwrap();
                plain.push(format!("f{f}"));
            }
        }
    }
    let attribute = match choices.next(8) {
        0 => " __attribute__((packed))",
        1 => " __attribute__((aligned(16)))",
        2 => " __attribute__((packed, aligned(4)))",
        _ => "",
    };
    let before = choices.next(2) == 0;
    let (front, back) = if before {
        (attribute, "")
    } else {
        ("", attribute)
    };
    writeln!(
        q.text,
        "typedef {kind}{front} s{index} {{\n{body}}}{back} t{index};"
    )
    .unwrap();
    q.number(&format!("sizeof({name})"));
    q.number(&format!("_Alignof({name})"));
    q.number(&format!("__alignof__({name})"));
    for f in &plain {
        q.number(&format!("__builtin_offsetof({name}, {f})"));
        q.number(&format!("(unsigned long)&(({name} *)0)->{f}"));
    }
    for (f, _) in &fields {
        q.bytes(
            &format!("union {{ {name} s; unsigned char b[sizeof({name})]; }}"),
            &format!("{{ .s = {{ .{f} = -1 }} }}"),
        );
    }
}

fn constants(q: &mut Questions, choices: &mut Choices) {
    const LEAVES: &[&str] = &[
        "1",
        "-1",
        "7",
        "0x7fffffff",
        "0x80000000",
        "2147483648",
        "4294967295u",
        "-2147483647-1",
        "5L",
        "3000000000",
        "0xffffffffffffffff",
        "1ull",
        "'a'",
        "'\\377'",
        "L'x'",
        "(char)200",
        "(short)-3",
        "(unsigned char)300",
        "123456789012345",
        "0b101",
        "010",
        "(_Bool)5",
        "sizeof(int)",
        "1.5f",
        "2.5",
        "-0.75",
        "1e10",
        "0x1.8p3",
        "3.0L",
        "(signed char)-128",
    ];
    const BINARY: &[&str] = &["+", "-", "*", "<", ">", "<=", ">=", "==", "!=", "&&", "||"];
    const INTEGER: &[&str] = &["&", "|", "^", "<<", ">>", "/", "%"];
    let leaf = |c: &mut Choices| format!("({})", c.of(LEAVES));
    let is_float = |s: &str| s.contains('.') || s.contains("1e10");
    for _ in 0..120 {
        let (a, b) = (leaf(choices), leaf(choices));
        let expression = if choices.next(3) > 0 || is_float(&a) || is_float(&b) {
            format!("{a} {} {b}", choices.of(BINARY))
        } else {
            let op = choices.of(INTEGER);
            let b = if op.len() == 2 {
                format!("{}", choices.next(31))
            } else {
                b
            };
            // What gcc calls undefined is not asked.
            if matches!(op, "/" | "%") {
                format!("{a} {op} 7")
            } else {
                format!("{a} {op} {b}")
            }
        };
        q.number(&type_class(&expression));
        if !is_float(&expression) {
            q.number(&format!("(unsigned long long)({expression})"));
        } else {
            q.number(&format!("({expression}) > 2"));
        }
    }
}

fn promotions(q: &mut Questions) {
    for ty in SCALARS {
        q.number(&format!("sizeof({ty})"));
        q.number(&format!("_Alignof({ty})"));
        q.number(&format!("__alignof__({ty})"));
        q.number(&format!("sizeof({ty}[7])"));
        if !ty.contains('*') {
            q.number(&type_class(&format!("+({ty})1")));
            for other in SCALARS {
                if !other.contains('*') {
                    q.number(&type_class(&format!("({ty})1 + ({other})1")));
                }
            }
        }
    }
    q.text.push_str(
        "struct bf { unsigned a : 3; unsigned b : 32; int c : 32; _Bool d : 1; long long e : 5; \
         unsigned char f : 8; };\n",
    );
    for f in ["a", "b", "c", "d", "e", "f"] {
        q.number(&type_class(&format!("+((struct bf *)0)->{f}")));
    }
}

fn initialisers(q: &mut Questions) {
    q.text.push_str(
        "struct p { int x, y; }; struct n { char c; struct p p[2]; short s[3]; };\n\
         struct a { int k; union { int i; char c[8]; }; struct { int m, n; }; int z; };\n\
         struct flex { int n; short tail[]; };\n",
    );
    for (ty, init) in [
        ("struct n", "{ 1, 2, 3, 4, 5, 6, 7 }"),
        ("struct n", "{ 1, { { 2 }, { .y = 3 } }, { [1] = 9 } }"),
        ("struct n", "{ .p[1].x = 5, 6, 7, .c = 'q' }"),
        (
            "struct n",
            "{ .p = { [0].y = 4, [1] = { 1, 2 } }, .s = { 1, 2 } }",
        ),
        ("struct a", "{ 1, 2, 3, 4, 5 }"),
        ("struct a", "{ .c = \"abc\", .n = 7, 8 }"),
        ("struct a", "{ .m = 3, 4, 5 }"),
        ("struct p", "{ .y = 1, .x = 2, .y = 3 }"),
        ("char", "{ 'x' }"),
        ("long long", "{ 1ull << 40 }"),
        ("double", "1.1"),
        ("float", "1.1"),
        ("float", "1e-45"),
        ("double", "0x1.fffffffffffffp1023"),
        ("double", "(double)(float)0.1"),
        ("struct { char s[4]; char t[4]; }", "{ \"abcd\", \"e\" }"),
        ("struct { int a[2][3]; }", "{ 1, 2, 3, 4 }"),
        ("struct { int a[2][3]; }", "{ { { 1 }, { 2, 3 } } }"),
        ("struct { int a[6]; }", "{ { [1 ... 3] = 7, 8, [0] = 1 } }"),
        ("struct { struct p p; int q; }", "{ (struct p){ 1, 2 }, 3 }"),
        (
            "struct { unsigned a : 3, b : 7, : 4, c : 20; }",
            "{ 5, 100, 123456 }",
        ),
        (
            "struct { long long a : 40, b : 20; char c; }",
            "{ -2, 77, 3 }",
        ),
        ("struct { __WCHAR_TYPE__ w[3]; }", "{ L\"ab\" }"),
        ("struct { unsigned short w[4]; }", "{ u\"\\u00e9z\" }"),
        ("struct { char s[8]; }", "{ \"a\\x41\\101\\n\" \"z\" }"),
        ("union { char c; int i; }", "{ 5 }"),
        ("union { char c; int i; }", "{ .i = 0x01020304 }"),
        ("struct { _Bool b, c; }", "{ 5, 0.25 }"),
        ("struct { unsigned char c; signed char d; }", "{ 300, 200 }"),
        ("struct { int a, b; }", "{ 3.99, -3.99 }"),
    ] {
        q.bytes(ty, init);
    }
    q.text.push_str(
        "int arr[] = { 1, [5] = 2, 3 }; char str[] = \"hello\"; int nest[][2] = { 1, 2, 3 };\n",
    );
    for e in [
        "sizeof(arr)",
        "sizeof(str)",
        "sizeof(nest)",
        "sizeof(struct flex)",
        "sizeof \"abc\" \"def\"",
        "sizeof(L\"ab\")",
        "&arr[3] - &arr[1]",
        "(char *)&arr[3] - (char *)arr",
        "sizeof(arr[0]) + sizeof arr / sizeof *arr",
        "sizeof(int (*)[3])",
        "__builtin_types_compatible_p(int, const int)",
        "__builtin_types_compatible_p(long, int)",
        "__builtin_constant_p(3 + 4)",
        "__builtin_choose_expr(1, 5, \"no\")",
        "sizeof(__typeof__(1 ? 1L : 2))",
        "__builtin_clz(1) + __builtin_ctz(8) + __builtin_popcount(255) + __builtin_ffs(16)",
        "__builtin_bswap32(0x01020304)",
        "1 ? 2 : 1 / 0",
        "0 && 1 / 0",
    ] {
        q.number(e);
    }
}

fn value(program: &Program, name: &str) -> Option<u64> {
    let register = program.registers.iter().find(|r| r.c_name == name)?;
    match program.exprs.get(register.initial?) {
        Expr::Int { value, .. } => Some(value as u64),
        _ => None,
    }
}

fn contents(program: &Program, name: &str) -> Option<Vec<u8>> {
    // A lone scalar that no address is taken of lives in a register.
    if let Some(register) = program.registers.iter().find(|r| r.c_name == name) {
        return Some(constant_bytes(program, register.initial?));
    }
    let object = program.objects.iter().find(|o| o.c_name == name)?;
    let mut bytes = vec![0; object.size as usize];
    let Storage::Static { initial, .. } = &object.storage else {
        return None;
    };
    for (offset, part) in initial {
        let data = match part {
            Initial::Bytes(data) => data.clone(),
            Initial::Value(e) => constant_bytes(program, *e),
        };
        bytes[*offset as usize..*offset as usize + data.len()].copy_from_slice(&data);
    }
    Some(bytes)
}

fn constant_bytes(program: &Program, e: prova_ir::ExprId) -> Vec<u8> {
    let size = program.exprs.ty(e).bytes(program.model) as usize;
    let bits = match program.exprs.get(e) {
        Expr::Int { value, .. } => value,
        Expr::Float { bits, .. } => bits,
        Expr::Pointer(p) => u128::from(p),
        other => panic!("{other:?} has no bytes here"),
    };
    bits.to_le_bytes()[..size].to_vec()
}

fn gcc_answers(folder: &Path, source: &Path, flag: &str) -> Option<BTreeMap<String, String>> {
    let program = folder.join("questions");
    let built = Command::new("gcc")
        .args([flag, "-w", "-std=gnu11", "-o"])
        .arg(&program)
        .arg(source)
        .output()
        .ok()?;
    assert!(
        built.status.success(),
        "gcc does not take the questions:\n{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let run = Command::new(&program).output().ok()?;
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    Some(
        text.lines()
            .filter_map(|l| l.split_once(' '))
            .map(|(name, answer)| (name.to_string(), answer.to_string()))
            .collect(),
    )
}

fn can_compile(flag: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("empty.c");
    std::fs::write(
        &source,
        "#include <stdio.h>\nint main(void) { return 0; }\n",
    )
    .unwrap();
    Command::new("gcc")
        .arg(flag)
        .arg(&source)
        .arg("-o")
        .arg(folder.path().join("empty"))
        .output()
        .is_ok_and(|o| o.status.success())
}

fn compare(model: DataModel, flag: &str) {
    if !can_compile(flag) {
        eprintln!("SKIPPED: `gcc {flag}` cannot compile here, nothing is compared for {model:?}");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut compared = 0;
    let mut wrong = Vec::new();
    for seed in 1..=6u64 {
        let mut choices = Choices(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut q = Questions::default();
        q.text.push_str(
            "enum small { A, B = 5 }; enum negative { M = -1, N }; \
             enum large { L = 0x123456789LL };\n",
        );
        for e in [
            "sizeof(enum small)",
            "sizeof(enum large)",
            "(enum negative)-1 < 0",
            "L > 5",
        ] {
            q.number(e);
        }
        if seed == 1 {
            promotions(&mut q);
            initialisers(&mut q);
        }
        constants(&mut q, &mut choices);
        for index in 0..40 {
            record(&mut q, &mut choices, index, model);
        }
        let source = folder.path().join(format!("questions{seed}.c"));
        std::fs::write(&source, format!("{}{}", q.text, q.main())).unwrap();
        let answers = gcc_answers(folder.path(), &source, flag).expect("gcc runs");
        // The bytes' addresses are taken in `main` only; ours needs no `main`.
        std::fs::write(&source, &q.text).unwrap();
        let options = Options {
            model,
            ..Options::default()
        };
        let lowered = match load(&[&source], &options) {
            Ok(lowered) => lowered,
            Err(errors) => panic!("{}", errors[0].render(false)),
        };
        for n in 0..q.numbers {
            let name = format!("q{n}");
            let ours = value(&lowered.program, &name).map(|v| v.to_string());
            compared += 1;
            if ours.as_ref() != answers.get(&name) {
                let question = q.text.lines().find(|l| l.contains(&format!(" {name} =")));
                wrong.push(format!(
                    "seed {seed}: {question:?}: {ours:?}, gcc {:?}",
                    answers.get(&name)
                ));
            }
        }
        for n in 0..q.bytes {
            let name = format!("b{n}");
            let ours = contents(&lowered.program, &name).map(|bytes| {
                bytes.iter().fold(String::new(), |mut text, b| {
                    write!(text, "{b:02x}").unwrap();
                    text
                })
            });
            compared += 1;
            if ours.as_ref() != answers.get(&name) {
                let question = q.text.lines().find(|l| l.contains(&format!(" {name} =")));
                wrong.push(format!(
                    "seed {seed}: {question:?}: {ours:?}, gcc {:?}",
                    answers.get(&name)
                ));
            }
        }
    }
    eprintln!("{compared} answers compared for {model:?}");
    assert!(compared >= 300);
    let shown: Vec<&String> = wrong.iter().take(40).collect();
    assert!(
        wrong.is_empty(),
        "{} of {compared} differ from gcc:\n{shown:#?}",
        wrong.len()
    );
}

#[test]
fn agrees_with_gcc_on_lp64() {
    compare(DataModel::Lp64, "-m64");
}

#[test]
fn agrees_with_gcc_on_ilp32() {
    compare(DataModel::Ilp32, "-m32");
}
