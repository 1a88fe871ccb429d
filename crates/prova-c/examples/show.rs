//! Prints a lowered program as text, for looking at it while working on the lowering.

fn main() {
    let mut options = prova_c::Options::default();
    let mut files = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "-32" => options.model = prova_ir::DataModel::Ilp32,
            _ => files.push(argument),
        }
    }
    match prova_c::load(&files, &options) {
        Ok(lowered) => {
            lowered.warnings.iter().for_each(|w| eprintln!("{w}"));
            print!("{}", prova_ir::text::print(&lowered.program));
        }
        Err(errors) => errors.iter().for_each(|e| eprintln!("{}", e.render(false))),
    }
}
