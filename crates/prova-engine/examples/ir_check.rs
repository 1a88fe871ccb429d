//! Checks a program in text form; for trying engines without C.
use prova_engine::{Budget, Dash, Engine, Observer, Task};

struct Print;
impl Observer for Print {
    fn explain(&mut self, line: &str) {
        println!("{line}");
    }
    fn explains(&self) -> bool {
        true
    }
}

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("readable");
    let program = prova_ir::text::parse(&text).expect("a program");
    let budget = Budget::new(Some(std::time::Duration::from_secs(20)), None);
    let report = Dash::default().check(&Task { program, seed: 0 }, &budget, &mut Print);
    println!("{report:#?}");
}
