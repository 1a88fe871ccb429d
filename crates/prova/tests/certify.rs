//! `prova check --certificate` and `prova certify` from outside.

mod common;

use common::{prova, Run};
use std::path::{Path, PathBuf};

fn program(name: &str) -> PathBuf {
    std::env::current_dir()
        .expect("the package's folder")
        .join("../../tests/programs")
        .join(name)
}

/// Proves a program and gives its certificate.
fn prove(name: &str, folder: &Path) -> (PathBuf, String) {
    let file = folder.join("proof.cert");
    let run = prova([
        "check".as_ref(),
        "--certificate".as_ref(),
        file.as_os_str(),
        program(name).as_os_str(),
    ]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("certified: "), "{run:?}");
    let text = std::fs::read_to_string(&file).expect("the certificate was written");
    (file, text)
}

fn certify(name: &str, certificate: &Path) -> Run {
    prova([
        "certify".as_ref(),
        program(name).as_os_str(),
        certificate.as_os_str(),
    ])
}

#[test]
fn a_certificate_is_accepted_for_its_program_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, text) = prove("lock_loop.c", folder.path());
    assert!(text.starts_with("(prova-certificate 2)\n"), "{text}");
    assert!(text.contains("(= held (_ bv0 32))"), "{text}");
    let run = certify("lock_loop.c", &file);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.starts_with("certified: "), "{run:?}");
    let run = certify("bound.c", &file);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("other source files"), "{run:?}");
}

#[test]
fn what_is_no_proof_is_not_certified() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, text) = prove("lock_loop.c", folder.path());
    let weaker = text.replace("(= held (_ bv0 32))", "true");
    assert_ne!(weaker, text);
    std::fs::write(&file, weaker).expect("written");
    let run = certify("lock_loop.c", &file);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.stdout.starts_with("not certified: "), "{run:?}");
}

/// With `--ask-all` nothing is seen without a solver; what is no proof is none all the same.
#[test]
fn solvers_can_be_asked_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, text) = prove("lock_loop.c", folder.path());
    let ask_all = || {
        let program = program("lock_loop.c");
        prova([
            "certify".as_ref(),
            "--ask-all".as_ref(),
            program.as_os_str(),
            file.as_os_str(),
        ])
    };
    let run = ask_all();
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("(0 plain to see, "), "{run:?}");
    let weaker = text.replace("(= held (_ bv0 32))", "true");
    std::fs::write(&file, weaker).expect("written");
    let run = ask_all();
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.stdout.starts_with("not certified: "), "{run:?}");
}

#[test]
fn bad_certificates_are_bad_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, text) = prove("lock_loop.c", folder.path());
    let held = "(= held (_ bv0 32))";
    let deep = format!("{}true{}", "(not ".repeat(5000), ")".repeat(5000));
    let digest_line = text
        .lines()
        .find(|l| l.starts_with("(prepared"))
        .expect("a digest");
    let cases = [
        (String::new(), "empty"),
        ("hello".to_string(), "no certificate"),
        (text[..text.len() / 2].to_string(), "never closed"),
        (
            text.replace("(prova-certificate 2)", "(prova-certificate 1)"),
            "version 2 only",
        ),
        (
            text.replace(digest_line, "(prepared \"00\")"),
            "another program",
        ),
        (
            text.replace(held, "(= nobody (_ bv0 32))"),
            "no variable `nobody`",
        ),
        (
            text.replace(held, "(= held (_ bv0 16))"),
            "cannot be applied",
        ),
        (text.replace(held, "held"), "a truth value is needed"),
        (text.replace(held, "(= held (_ bv7 2))"), "does not fit"),
        (text.replace(held, &deep), "nested deeper"),
        (text.replace("(at 3 ", "(at 3000000 "), "no such location"),
        (text.replace("(at 3 ", "(at 0 "), "has a claim already"),
        (
            text.replace("(procedure main", "(procedure nowhere"),
            "no such procedure",
        ),
        (
            text.replace("(passes devirtualise", "(passes guess"),
            "first passes must be",
        ),
        (
            text.replace(" nans inline ", " inline nans "),
            "first passes must be",
        ),
        (
            text.replace(" nans inline ", " nans guess "),
            "no pass `guess`",
        ),
        (
            text.replace("unreach-call", "no-such-property"),
            "no property",
        ),
        (
            text.replace("(model lp64)", "(model ilp32)"),
            "another program",
        ),
        (text.replace("  (at 7 ", "  (on 7 "), "is needed here"),
    ];
    for (bad, message) in cases {
        std::fs::write(&file, &bad).expect("written");
        let run = certify("lock_loop.c", &file);
        assert_eq!(run.code, Some(2), "{message}: {run:?}");
        assert!(run.stderr.contains(message), "{message}: {run:?}");
    }
}

#[test]
fn recursive_programs_have_certificates() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, text) = prove("recursion.c", folder.path());
    assert!(text.contains("(procedure sum"), "{text}");
    let run = certify("recursion.c", &file);
    assert_eq!(run.code, Some(0), "{run:?}");
    let bad = text.replace("(= n $o0)", "(= n (_ bv1 32))");
    assert_ne!(bad, text);
    std::fs::write(&file, &bad).expect("written");
    assert_eq!(certify("recursion.c", &file).code, Some(3));
}

/// Procedures that could call themselves but never do it deeply stand as one; the checker sees for
/// itself that they do not.
#[test]
fn recursion_that_never_happens_is_certified_as_one_procedure() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, text) = prove("callbacks.c", folder.path());
    assert!(text.contains("inline-recursion-once"), "{text}");
    assert_eq!(certify("callbacks.c", &file).code, Some(0));
    let refused = text.replace("inline-recursion-once", "inline");
    std::fs::write(&file, refused).expect("written");
    let run = certify("callbacks.c", &file);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("recursion"), "{run:?}");
}

#[test]
fn an_error_says_where_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, text) = prove("lock_loop.c", folder.path());
    let bad = text.replacen("(= held (_ bv0 32))", "(= held nobody)", 1);
    let line = 1 + bad
        .lines()
        .position(|l| l.contains("nobody"))
        .expect("there");
    std::fs::write(&file, bad).expect("written");
    let run = certify("lock_loop.c", &file);
    assert!(
        run.stderr.contains(&format!("line {line}, column 15")),
        "{run:?}"
    );
}

/// A local variable of an activation lies on the heap; that it is aligned is nothing that a proof
/// may rest on, for the checker does not know it.
#[test]
fn proofs_do_not_rest_on_alignment() {
    let run = prova([
        "check".as_ref(),
        "--engine".as_ref(),
        "dash".as_ref(),
        "--undefined".as_ref(),
        "pure".as_ref(),
        program("undefined/recursive_local.c").as_os_str(),
    ]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("certified: "), "{run:?}");
}
