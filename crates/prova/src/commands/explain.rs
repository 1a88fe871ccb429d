//! `prova explain`: what a verdict, a reason or a word of ours means.

use std::io::Write;

use clap::Args;

use crate::output::Output;
use crate::status::{Rejected, Status};

/// Arguments of `prova explain`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A verdict, a reason such as unknown:timeout, or a word such as region; all, if none.
    #[arg(value_name = "TERM")]
    term: Option<String>,
}

/// Words and what they mean.
const TERMS: &[(&str, &str)] = &[
    ("violated", "A run reaches an error. The inputs are printed, and the source lines that matter. Before it \
      is printed the program is compiled with these inputs and run: the error happens there, too. \
      Exit status 1."),
    ("proved", "No run reaches an error, however long. The facts that hold at each place are closed under every \
      step of the program; a checker that shares no code with the engines proved each step again. \
      What the proof rests on is printed with it. Exit status 0."),
    ("vacuous", "The proof holds, but says nothing about real runs: no run gets anywhere, for instance because \
      the program's assumptions contradict one another."),
    ("unknown", "Neither a failing run nor a proof was found. The reason follows the word. Exit status 3."),
    ("unknown:timeout", "Time ran out (--timeout). Often one loop keeps being refined: it is named, with the last \
      predicate; `--explain` shows all of them. Try more time, another engine, or a smaller entry (--entry)."),
    ("unknown:memory", "Memory ran out (--memory). Try more, or another engine."),
    ("unknown:turns", "The turns that the engines were given are over, though there is time."),
    ("unknown:interrupted", "Ctrl-C was pressed. What was known until then is printed."),
    ("unknown:unsupported", "The program uses something the chosen engine cannot encode. The place is named. \
      Check a smaller entry that avoids it (--entry), or choose another engine."),
    ("unknown:undecided", "Only steps are left on which the solver or the machine gave up. Another solver \
      (--solver cvc5) may decide them."),
    ("unknown:unmodelled", "Every way to a verdict runs through something that is not modelled: inline assembly, a \
      library function without a model, a function of your own that may not be guessed (--undefined), or one \
      that may call back what it is given. Say what it does in C, in a file of its own. \
      `prova show --stats` tells which functions are modelled, and which are not."),
    ("unknown:replay", "A test fails here, but not when the program is compiled and run with the same inputs. So \
      it is not reported as a violation. The two traces are printed."),
    ("unknown:check-failed", "A bug in Prova: its own evidence did not pass its check. Please report it."),
    ("unknown:certificate", "A proof was found, but the independent checker did not accept it, or not in time, or was \
      not asked (--no-certify). So it is not reported as a proof."),
    ("test", "A run of the program on chosen inputs. Prova runs tests to find errors, and to see which steps \
      are possible."),
    ("region", "A set of states at one place of the program, described by facts such as `i < n`. Regions that \
      no test has reached are either reached next, or shown to be unreachable."),
    ("frontier", "A step from a region that a test has reached into one that none has, on the way to an \
      error. Prova asks whether a test can take it: if so it runs that test, if not it splits."),
    ("split", "A region is divided by a predicate, so that one half cannot take the step at the frontier."),
    ("invariant", "What holds whenever execution is at a place; at the head of a loop, in every iteration."),
    ("contract", "What holds of every call of a procedure that was not inlined: what it requires when it is \
      entered, what it ensures when it returns. old(x) is what x was at the entry."),
    ("certificate", "A proof as a file: what holds where. `prova check --certificate FILE` writes it, `prova certify` \
      checks it again with solvers of your choice."),
    ("harness", "A C file that makes the error happen in a plain compiled program. `prova check --harness FILE` \
      keeps it."),
    ("assumed", "What a verdict rests on beside C and models of the library that were tested: whether allocations may \
      fail (--malloc), what volatile objects hold (--volatile), what functions of your own do that have no body \
      (--undefined). If it is otherwise, the verdict may not hold. docs/assumptions.md tells of each."),
];

/// Runs `prova explain`.
pub fn run(arguments: Arguments) -> anyhow::Result<Status> {
    let mut out = Output::new();
    match arguments.term {
        None => {
            for (term, text) in TERMS {
                write_term(&mut out, term, text)?;
            }
        }
        Some(asked) => {
            let wanted = asked.to_lowercase();
            let found = TERMS.iter().find(|(term, _)| {
                *term == wanted || term.strip_prefix("unknown:") == Some(&wanted)
            });
            let Some((term, text)) = found else {
                let words: Vec<&str> = TERMS.iter().map(|t| t.0).collect();
                return Err(Rejected::because(format!(
                    "`{asked}` is not one of {}",
                    words.join(", ")
                ))
                .into());
            };
            write_term(&mut out, term, text)?;
        }
    }
    out.flush()?;
    Ok(Status::Fine)
}

/// A term and its explanation, in lines of a readable length.
fn write_term(out: &mut Output, term: &str, text: &str) -> std::io::Result<()> {
    writeln!(out, "{term}")?;
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.len() + 1 + word.len() > 78 {
            writeln!(out, "  {line}")?;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    writeln!(out, "  {line}")
}
