//! What real programs hold and the parser alone would not take. Each piece must parse, and what
//! stands for it in the tree must be what the lowering expects.

use prova_c::preprocess::Options;
use prova_c::{parse_text, Unit};

fn parse(text: &str) -> Unit {
    match parse_text("test.i", text, &Options::default()) {
        Ok(unit) => unit,
        Err(diagnostic) => panic!("{}\nin:\n{text}", diagnostic.render(false)),
    }
}

#[test]
fn old_and_new_c_parses() {
    for text in [
        "",
        ";;; int x;; ;",
        "main() { return 0; }",
        "f(a, b) char *a; register b; { auto x = 1; return x; }",
        "typedef int T; typeof(T *) p; __typeof__(T[3]) a; typeof(T) t; __typeof__(p) q;",
        "__extension__ typedef struct { long long q; } lldiv_t; int y = __extension__ 3;",
        "unsigned __int128 u; __int128 s; signed __int128 t; __uint128_t v; __int128_t w;",
        "__float128 q; _Float128 r; _Float32x s; __thread int t; __const__ int c;",
        "extern int x __asm__(\"y\") __attribute__((visibility(\"hidden\")));",
        "void f(void) { __asm__ volatile(\"nop\" ::: \"memory\"); asm(\"nop\"); asm inline volatile (\"\"); }",
        "void f(int x) { asm goto (\"jmp %l0\" : : \"r\"(x) : \"cc\" : out); out: ; }",
        "__asm__(\".globl x\"); int x; asm(\"y:\\n\"\n\"ret\"); int y;",
        "void f(void) { __label__ a, b; a: b: ; }",
        "void *f(int i) { static void *t[] = { &&a, &&b }; goto *t[i]; a: return 0; b: return (void *)&&a; }",
        "int f(int a, int b) { return a ?: b ? : 3; }",
        "int f(int a, int b) { return (a) && b && a++ && (b); }",
        "struct __attribute__((packed)) s { int a; } x; struct __attribute__ ((aligned(8))) t; union __attribute__((packed)) __attribute__((aligned(2))) { char c; } u;",
        "struct s { int a : 3 __attribute__((packed)); int b __attribute__((aligned(16))); } __attribute__ ( (packed) ) v;",
        "enum __attribute__((packed)) e { A __attribute__((deprecated)) = 1, B };",
        "[[nodiscard]] int f(void); [[noreturn]] void g(void); struct [[gnu::packed]] s { char c; int i; };",
        "int f(int x) { switch (x) { case 1: x++; __attribute__((fallthrough)); case 2 ... 4: [[fallthrough]]; default: } return x; }",
        "int f(void) { l: int x = 1; m: __attribute__((unused)); goto l; n: }",
        "_Static_assert(1); _Static_assert(sizeof(int) == 4, \"x\"); struct s { _Static_assert(1); int a; };",
        "struct e {}; struct s { struct e e; int a[]; }; struct e f(void) { return (struct e){}; }",
        "struct s { int a; }; int f(struct s *p) { *p = (struct s){}; if (p) {} while (p) {} return p->a; }",
        "struct s { _Alignas(16) int x; _Alignas(double) char y; }; _Alignas(8) int z;",
        "int f(void) { int x = 1; return __alignof__(x) + __alignof__(int) + _Alignof(long); }",
        "int f(void) { return __builtin_types_compatible_p(int, long) + __builtin_types_compatible_p(typeof(1), int); }",
        "int f(int a) { __auto_type x = a + ({ int y = 1; y; }); return x; }",
        "int a<:3:> = <% 1, 2, 3 %>;",
        "char *s = \"\\e[0m \\E \\u00e9 \\U0001F600 \\% \\x41 \\101\"; int c = '\\e'; int w = L'\\u20ac';",
        "int caf\\u00e9 = 1, naïve, a$b; int f(void) { return caf\\u00e9 + a$b; }",
        "int f(void) { return ({ __label__ x; x: 3; }); }",
        "int x = 1; // c++ comment\nint y /* comment */ = 2;\x0c\x0b\nint z;",
        "int x;\n#pragma GCC diagnostic push\n  #pragma omp parallel\n# 3 \"x.c\"\nint y;",
        "_Noreturn void f(void); inline static int g(void) { return 1; } extern __inline__ int h(void);",
        "_Atomic int a; _Atomic(int) b; _Complex double c; _Thread_local int d; _Bool e;",
        "int f(int n, int a[static n], int b[const], int c[*]); int g(int n, int a[n][n]) { int v[n]; return a[0][n - 1]; }",
        "int f(x, y) int x; int (*y)(void); { return y(); } void (*signal(int, void (*)(int)))(int);",
        "int f(void) { return _Generic(1, int: 1, default: 2) + sizeof(int[3]) + sizeof 1; }",
        "int a[] = { [0 ... 3] = 1, [5] = 2, 7 }; struct p { int x, y; } p = { .x = 1, y: 2 }; int *q = (int[]){ 1, 2 };",
        "int f(void) { int i; for (register j = 0; j < 3; j++) ; do i = 0; while (0); if (1) ; else ; for (;;) break; return 0; }",
        "void f(void) __attribute__((noreturn)); void __attribute__((noreturn)) g(void); __attribute__((noreturn)) void h(void);",
        "int f(int x __attribute__((unused)), char *restrict p, ...) { __builtin_va_list ap; __builtin_va_start(ap, p); return __builtin_va_arg(ap, int); }",
        "int x = 0b101 + 0x1F + 017 + 10ULL + 'a' + L'b'; double d = 0x1p-3 + 1e3f + .5L + 1.;",
        "int f(void) { return __builtin_offsetof(struct { int a; struct { int b[3]; } c; }, c.b[1]); }",
        "#pragma pack(push, 1)\nstruct s { char c; int i; };\n#pragma pack(pop)\nstruct t { char c; };",
        "typedef struct a a; struct a { a *next; }; a *f(a *a) { return a->next; }",
        "int f(a) { return a; } g(b) { return b; }",
        "char *s = \"a\" \"b\" L\"c\" u8\"d\"; char c = u'x';",
    ] {
        parse(text);
    }
}

#[test]
fn stand_ins_are_as_documented() {
    let text = |source: &str| parse(source).text().to_string();
    assert_eq!(
        text("int f(int a) { return a ?: 2; }")
            .matches("__prova_condition")
            .count(),
        1
    );
    assert_eq!(
        text("void f(void) { l: goto *&&l; }"),
        "void f(void) { l: __prova_goto(__prova_label_address(l)); }"
    );
    assert!(text("#pragma pack(2)\nstruct s { int a; } x;")
        .contains("} __attribute__((pragma_pack(2))) x;"));
    assert!(!text("#pragma pack(2)\nint f(void) { return 0; }").contains("pragma_pack"));
    assert!(text("struct __attribute__((packed)) s { int a; } x;")
        .contains("} __attribute__((packed)) x;"));
    assert_eq!(
        text("int x __attribute__((unused));").trim_end(),
        "int x                        ;".trim_end()
    );
    assert_eq!(
        text("__auto_type x = a/**/+$;"),
        "__typeof__((0, a    +__prova_name__x24_)) x = a    +__prova_name__x24_;"
    );
}

#[test]
fn names_come_back_as_written() {
    for name in ["a$b", "$", "_$_", "__x__$", "naïve", "$$a_1"] {
        let unit = parse(&format!("int {name};"));
        let word = unit.text()[4..].trim_end_matches(';');
        assert!(word.is_ascii() && !word.contains('$'));
        assert_eq!(prova_c::fixups::original_name(word), name);
    }
    assert_eq!(prova_c::fixups::original_name("plain_name"), "plain_name");
}

#[test]
fn parameters_may_be_named_like_types() {
    for (text, casts) in [
        ("int f(int T, int x) { return (T) - x; }", 0),
        (
            "struct s { int T; }; int f(int T, struct s *x) { return (T) - x->T; }",
            0,
        ),
        ("int f(T T, int x) { return (T) - x; }", 0),
        ("int f(int x, T *const T) { return (T) - x; }", 0),
        ("int f(int x, int (*T)(T)) { return (T) - x; }", 0),
        (
            "int f(T, int x); int g(int T); int h(int x) { return (T) - x; }",
            1,
        ),
        ("int f(const T x) { return (T) - x; }", 1),
        ("int f(T (*x)(T)) { return (T) - x(1); }", 1),
    ] {
        let unit = parse(&format!("typedef int T; {text}"));
        let tree = format!("{:?}", unit.ast());
        assert_eq!(tree.matches("Cast(").count(), casts, "{text}");
    }
}

/// What gcc makes of a text, without the parts that name the file.
fn assembly(text: &str) -> Option<String> {
    use std::io::Write;
    let mut child = std::process::Command::new("cc")
        .args(["-x", "cpp-output", "-w", "-O0", "-S", "-o", "-", "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    assert!(output.status.success(), "the compiler refuses:\n{text}");
    let lines = String::from_utf8(output.stdout).ok()?;
    Some(
        lines
            .lines()
            .filter(|l| !l.contains(".file"))
            .collect::<Vec<_>>()
            .join("\n"),
    )
}

#[test]
fn edits_do_not_change_what_the_compiler_makes_of_a_program() {
    for text in [
        "f(a, b) char *a; register b; { auto x = 1; static y = 3; const z = *a; return x + y + z + b; }",
        "struct __attribute__((packed)) s { char c; int i; } x; int size = sizeof(struct s);",
        "struct __attribute__ ( (aligned(32)) ) s { char c; }; int size = sizeof(struct s);",
        "struct s { char c; _Alignas(16) int x; _Alignas(double) char y; }; int size = sizeof(struct s);",
        "int f(void) { int x = 1; return __alignof__(x) + __alignof__(short) * 100; }",
        "char *f(int a) { char b[3] = \"ab\"; __auto_type x = b + a; return x; }",
        "int a<:3:> = <% 1, 2, 3 %>;",
        "char s[] = \"\\e[0m \\u00e9 \\U0001F600 \\% caf\u{e9}\"; int w[] = { L'\\u20ac', '\\E' };",
        "struct s { int a, b; }; struct s f(void) { return (struct s){}; } int *g(void) { static int x; if (&x) {} return (int[3]){}, &x; }",
        "int f(int x) { switch (x) { case 1: x++; __attribute__((fallthrough)); case 2 ... 4: [[fallthrough]]; default: } return x; }",
        "typedef short T; typeof(T *) p; __typeof__(T[3]) a; int size = sizeof(a); int f(int T, int x) { return (T) - x; }",
        "#pragma pack(push, 2)\nstruct s { char c; int i; };\n#pragma pack(pop)\nint size = sizeof(struct s);",
        "int x = 1; // c++ comment\nint y /* comment */ = 2;\x0c\x0b\nint z = '\"' + '/' + \"/*\"[0];",
        "extern int e __asm__(\"other\"); int f(int a) { asm(\"nop\"); asm volatile(\"nop\" ::: \"memory\"); return e; }",
        "__extension__ typedef long long L; L f(L x) { return __extension__ (x << 3); }",
    ] {
        let edited = parse(text).text().to_string();
        match assembly(text) {
            Some(before) => assert_eq!(assembly(&edited), Some(before), "{text}\n{edited}"),
            None => eprintln!("no C compiler; skipped"),
        }
    }
}

#[test]
fn positions_survive_the_edits() {
    let source = "main() { static a$b; __int128 c; return x; }";
    let unit = parse(source);
    let at = unit.text().find("return").unwrap();
    let position = unit.lines().position(at);
    assert_eq!(position.column as usize, source.find("return").unwrap() + 1);
    assert_eq!((position.file, position.line), ("test.i", 1));
}

#[test]
fn system_headers_parse() {
    let headers = [
        "aio",
        "arpa/inet",
        "assert",
        "byteswap",
        "complex",
        "cpio",
        "ctype",
        "dirent",
        "dlfcn",
        "elf",
        "endian",
        "err",
        "errno",
        "error",
        "execinfo",
        "fcntl",
        "fenv",
        "float",
        "fnmatch",
        "ftw",
        "getopt",
        "glob",
        "grp",
        "iconv",
        "inttypes",
        "langinfo",
        "libgen",
        "limits",
        "link",
        "locale",
        "malloc",
        "math",
        "memory",
        "monetary",
        "mqueue",
        "net/if",
        "netdb",
        "netinet/in",
        "netinet/tcp",
        "nl_types",
        "poll",
        "pthread",
        "pwd",
        "regex",
        "resolv",
        "sched",
        "search",
        "semaphore",
        "setjmp",
        "signal",
        "spawn",
        "stdalign",
        "stdarg",
        "stdatomic",
        "stdbool",
        "stddef",
        "stdint",
        "stdio",
        "stdlib",
        "stdnoreturn",
        "string",
        "strings",
        "sys/epoll",
        "sys/file",
        "sys/ioctl",
        "sys/ipc",
        "sys/mman",
        "sys/msg",
        "sys/param",
        "sys/poll",
        "sys/prctl",
        "sys/ptrace",
        "sys/random",
        "sys/resource",
        "sys/select",
        "sys/sem",
        "sys/shm",
        "sys/signal",
        "sys/socket",
        "sys/stat",
        "sys/statvfs",
        "sys/syscall",
        "sys/sysinfo",
        "sys/time",
        "sys/times",
        "sys/types",
        "sys/uio",
        "sys/un",
        "sys/utsname",
        "sys/wait",
        "syslog",
        "tar",
        "termios",
        "tgmath",
        "threads",
        "time",
        "uchar",
        "ucontext",
        "ulimit",
        "unistd",
        "utime",
        "utmpx",
        "wchar",
        "wctype",
        "wordexp",
    ];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("all.c");
    let mut source = String::from("#define _GNU_SOURCE 1\n");
    for header in headers {
        source += &format!("#if __has_include(<{header}.h>)\n#include <{header}.h>\n#endif\n");
    }
    source += "int main(void) { return 0; }\n";
    std::fs::write(&file, source).unwrap();
    if let Err(diagnostic) = prova_c::parse_file(&file, &Options::default()) {
        panic!("{}", diagnostic.render(false));
    }
}
