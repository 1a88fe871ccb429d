//! `prova run`: what it prints and how it ends, and the same programs under gcc.

mod common;

use common::Run;
use std::path::Path;
use std::process::Command;

/// Runs a program with these further arguments; `inputs` becomes a file for `--inputs`.
fn run(source: &str, inputs: Option<&str>, arguments: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.c");
    std::fs::write(&file, source).unwrap();
    let mut all = vec!["run".to_string(), file.display().to_string()];
    if let Some(inputs) = inputs {
        let path = folder.path().join("inputs");
        std::fs::write(&path, inputs).unwrap();
        all.extend(["--inputs".to_string(), path.display().to_string()]);
    }
    all.extend(arguments.iter().map(|a| a.to_string()));
    let run = common::prova(all);
    assert!(run.code.is_some(), "{run:?}");
    assert!(!run.stderr.contains("panicked"), "{run:?}");
    run
}

fn ends(run: Run, code: i32, part: &str) {
    assert_eq!(run.code, Some(code), "{run:?}");
    assert!(run.stderr.contains(part), "no `{part}` in {run:?}");
}

const TWO: &str = "extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    int a = __VERIFIER_nondet_int();
    unsigned char b = __VERIFIER_nondet_uchar();
    return a - b;
}
";

#[test]
fn inputs_from_a_file() {
    ends(run(TWO, Some("-5 # first\n0x10\n"), &[]), 0, "returned -21");
    ends(run(TWO, None, &[]), 0, "returned 0");
    let seeded = run(TWO, None, &["--seed", "7"]);
    assert_eq!(run(TWO, None, &["--seed", "7"]).stderr, seeded.stderr);
}

#[test]
fn inputs_that_cannot_be_used() {
    ends(run(TWO, Some("1\n"), &[]), 2, "inputs exhausted");
    ends(
        run(TWO, Some("1\n2\n3\n"), &[]),
        2,
        ":3: more inputs than the 2",
    );
    ends(
        run(TWO, Some("1\ntwo\n"), &[]),
        2,
        ":2: `two` is not a number",
    );
    ends(
        run(TWO, Some("1\n256\n"), &[]),
        2,
        ":2: out of range for 8 bits",
    );
    ends(
        run(TWO, Some("1\n1.5\n"), &[]),
        2,
        ":2: a whole number is asked for",
    );
    ends(
        run(TWO, None, &["--inputs", "no/such/file"]),
        2,
        "no/such/file",
    );
    ends(run(TWO, Some("\u{0}\u{1}\n"), &[]), 2, "is not a number");
    ends(run(TWO, Some(""), &[]), 2, "inputs exhausted");
    for first in ["5000000000", "-2147483649", "0x1ffffffff"] {
        let inputs = format!("{first}\n1\n");
        ends(
            run(TWO, Some(&inputs), &[]),
            2,
            ":1: out of range for 32 bits",
        );
    }
    let endless = format!("{}\n1\n", "9".repeat(100_000));
    ends(run(TWO, Some(&endless), &[]), 2, ":1: `999");
}

#[test]
fn floating_inputs() {
    let source = "extern float __VERIFIER_nondet_float(void);
        extern double __VERIFIER_nondet_double(void);
        int main(void) { float f = __VERIFIER_nondet_float(); double d = __VERIFIER_nondet_double();
            return (int)(f * 4) + (int)d; }";
    ends(run(source, Some("1.25\n-3\n"), &[]), 0, "returned 2");
}

#[test]
fn every_run_ends_with_a_verdict() {
    let main = |body: &str| format!("#include <stdlib.h>\nint main(void) {{ {body} }}");
    ends(
        run(&main("for (;;);"), None, &["--max-steps", "100000"]),
        3,
        "100000 steps",
    );
    ends(
        run(&main("for (;;);"), None, &["--max-time", "1"]),
        3,
        "time limit",
    );
    let hungry = main("for (;;) { char *p = malloc(1 << 20); if (p) p[5] = 1; }");
    ends(
        run(&hungry, None, &["--max-memory", "20", "--max-time", "60"]),
        3,
        "limit",
    );
    ends(
        run(&main("int z = 0; return 5 / z;"), None, &[]),
        3,
        "division by zero",
    );
    ends(
        run(&main("int *p = (int *)77777; return *p;"), None, &[]),
        3,
        "invalid read",
    );
    ends(
        run(&main("int *p = 0; *p = 1; return 0;"), None, &[]),
        3,
        "invalid write",
    );
    ends(
        run(&main("int a[2]; a[0] = 1; return a[3];"), None, &[]),
        3,
        "invalid read",
    );
    ends(
        run(&main("*(char *)\"abc\" = 1; return 0;"), None, &[]),
        3,
        "constant",
    );
    ends(
        run(
            &main("int *p = malloc(4); free(p); free(p); return 0;"),
            None,
            &[],
        ),
        3,
        "free",
    );
    let deep = "int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }";
    ends(run(deep, None, &[]), 3, "nested calls");
    ends(run(&main("exit(3);"), None, &[]), 0, "exited with status 3");
    ends(run(&main("abort();"), None, &[]), 0, "aborted");
}

#[test]
fn the_trace_shows_lines_and_values() {
    let run = run(TWO, Some("9\n4\n"), &["--trace"]);
    assert!(
        run.stdout
            .contains(":4: int a = __VERIFIER_nondet_int();    // a = 9"),
        "{run:?}"
    );
    assert!(run.stdout.contains("b = 4"), "{run:?}");
}

/// Compiles with gcc and runs; `None`, loudly, where there is no gcc.
fn gcc(source: &Path, include: &[&str]) -> Option<String> {
    let program = source.with_extension("out");
    let compiled = Command::new("gcc")
        .args(["-w", "-O0", "-fwrapv", "-o"])
        .arg(&program)
        .arg(source)
        .args(include)
        .arg("-lm")
        .status();
    if !compiled.is_ok_and(|s| s.success()) {
        eprintln!("SKIPPED: gcc is not here or does not compile the program");
        return None;
    }
    let output = Command::new("timeout")
        .arg("5")
        .arg(&program)
        .output()
        .expect("the program starts");
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What gcc's program prints is what `prova run` prints.
fn same_as_gcc(source: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.c");
    std::fs::write(&file, source).unwrap();
    let Some(expected) = gcc(&file, &[]) else {
        return;
    };
    let got = common::prova(["run", file.to_str().unwrap()]);
    for (ours, theirs) in got.stdout.lines().zip(expected.lines()) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(got.stdout, expected, "{}", got.stderr);
}

#[test]
fn floats_bit_by_bit_as_gcc() {
    // Each value meets each conversion and operator; the bits are printed.
    let values = "0.0, -0.0, 1.0, -1.5, 0.1, 1e-310, 5e-324, 1e300, 3e9, -3e9, 2147483647.5, \
        -2147483648.5, 4294967296.0, 9.3e18, -9.3e18, 1.8e19, 2e19, 1.0 / zero, -1.0 / zero, \
        123456789.125, 16777217.0, 0.5, 255.9, -0.9, 65536.7, zero / zero, -(zero / zero), \
        of(0x7ff8000000000123), of(0xfff8000000000456), of(0x7ff0000000000789)";
    same_as_gcc(&format!(
        "#include <stdio.h>
#include <string.h>
unsigned long long bits(double d) {{ unsigned long long u; memcpy(&u, &d, 8); return u; }}
unsigned fbits(float d) {{ unsigned u; memcpy(&u, &d, 4); return u; }}
double of(unsigned long long u) {{ double d; memcpy(&d, &u, 8); return d; }}
int main(void) {{
    double zero = 0.0;
    double v[] = {{ {values} }};
    int n = sizeof v / sizeof v[0];
    for (int i = 0; i < n; i++) {{
        double d = v[i];
        float f = (float)d;
        long double l = d;
        printf(\"%d %llx %x %d %ld %u %lu\\n\", i, bits(d), fbits(f), (int)d, (long)d,
            (unsigned)d, (unsigned long)d);
        printf(\"%d %d %d %d %x\\n\", (signed char)(int)d, (short)(int)f, (int)f, d != d,
            fbits((float)(l * 3)));
        printf(\"%llx %llx\\n\", bits((double)(l / 3 + 1)), bits((double)(long)d));
        printf(\"%x %x %llx\\n\", fbits((float)(int)d), fbits((float)(unsigned long)d),
            bits((double)(unsigned)d));
        for (int j = 0; j < n; j++) {{
            double e = v[j];
            float g = (float)e;
            double s = d + e, p = d * e, q = d / e, m = d - e;
            printf(\"s %llx p %llx q %llx m %llx \", bits(s), bits(p), bits(q), bits(m));
            float t = f + g, u = f * g, w = f - g, x = f / g;
            printf(\"t %x u %x w %x x %x \", fbits(t), fbits(u), fbits(w), fbits(x));
            long double h = e;
            printf(\"%llx %llx %llx %llx \", bits((double)(l + h)), bits((double)(l - h)),
                bits((double)(l * h)), bits((double)(l / h)));
            printf(\"%d%d%d%d%d\\n\", d < e, d <= e, d == e, d != e, f > g);
        }}
    }}
    return 0;
}}
"
    ));
}

#[test]
fn printf_as_glibc() {
    same_as_gcc(
        r##"#include <stdio.h>
int main(void) {
    int n = 0;
    char b[40];
    printf("%d|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%x|%#x|%X|%o|%#o|%u|%c|%%|\n", 42, 42, 42, 42,
        42, 42, 7, -7, 255, 255, 255, 8, 8, -1, 'z');
    printf("%ld|%lld|%hd|%hhd|%lx|%zu|%s|%10s|%-10s|%.2s|%*d|%-*d|%.*f\n", -5L, 1LL << 40,
        70000, 300, -1L, sizeof n, "abc", "abc", "abc", "abc", 6, 1, 6, 2, 2, 3.14159);
    printf("%f|%.0f|%#.0f|%10.3f|%-10.2f|%+f|%e|%.3E|%g|%g|%g|%G|%.10g|%#g\n", 1.5, 2.5, 2.0, 3.14159,
        2.0, 1.0, 12345.678, 0.00012, 0.0001, 0.00001, 1e6, 1e-10, 1.0 / 3, 1.0);
    printf("%a|%.2a|%5s|%.0d|%08.2f|%-8s|\n", 1.0, 3.7, "", 0, -1.5, "x");
    int m = snprintf(b, 5, "%d-%d", 123, 456);
    printf("%d %s\n", m, b);
    sprintf(b, "%s%c", "hello", '!');
    puts(b);
    putchar('q');
    putchar('\n');
    printf("%g %g %g\n", 1e100, 123456789.0, 100000.0);
    return 0;
}
"##,
    );
}

/// Twenty programs of csmith. `scripts/csmith-range` runs any number.
#[test]
fn csmith_programs_as_gcc() {
    if Command::new("csmith").arg("--version").output().is_err() {
        eprintln!("SKIPPED: csmith is not installed");
        return;
    }
    let include = "/usr/include/csmith";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.c");
    let (mut same, mut declined) = (0, Vec::new());
    for seed in 1..=20 {
        let made = Command::new("csmith")
            .args(["--seed", &seed.to_string(), "--output"])
            .arg(&file)
            .current_dir(folder.path())
            .status();
        assert!(made.is_ok_and(|s| s.success()));
        let Some(expected) = gcc(&file, &["-I", include]) else {
            continue;
        };
        let arguments = ["run", "-I", include, "--max-steps", "30000000"];
        let got = common::prova(arguments.into_iter().chain([file.to_str().unwrap()]));
        if got.code == Some(0) {
            assert_eq!(got.stdout, expected, "seed {seed}");
            same += 1;
        } else {
            declined.push((seed, got.stderr));
        }
    }
    eprintln!("{same} programs agree; declined: {declined:?}");
    assert!(declined.len() <= 1 + same / 10, "{declined:?}");
}
