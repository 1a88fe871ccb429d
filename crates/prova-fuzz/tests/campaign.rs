//! Campaigns on small programs: what they find, and that a machine which starts again runs as a new
//! one does. Counts, never times.

use prova_exec::{run_plain, Code, Limits, RunEnd};
use prova_fuzz::campaign::STEPS;
use prova_fuzz::coverage::distances;
use prova_fuzz::target::Target;
use prova_fuzz::{Campaign, Candidate};
use std::path::Path;
use std::sync::Arc;

fn code(name: &str, source: &str) -> Arc<Code> {
    let options = prova_c::Options::default();
    let unit = prova_c::parse_text(name, source, &options).expect("it parses");
    let lowered = prova_c::lower(vec![unit], &options).expect("it lowers");
    let mut program = lowered.program;
    prova_spec::weave_unreach_call(&mut program, &prova_spec::Spec::default());
    Code::new(Arc::new(program)).expect("it runs")
}

const HEAD: &str = "extern void reach_error(void);\n\
    extern char __VERIFIER_nondet_char(void);\n\
    extern int __VERIFIER_nondet_int(void);\n\
    extern unsigned __VERIFIER_nondet_uint(void);\n";

/// Runs that a campaign takes to a failing test, at most this many.
fn runs_to_failure(name: &str, body: &str, most: u64) -> u64 {
    let mut campaign = Campaign::new(&code(name, &format!("{HEAD}{body}")), 0);
    while campaign.executions < most {
        let finds = campaign.advance(100_000, || false);
        if let Some(find) = finds.iter().find(|f| f.fails()) {
            assert!(matches!(find.end, RunEnd::ErrorReached(_)));
            return campaign.executions;
        }
    }
    panic!("{name}: nothing was found in {} runs", campaign.executions);
}

const WORD: &str = "int main(void) {\n\
    if (__VERIFIER_nondet_uint() == 0xdeadbeef && __VERIFIER_nondet_int() == -77)\n\
        reach_error();\n\
    return 0;\n}";

const KEYWORD: &str = "static int same(const char *a, const char *b, int n) {\n\
    for (int i = 0; i < n; i++) if (a[i] != b[i]) return 0;\n\
    return 1;\n}\n\
    int main(void) {\n\
    char text[12];\n\
    for (int i = 0; i < 12; i++) text[i] = __VERIFIER_nondet_char();\n\
    if (same(text, \"commit\", 6) && text[6] == ':' && text[11] == text[0])\n\
        reach_error();\n\
    return 0;\n}";

const DEPTH: &str = "int main(void) {\n\
    int depth = 0;\n\
    for (int i = 0; i < 40; i++) {\n\
        char c = __VERIFIER_nondet_char();\n\
        if (c == '(') depth++;\n\
        else if (c == ')' && depth > 0) depth--;\n\
        else return 0;\n\
        if (depth == 9) reach_error();\n\
    }\n\
    return 0;\n}";

const LENGTH: &str = "int main(void) {\n\
    unsigned char head[4];\n\
    for (int i = 0; i < 4; i++) head[i] = __VERIFIER_nondet_char();\n\
    unsigned size = head[0] | head[1] << 8 | head[2] << 16 | (unsigned)head[3] << 24;\n\
    if (size == 70000) reach_error();\n\
    return 0;\n}";

const MEMORY: &str = "struct packet { int kind; short length; char body[4]; };\n\
    int main(void) {\n\
    struct packet p;\n\
    if (p.kind == 4711 && p.length > 200 && p.body[2] == 'x') reach_error();\n\
    return 0;\n}";

#[test]
fn what_runs_compare_leads_to_the_error() {
    let programs = [
        ("word", WORD),
        ("keyword", KEYWORD),
        ("depth", DEPTH),
        ("length", LENGTH),
        ("memory", MEMORY),
    ];
    for (name, body) in programs {
        let runs = runs_to_failure(name, body, 400_000);
        println!("{name}: {runs} runs");
    }
}

#[test]
fn a_campaign_is_the_same_every_time() {
    let runs = |_: usize| runs_to_failure("keyword", KEYWORD, 400_000);
    assert_eq!(runs(0), runs(1));
}

#[test]
fn an_error_that_cannot_be_reached_is_not_found() {
    let body = "int main(void) { int x = __VERIFIER_nondet_int();\n\
        if (x % 2 == 0 && x % 4 == 1) reach_error(); return 0; }";
    let mut campaign = Campaign::new(&code("parity", &format!("{HEAD}{body}")), 0);
    let finds = campaign.advance(3_000_000, || false);
    assert!(!finds.iter().any(|f| f.fails()));
    assert!(campaign.executions > 1_000);
    assert!(!campaign.few().is_empty());
}

/// Every program in these folders, on tests that a campaign made for it: a machine that starts
/// again says what a new one says.
#[test]
fn a_machine_that_starts_again_runs_as_a_new_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let (mut programs, mut tests) = (0, 0);
    for folder in ["bytes", "small", "values", "undefined"] {
        let mut files: Vec<_> = std::fs::read_dir(root.join(folder))
            .expect("the folder is there")
            .map(|e| e.expect("it can be read").path())
            .filter(|p| p.extension().is_some_and(|e| e == "c"))
            .collect();
        files.sort();
        for path in files {
            let name = path.display().to_string();
            let source = std::fs::read_to_string(&path).expect("it can be read");
            let code = code(&name, &source);
            let mut campaign = Campaign::new(&code, 1);
            let finds = campaign.advance(200_000, || false);
            let mut target: Target<true> = Target::new(&code, &distances(&code), STEPS);
            let limits = Limits {
                steps: STEPS,
                memory: 64 << 20,
                depth: 2_000,
                output: 0,
                ..Limits::default()
            };
            let found = finds.iter().map(|f| &f.candidate);
            let nothing = Candidate::default();
            for candidate in found.chain([&nothing]) {
                let new = run_plain(&code, &candidate.test(), limits);
                let again = target.run(candidate);
                assert_eq!(again.end, new.end, "{name}");
                assert_eq!(again.steps, new.steps, "{name}");
                assert_eq!(again.inputs, new.inputs, "{name}");
                tests += 1;
            }
            programs += 1;
        }
    }
    assert!(
        programs > 20 && tests > 200,
        "{programs} programs, {tests} tests"
    );
}
