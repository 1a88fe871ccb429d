//! The programs as gcc builds them, with the library's real functions. `driver.c` beside the
//! programs supplies the inputs that the heads name; sanitizers show the errors of memory and of
//! arithmetic, a call of `reach_error` shows the others.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::programs::{folder, Program};

/// What a report says when a property is violated.
fn shows(property: &str) -> &'static [&'static str] {
    match property {
        "unreach-call" => &["the error is reached", "Assertion `"],
        "assert" => &["Assertion `"],
        "no-overflow" => &[
            "signed integer overflow",
            "cannot be represented in type",
            "left shift of",
        ],
        "no-div-zero" => &["division by zero", "AddressSanitizer: FPE"],
        "no-shift-error" => &["shift exponent"],
        "no-null-deref" => &["null pointer", "unknown address 0x00"],
        "valid-deref" => &["AddressSanitizer", "null pointer", "out of bounds"],
        "valid-free" => &["attempting free", "attempting double-free"],
        "valid-memtrack" => &["detected memory leaks"],
        "valid-memcleanup" => &["blocks are left"],
        "no-uninit-read" => &["uninitialised"],
        _ => panic!("how is {property} shown?"),
    }
}

/// Reports of the address sanitizer that are not about accesses.
const NO_ACCESS: [&str; 3] = [
    "attempting free",
    "attempting double-free",
    "detected memory leaks",
];

/// The functions that the driver stands in for.
const WRAPPED: &str = "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=strdup,\
                       --wrap=aligned_alloc,--wrap=abort,--wrap=_exit";

/// How a program is built and watched.
struct How {
    sanitized: bool,
    counted: bool,
    valgrind: bool,
}

impl How {
    fn of(program: &Program) -> Self {
        let counted = program.property == "valid-memcleanup"
            || program.shown_by.as_deref() == Some("blocks that are left");
        let valgrind = program.property == "no-uninit-read";
        let called = ["unreach-call", "assert"].contains(&program.property.as_str());
        How {
            sanitized: !counted && !valgrind && !called,
            counted,
            valgrind,
        }
    }
}

fn compile(program: &Program, bits: u32, how: &How, into: &Path) -> Result<(), String> {
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-w", "-g", "-O0"])
        .arg(format!("-m{bits}"));
    if how.sanitized {
        gcc.arg("-fsanitize=undefined,address,float-divide-by-zero");
    }
    let inputs: String = program.inputs.iter().map(|i| format!("\"{i}\",")).collect();
    gcc.arg(format!("-DINPUTS={inputs}"));
    if let Some(fails) = &program.fails {
        gcc.arg(format!("-DFAILS={fails},"));
    }
    if how.counted {
        gcc.arg("-DCOUNT");
    }
    if how.counted || program.fails.is_some() {
        gcc.args(["-DWRAP", WRAPPED]);
    }
    gcc.arg(&program.path).arg(folder().join("driver.c"));
    if !program.native.is_empty() {
        let file = into.join("native.c");
        std::fs::write(&file, program.native.join("\n") + "\n").expect("written");
        gcc.arg(file);
    }
    gcc.args(&program.gcc)
        .args(["-lm", "-o"])
        .arg(into.join("program"));
    let output = gcc.output().map_err(|e| e.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Runs what was compiled, and gives its report: standard error, and whether it crashed.
fn report(program: &Program, how: &How, folder: &Path) -> Result<String, String> {
    let mut command = if how.valgrind {
        let mut command = Command::new("valgrind");
        command.arg("-q").arg(folder.join("program"));
        command
    } else {
        Command::new(folder.join("program"))
    };
    let leaks = u8::from(program.property == "valid-memtrack");
    let options =
        format!("allocator_may_return_null=1:detect_stack_use_after_return=1:detect_leaks={leaks}");
    command
        .args(&program.arguments)
        .envs(program.environment.clone())
        .env("ASAN_OPTIONS", options)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(folder.join("report")).expect("a file"));
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    // A program need not read what it is given.
    let _ = child.stdin.take().expect("piped").write_all(&program.stdin);
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break status;
        }
        if start.elapsed() > Duration::from_secs(60) {
            let _ = child.kill();
            let _ = child.wait();
            return Err("it does not end".into());
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let text = std::fs::read(folder.join("report")).expect("a report");
    let crashed = match std::os::unix::process::ExitStatusExt::signal(&status) {
        Some(11) => " crashed",
        _ => "",
    };
    Ok(String::from_utf8_lossy(&text).into_owned() + crashed)
}

/// Whether a report shows that the program's property is violated.
fn violated(program: &Program, report: &str) -> bool {
    let mut words = shows(&program.property).to_vec();
    match program.shown_by.as_deref() {
        None => {}
        Some("a crash of the program") => words.push(" crashed"),
        Some("blocks that are left") => words.push("blocks are left"),
        Some(other) => panic!("{}: shown by {other}?", program.name),
    }
    let found = words.iter().any(|w| report.contains(w));
    found && (program.property != "valid-deref" || !NO_ACCESS.iter().any(|w| report.contains(w)))
}

/// What such a program needs of the machine: `None` if it is there.
fn missing(bits: u32) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("try.c"), "int main(void) { return 0; }").expect("written");
    let gcc = Command::new("gcc")
        .current_dir(folder.path())
        .arg(format!("-m{bits}"))
        .args(["-fsanitize=undefined,address", "try.c", "-o", "try"])
        .output();
    let runs = gcc.is_ok_and(|o| o.status.success())
        && Command::new(folder.path().join("try"))
            .output()
            .is_ok_and(|o| o.status.success());
    (!runs).then(|| format!("no gcc with sanitizers for {bits} bits"))
}

/// Every twin shows its error and no safe program does. What the machine cannot do is said.
pub fn confirm(programs: &[Program], bits: impl Fn(&Program) -> u32 + Sync) {
    let without: Vec<(u32, Option<String>)> = [32, 64].map(|b| (b, missing(b))).into();
    let valgrind = Command::new("valgrind").arg("--version").output();
    let valgrind = valgrind.is_ok_and(|o| o.status.success());
    let complaints = super::each(programs, |program| {
        let how = How::of(program);
        let bits = bits(program);
        let lacks = without.iter().find(|w| w.0 == bits)?.1.as_deref();
        let lacks = lacks.or((how.valgrind && !valgrind).then_some("no valgrind"));
        if let Some(why) = lacks {
            eprintln!("skipped: {}: {why}", program.name);
            return None;
        }
        let called = program.native.iter().any(|line| line.contains("main("));
        if program.not_shown || (program.options.contains(&"--entry".into()) && !called) {
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let told = compile(program, bits, &how, folder.path())
            .and_then(|()| report(program, &how, folder.path()));
        match told {
            Err(why) => Some(format!("{} ({bits} bits): {why}", program.name)),
            Ok(text) if violated(program, &text) != program.bug => {
                let first: Vec<&str> = text.lines().take(5).collect();
                let not = if program.bug { "not " } else { "" };
                Some(format!(
                    "{} ({bits} bits): {not}shown: {first:?}",
                    program.name
                ))
            }
            Ok(_) => None,
        }
    });
    assert!(complaints.is_empty(), "{complaints:#?}");
}
