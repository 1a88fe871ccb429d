//! How time grows with programs and machines: components of a hundred to a thousand lines against
//! machines with about as many states, of several shapes. No corpus is needed.
//!
//! `PROVA_SIZES` (such as `100,200`) restricts it. Pictures go to `docs`, or where `PROVA_PICTURES`
//! says.

mod measure;
mod shapes;

use measure::{draw, measure};

fn main() {
    if measure::is_one() {
        return;
    }
    let sizes = std::env::var("PROVA_SIZES").unwrap_or_default();
    let mut sizes: Vec<usize> = sizes.split(',').filter_map(|s| s.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![100, 200, 400, 700, 1_000];
    }
    let mut drawn: Vec<(&str, Vec<f64>)> = Vec::new();
    println!("shape          lines  states  seconds  iterations   MB  verdict");
    for (name, make) in shapes::SHAPES {
        let mut seconds = Vec::new();
        for &size in &sizes {
            let shape = make(size);
            let own = tempfile::tempdir().expect("a folder");
            let (program, machine) = (own.path().join("g.c"), own.path().join("g.lts"));
            std::fs::write(&program, shapes::component(&shape)).expect("written");
            std::fs::write(&machine, shapes::specification(&shape)).expect("written");
            let found = measure(&program, &machine, "simulation", None);
            println!(
                "{name:<12} {size:>7} {:>7} {:>8.2} {:>11} {:>4}  {}",
                shape.states.len(),
                found.seconds,
                found.iterations,
                found.megabytes,
                found.verdict
            );
            seconds.push(found.seconds);
        }
        drawn.push((name, seconds));
    }
    let title = "seconds by lines of the component";
    draw("conform-growth.svg", title, &sizes, &drawn);
}
