//! Lowers a C program and runs it on the machine, printing what it prints.
//!
//! `cargo run -p prova-c --example run -- [-32] [-I FOLDER] FILE…`

use std::io::Write;
use std::sync::Arc;

fn main() {
    let mut options = prova_c::Options::default();
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-32" => options.model = prova_ir::DataModel::Ilp32,
            "-I" => options
                .include_dirs
                .extend(arguments.next().map(Into::into)),
            _ => files.push(argument),
        }
    }
    let lowered = match prova_c::load(&files, &options) {
        Ok(lowered) => lowered,
        Err(errors) => {
            errors.iter().for_each(|e| eprintln!("{}", e.render(false)));
            std::process::exit(2);
        }
    };
    let program = Arc::new(lowered.program);
    let code = match prova_exec::Code::new(program.clone()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    let limits = prova_exec::Limits {
        steps: 50_000_000,
        ..prova_exec::Limits::default()
    };
    let summary = prova_exec::run_plain(&code, &prova_exec::Test::zero(), limits);
    let _ = std::io::stdout().write_all(&summary.output);
    println!("[{}]", summary.end.describe(&program));
    if let Some(at) = summary.end.at() {
        let procedure = program.procedure(at.proc);
        if let Some(body) = &procedure.body {
            let span = body.location(at.location).span;
            println!("[in {} line {}]", procedure.c_name, span.line);
        }
    }
}
