//! Small pieces of C and facts about what becomes of them.

use prova_c::{lower, parse_text, Lowered, Options};
use prova_ir::{
    DataModel, Expr, Halt, MarkerKind, Origin, Program, Role, Statement, Storage, Type,
};

fn lower_units(texts: &[&str]) -> Result<Lowered, Vec<String>> {
    let options = Options::default();
    let mut units = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let unit = parse_text(&format!("unit{index}.c"), *text, &options);
        units.push(unit.map_err(|e| vec![e.to_string()])?);
    }
    lower(units, &options).map_err(|errors| errors.iter().map(|e| e.render(false)).collect())
}

fn program(text: &str) -> Program {
    match lower_units(&[text]) {
        Ok(lowered) => lowered.program,
        Err(errors) => panic!("{}", errors.join("\n")),
    }
}

fn error(text: &str) -> String {
    match lower_units(&[text]) {
        Ok(_) => panic!("this should not lower: {text}"),
        Err(errors) => errors.join("\n"),
    }
}

fn warnings(text: &str) -> Vec<String> {
    let lowered = lower_units(&[text]).unwrap_or_else(|e| panic!("{}", e.join("\n")));
    lowered.warnings.iter().map(|w| w.message.clone()).collect()
}

fn statements<'a>(program: &'a Program, name: &str) -> Vec<&'a Statement> {
    let proc = program.find_procedure(name).expect("the function exists");
    let body = program
        .procedure(proc)
        .body
        .as_ref()
        .expect("it has a body");
    body.edges.iter().map(|e| &e.statement).collect()
}

fn initial(program: &Program, name: &str) -> u128 {
    let register = program.registers.iter().find(|r| r.c_name == name).unwrap();
    match program.exprs.get(register.initial.unwrap()) {
        Expr::Int { value, .. } => value,
        other => panic!("{name} starts with {other:?}"),
    }
}

#[test]
fn scalars_are_registers_unless_their_address_is_taken() {
    let p = program(
        "int a, b; int *f(void) { int c = 1, d; static int e; d = c; e++; return d ? &b : 0; }",
    );
    for name in ["a", "c", "d", "e"] {
        assert!(p.registers.iter().any(|r| r.c_name == name), "{name}");
    }
    assert!(p.objects.iter().any(|o| o.c_name == "b"));
    let e = p.registers.iter().find(|r| r.c_name == "e").unwrap();
    assert_eq!((e.role, e.owner), (Role::Global, None));
}

#[test]
fn uninitialised_variables_are_arbitrary_only_where_they_are_read() {
    let p = program("int f(int c) { int x, y; x = 1; if (c) y = 2; return x + y; }");
    let arbitrary: Vec<&str> = statements(&p, "f")
        .iter()
        .filter_map(|s| match s {
            Statement::Nondet {
                target,
                origin: Origin::Uninitialised,
            } => Some(p.register(*target).c_name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(arbitrary, ["y"]);
}

#[test]
fn short_circuits_of_plain_operands_are_one_expression() {
    let plain = program("int f(int a, int b) { return a > 1 && b < 2; }");
    assert_eq!(statements(&plain, "f").len(), 1);
    let loads = program("int f(int *p) { return p && *p; }");
    assert!(
        statements(&loads, "f").len() > 2,
        "the load must be guarded"
    );
    let divides = program("int f(int a, int b) { return b && a / b; }");
    assert!(
        statements(&divides, "f").len() > 2,
        "the division must be guarded"
    );
}

#[test]
fn inputs_assumptions_and_ends() {
    let p = program(
        "unsigned char __VERIFIER_nondet_uchar(void); void __VERIFIER_assume(int); void abort(void);
         void exit(int); int main(void) { unsigned char c = __VERIFIER_nondet_uchar();
         __VERIFIER_assume(c > 3); if (c == 4) abort(); exit(c); }",
    );
    let s = statements(&p, "main");
    let input = s.iter().find_map(|s| match s {
        Statement::Nondet {
            target,
            origin: Origin::Input(name),
        } => Some((name.as_str(), p.register(*target).ty)),
        _ => None,
    });
    assert_eq!(input, Some(("__VERIFIER_nondet_uchar", Type::Int(8))));
    assert!(s.iter().any(|s| matches!(s, Statement::Halt(Halt::Abort))));
    assert!(s
        .iter()
        .any(|s| matches!(s, Statement::Halt(Halt::Exit(_)))));
    assert!(p.entry.is_some());
}

#[test]
fn error_functions_stay_calls() {
    let p = program("void reach_error(void); int main(void) { reach_error(); return 0; }");
    let called = p.find_procedure("reach_error").unwrap();
    assert!(p.procedure(called).body.is_none());
    assert!(statements(&p, "main")
        .iter()
        .any(|s| matches!(s, Statement::Call { .. })));
}

#[test]
fn assembly_is_marked_and_its_outputs_are_arbitrary() {
    let text = "int f(int y) { int x; __asm__ volatile(\"mov %1, %0\" : \"=r\"(x) : \"r\"(y)); return x; }";
    let p = program(text);
    assert_eq!(p.markers.len(), 1);
    assert_eq!(p.markers[0].kind, MarkerKind::Assembly);
    assert!(statements(&p, "f").iter().any(|s| matches!(
        s,
        Statement::Nondet {
            origin: Origin::Unmodelled(_),
            ..
        }
    )));
    assert!(warnings(text).iter().any(|w| w.contains("assembly")));
    assert!(
        program("void f(void) { __asm__ volatile(\"\" ::: \"memory\"); }")
            .markers
            .is_empty()
    );
}

#[test]
fn unknown_builtins_are_marked() {
    let text = "int f(void) { return __builtin_ia32_pause_exotic(1); }";
    assert_eq!(
        program(text).markers[0].kind,
        MarkerKind::Builtin("__builtin_ia32_pause_exotic".into())
    );
}

#[test]
fn constant_expressions() {
    let p = program(
        "struct s { char c; int i; }; enum e { A = 5, B };
         unsigned long a = sizeof(struct s) + B; int b = (char)300 << 2 | 1; int c = 3 > 2 ? 7 : 1 / 0;
         long d = (long)&((struct s *)0)->i; int e = 1.5 * 4; unsigned char f = -1; int g = !5.5;
         int h = sizeof(char[3][4]); int i = 'ab'; int j = -7 / 2; int k = L'x' == 'x';",
    );
    let expected = [
        ("a", 14),
        ("b", 177),
        ("c", 7),
        ("d", 4),
        ("e", 6),
        ("f", 255),
        ("g", 0),
        ("h", 12),
        ("i", 24930),
        ("j", 0xffff_fffd),
        ("k", 1),
    ];
    for (name, value) in expected {
        assert_eq!(initial(&p, name), value, "{name}");
    }
}

#[test]
fn static_names_stay_apart_and_others_are_shared() {
    let lowered = lower_units(&[
        "static int x = 1; extern int shared; static int f(void) { return x; } int g(void) { return f() + shared; }",
        "static int x = 2; int shared = 3; static int f(void) { return x; } int h(void) { return f(); }",
    ])
    .unwrap();
    let p = lowered.program;
    assert_eq!(p.registers.iter().filter(|r| r.c_name == "x").count(), 2);
    assert_eq!(
        p.registers.iter().filter(|r| r.c_name == "shared").count(),
        1
    );
    assert_eq!(p.procedures.iter().filter(|f| f.c_name == "f").count(), 2);
    assert_eq!(initial(&p, "shared"), 3);
}

#[test]
fn conflicting_definitions_show_both_places() {
    for (a, b) in [
        ("int f(void) { return 1; }", "int f(void) { return 2; }"),
        ("int x = 1;", "int x = 2;"),
    ] {
        let errors = lower_units(&[a, b]).unwrap_err().join("\n");
        assert!(errors.contains("defined twice"), "{errors}");
        assert!(
            errors.contains("unit0.c") && errors.contains("unit1.c"),
            "{errors}"
        );
    }
    assert!(error("int f(void) { return 1; } int f(void) { return 2; }").contains("defined twice"));
    assert!(lower_units(&["int common;", "int common;"]).is_ok());
}

#[test]
fn different_types_in_two_files_are_warned_about() {
    let lowered = lower_units(&[
        "extern int f(int); int g(void) { return f(1); }",
        "long f(long x) { return x; }",
    ]);
    let warnings = lowered.unwrap().warnings;
    assert!(warnings
        .iter()
        .any(|w| w.message.contains("different types")));
}

#[test]
fn implicit_declarations_are_warned_about() {
    let found = warnings("int main(void) { return helper(1, 2); }");
    assert!(found
        .iter()
        .any(|w| w.contains("`helper` is called but not declared")));
}

#[test]
fn what_is_not_c_or_not_supported_is_an_error() {
    for (text, part) in [
        ("_Complex double z = 1;", "_Complex"),
        ("int main(void) { return x; }", "`x` is not declared"),
        ("struct s { struct s inner; };", "contains itself"),
        ("int f(void) { goto nowhere; }", "`nowhere` is not defined"),
        (
            "_Static_assert(sizeof(int) == 2, \"small\");",
            "static assertion failed",
        ),
        ("int f(void) { break; }", "`break` outside"),
        (
            "int f(void) { switch (1) { case 1: case 1: ; } return 0; }",
            "appears twice",
        ),
        (
            "struct s { int a; }; int f(struct s x) { return x.b; }",
            "no member `b`",
        ),
        ("int f(int a) { return f(); }", "too few arguments"),
        ("int x; int x(void);", "something else"),
        ("int n; int a[n];", "must be constant"),
        ("int y; int x = y;", "not constant"),
        (
            "int f(void) { struct incomplete s; return 0; }",
            "incomplete",
        ),
        ("struct s { int a; }; struct s { int b; };", "redefinition"),
        ("int f(void) { return *5; }", "not a pointer"),
        ("void f(void) { 1 = 2; }", "written to"),
    ] {
        let message = error(text);
        assert!(message.contains(part), "{text}\n{message}");
    }
}

#[test]
fn models_come_only_when_needed() {
    let with =
        program("unsigned long strlen(const char *); int f(char *s) { return strlen(s) > 3; }");
    let strlen = with.find_procedure("strlen").unwrap();
    assert!(with.procedure(strlen).body.is_some());
    assert!(with.find_procedure("strcpy").is_none());
    let own = program("int strlen(char *s) { return 7; } int f(char *s) { return strlen(s); }");
    assert_eq!(statements(&own, "strlen").len(), 1);
    let none = program("int f(void) { return 0; }");
    assert_eq!(none.procedures.len(), 1);
}

#[test]
fn copies_of_a_known_size_are_one_step() {
    let p = program(
        "void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);
         struct s { int a[9]; }; void f(struct s *p, struct s *q) { memcpy(p, q, sizeof *p); memset(q, 0, sizeof *q); }",
    );
    let copies = statements(&p, "f");
    assert_eq!(copies.len(), 2);
    assert!(copies
        .iter()
        .all(|s| matches!(s, Statement::Copy { size: 36, .. })));
}

#[test]
fn flexible_arrays_enlarge_their_object() {
    let p = program("struct v { int n; short tail[]; } v = { 2, { 7, 8, 9 } };");
    let object = p.objects.iter().find(|o| o.c_name == "v").unwrap();
    assert_eq!(object.size, 10);
    assert!(matches!(&object.storage, Storage::Static { initial, .. } if initial.len() == 4));
}

#[test]
fn undefined_extern_variables_are_arbitrary() {
    let p = program("extern int x; extern int a[4]; int f(void) { return x + a[1]; }");
    let x = p.registers.iter().find(|r| r.c_name == "x").unwrap();
    assert!(x.initial.is_none());
    let a = p.objects.iter().find(|o| o.c_name == "a").unwrap();
    assert!(matches!(a.storage, Storage::External));
}

#[test]
fn extern_arrays_of_unknown_length_can_be_accessed() {
    let text = "extern char a[]; extern int b[]; int b[3]; int f(int i) { return a[i] + b[0]; }";
    let p = program(text);
    let size = |name| p.objects.iter().find(|o| o.c_name == name).unwrap().size;
    assert_eq!((size("a"), size("b")), (1 << 20, 12));
    assert!(warnings(text).iter().any(|w| w.contains("length of `a`")));
}

#[test]
fn names_with_dollars_are_shown_as_written() {
    let p = program("int a$b = 4; int f$(void) { return a$b; }");
    assert_eq!(initial(&p, "a$b"), 4);
    assert!(p.find_procedure("f$").is_some());
}

#[test]
fn every_edge_has_a_position() {
    let p = program(
        "int f(int n) {\n int s = 0;\n for (int i = 0; i < n; i++)\n  s += i;\n return s;\n}",
    );
    let body = p.procedures[0].body.as_ref().unwrap();
    assert!(body.edges.iter().all(|e| e.span.is_known()));
    let lines: Vec<u32> = body.edges.iter().map(|e| e.span.line).collect();
    for line in 2..=5 {
        assert!(lines.contains(&line), "{lines:?}");
    }
}

#[test]
fn deep_nesting_does_not_overflow() {
    let depth = 400;
    let text = format!(
        "int f(int x) {{ return {}x{}; }} int g(int x) {{ {} x = 1; {} return x; }}",
        "(1 + ".repeat(depth),
        ")".repeat(depth),
        "if (x) {".repeat(depth),
        "}".repeat(depth)
    );
    assert_eq!(program(&text).procedures.len(), 2);
}

#[test]
fn the_programs_of_the_repository_lower_and_print_back() {
    let root = std::env::current_dir()
        .expect("the package's folder")
        .join("../..");
    let mut count = 0;
    for folder in ["tests/programs", "examples"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().and_then(|e| e.to_str()) != Some("c") {
                continue;
            }
            for model in [DataModel::Lp64, DataModel::Ilp32] {
                let options = Options {
                    model,
                    ..Options::default()
                };
                let lowered = match prova_c::load(&[&path], &options) {
                    Ok(lowered) => lowered,
                    Err(errors) => panic!("{}: {}", path.display(), errors[0]),
                };
                assert_eq!(prova_ir::validate::validate(&lowered.program), []);
                let text = prova_ir::text::print(&lowered.program);
                let back = prova_ir::text::parse(&text).unwrap();
                assert_eq!(prova_ir::text::print(&back), text, "{}", path.display());
                count += 1;
            }
        }
    }
    assert!(count >= 40, "{count}");
}

#[test]
fn a_name_is_declared_once_in_a_block() {
    for text in [
        "int main(void) { int x; int x; return 0; }",
        "int main(void) { int x = 1; { int y; char y; } return x; }",
        "int f(int x) { int x = 2; return x; }",
        "int f(int x, int x) { return x; }",
        "int main(void) { static int x; int x; return 0; }",
        "int main(void) { typedef int t; int t; return 0; }",
        "int main(void) { int t; typedef int t; return 0; }",
        "int main(void) { typedef int t; typedef char t; return 0; }",
        "int x; typedef int x; int main(void) { return 0; }",
        "int main(void) { int f; int f(void); return 0; }",
        "typedef int t; typedef long t; int main(void) { return 0; }",
        "enum e { A, A }; int main(void) { return 0; }",
        "int A; enum e { A }; int main(void) { return 0; }",
    ] {
        let shown = error(text);
        assert!(
            shown.contains("twice") || shown.contains("two parameters") || shown.contains("too"),
            "{text}: {shown}"
        );
    }
    for text in [
        "int main(void) { int x = 1; { int x = 2; } for (int x = 0; x < 1; x++) { int x; } return x; }",
        "int x; int main(void) { extern int x; extern int x; int f(void); int f(void); return 0; }",
        "int main(void) { typedef int t; typedef int t; t x = 1; return x; }",
        "int f(int x) { { int x = 2; return x; } }",
        "struct x { int x; }; int main(void) { struct x x = {1}; return x.x; }",
    ] {
        program(text);
    }
}

#[test]
fn volatile_reads_are_arbitrary_unless_told_otherwise() {
    let text = "volatile int v; struct { int a; volatile int b : 3; } s; volatile int *p; \
                int f(void) { volatile int l = 1; v = 2; return v + l + s.b + *p + s.a; }";
    let arbitrary = |options: &Options| {
        let unit = parse_text("v.c", text, options).unwrap();
        let p = lower(vec![unit], options).unwrap().program;
        let statements = statements(&p, "f");
        let chosen = statements.iter().filter(|s| {
            matches!(
                s,
                Statement::Nondet {
                    origin: Origin::Choice(_),
                    ..
                }
            )
        });
        chosen.count()
    };
    assert_eq!(arbitrary(&Options::default()), 4);
    let plain = Options {
        volatile: prova_c::Volatile::Plain,
        ..Options::default()
    };
    assert_eq!(arbitrary(&plain), 0);
}

#[test]
fn what_is_called_a_truth_value_is_one() {
    for declared in [
        "",
        "extern int __VERIFIER_nondet_bool(void); ",
        "extern _Bool __VERIFIER_nondet_bool(void); ",
    ] {
        let p = program(&format!(
            "{declared}int f(void) {{ return __VERIFIER_nondet_bool(); }}"
        ));
        let assumed = statements(&p, "f")
            .iter()
            .any(|s| matches!(s, Statement::Assume(_)));
        assert!(assumed, "{declared}");
    }
}

#[test]
fn programs_without_endings_have_no_start_of_ours() {
    let p = program("void exit(int); int main(void) { exit(3); }");
    assert!(p
        .procedures
        .iter()
        .all(|q| !q.c_name.starts_with("__prova")));
    let p = program(
        "void exit(int); static void d(void) {} static void d(void) __attribute__((destructor)); \
         int main(void) { exit(3); }",
    );
    assert!(p.procedures.iter().any(|q| q.c_name == "__prova_leave"));
}

#[test]
fn assembly_beside_functions_is_marked_where_the_program_starts() {
    let p = program("__asm__(\".globl f\\nf: ret\"); int main(void) { return 0; }");
    assert!(statements(&p, "main")
        .iter()
        .any(|s| matches!(s, Statement::Marker(_))));
    let p = program("__asm__(\".symver f, f@V1\"); int main(void) { return 0; }");
    assert!(!statements(&p, "main")
        .iter()
        .any(|s| matches!(s, Statement::Marker(_))));
}

#[test]
fn strong_definitions_take_the_place_of_weak_ones() {
    let weak = "__attribute__((weak)) int level(void) { return 1; } int weak_value __attribute__((weak)) = 1; \
                int main(void) { return level() + weak_value; }";
    let strong = "int level(void) { return 2; } int weak_value = 2;";
    for texts in [[weak, strong], [strong, weak]] {
        let p = lower_units(&texts)
            .unwrap_or_else(|e| panic!("{}", e.join("\n")))
            .program;
        let returned = statements(&p, "level").iter().any(|s| match s {
            Statement::Assign { value, .. } => {
                matches!(p.exprs.get(*value), Expr::Int { value: 2, .. })
            }
            _ => false,
        });
        assert!(returned);
        assert!(!statements(&p, "main")
            .iter()
            .any(|s| matches!(s, Statement::Marker(_))));
    }
    let alone = program(weak);
    assert!(statements(&alone, "main")
        .iter()
        .any(|s| matches!(s, Statement::Marker(_))));
}

#[test]
fn constants_cannot_be_assigned() {
    for text in [
        "int f(void) { const int x = 1; x = 2; return x; }",
        "int f(const int x) { return x++; }",
        "int f(const char *p) { *p = 1; return 0; }",
        "struct s { const int a; }; int f(struct s *p) { p->a += 1; return 0; }",
        "const int v[2]; int f(void) { v[0] = 1; return 0; }",
    ] {
        let shown = error(text);
        assert!(shown.contains("is constant"), "{text}: {shown}");
    }
    program(
        "int f(const char *p, char *const q) { const char *r = p; r = q; *q = 1; p++; return *r; }",
    );
}

/// Whether `main` calls a function of the program's text.
fn main_calls(program: &Program, name: &str) -> bool {
    let called = program.find_procedure(name);
    let is = |s: &&Statement| matches!(s, Statement::Call { callee: prova_ir::Callee::Direct(p), .. } if Some(*p) == called);
    statements(program, "main").iter().any(is)
}

#[test]
fn a_format_that_a_variable_holds_is_known_in_straight_code() {
    let with = |body: &str| {
        program(&format!(
            "int printf(const char *, ...); int c; int main(void) {{ const char *f, *g; {body} return 0; }}"
        ))
    };
    // Known: the call is taken apart.
    for body in [
        "f = \"%d\"; printf(f, 1);",
        "f = (const char *)\"%d\"; c = 2; printf(f, 1);",
        "{ f = \"%d\"; } g = f; printf(g, 1);",
        "const char *h = \"%d\"; printf(h, 1);",
    ] {
        assert!(!main_calls(&with(body), "printf"), "{body}");
    }
    // Not known: another way leads there, or something else was assigned.
    for body in [
        "if (c) f = \"%d\"; printf(f, 1);",
        "f = \"%d\"; if (c) f = \"%s\"; printf(f, 1);",
        "f = \"%d\"; again: printf(f, 1); f = \"%x\"; if (c++) goto again;",
        "f = \"%d\"; f++; printf(f, 1);",
        "f = \"%d\"; c = (f = \"%x\", 1); printf(f, 1);",
        "f = \"%d\"; c ? (f = \"%x\", 0) : 0; printf(f, 1);",
        "f = \"%d\"; c ? ({ f = \"%x\"; 0; }) : printf(f, 1);",
        "f = \"%d\"; while (c--) { printf(f, 1); f = \"%x\"; }",
        "f = \"%d\"; switch (c) { case 1: f = \"%x\"; case 2: printf(f, 1); }",
        "f = c ? \"%d\" : \"%x\"; printf(f, 1);",
    ] {
        assert!(main_calls(&with(body), "printf"), "{body}");
    }
    // A global variable may be changed by a call, one whose address is known by anybody.
    for text in [
        "int printf(const char *, ...); const char *f; void g(void) { f = \"%x\"; } \
         int main(void) { f = \"%d\"; g(); printf(f, 1); return 0; }",
        "int printf(const char *, ...); void g(const char **p) { *p = \"%x\"; } \
         int main(void) { const char *f = \"%d\"; g(&f); printf(f, 1); return 0; }",
    ] {
        assert!(main_calls(&program(text), "printf"), "{text}");
    }
}

#[test]
fn an_address_may_be_kept_in_an_integer_of_its_width() {
    let p = program("int x; struct s { unsigned long at; } t = {(unsigned long)&x}; unsigned long u = (unsigned long)(&x + 1); int main(void) { return t.at == u; }");
    let object = p.objects.iter().find(|o| o.c_name == "t").expect("`t`");
    let Storage::Static { initial, .. } = &object.storage else {
        panic!("`t` is static");
    };
    assert_eq!(initial.len(), 1);
    assert!(error("int x; int narrow = (int)(unsigned long)&x;").contains("not constant"));
}

#[test]
fn an_alias_may_see_an_object_as_another_type() {
    let text =
        "static int table[4] = {1, 2, 3, 4}; extern int first __attribute__((alias(\"table\"))); \
                int *p = &first; int main(void) { return first + *p; }";
    let p = program(text);
    // One object, whoever names it.
    let named = |name: &str| p.objects.iter().filter(|o| o.c_name == name).count();
    assert_eq!((named("table"), named("first")), (1, 0));
    let larger = "static int one = 1; extern int many[4] __attribute__((alias(\"one\"))); int main(void) { return many[3] + *&one; }";
    assert!(error(larger).contains("cannot be the same variable"));
}

#[test]
fn assembly_changes_its_outputs_only_if_the_user_says_so() {
    let text = "int f(int y) { int x; __asm__ volatile(\"mov %1, %0\" : \"=r\"(x) : \"r\"(y)); return x; }";
    let options = Options {
        assembly: prova_c::Assembly::Outputs,
        ..Options::default()
    };
    let unit = parse_text("unit.c", text, &options).expect("it parses");
    let p = lower(vec![unit], &options).expect("it lowers").program;
    assert!(p.markers.is_empty() && p.runs_assembly);
    let chosen = |s: &&Statement| {
        matches!(
            s,
            Statement::Nondet {
                origin: Origin::Choice(_),
                ..
            }
        )
    };
    assert!(statements(&p, "f").iter().any(chosen));
}
