//! Seals: the digest of a row beside it. A row whose seal does not fit was never written by us.

use super::{Finished, Job};
use crate::digest;

/// What is to be checked, as it is written.
pub(super) fn job_text(job: &Job) -> String {
    serde_json::to_string(job).unwrap_or_default()
}

/// The seal of what is to be checked.
pub(super) fn job_seal(run: i64, number: i64, text: &str) -> String {
    let place = format!("job {run} {number}");
    digest([place.as_bytes(), text.as_bytes()])
}

/// The seal of an answer, over all its columns.
pub(super) fn answer_seal(
    run: i64,
    number: i64,
    job: &str,
    answer: &Finished,
    json: &str,
) -> String {
    let place = format!("answer {run} {number}");
    let Finished {
        verdict,
        reason,
        message,
        file,
        line,
        seconds,
        cpu,
        peak,
        iterations,
        recalled,
        json: _,
    } = answer;
    let numbers = format!(
        "{line} {:x} {:x} {peak} {iterations}",
        seconds.to_bits(),
        cpu.to_bits()
    );
    let texts = [
        place.as_str(),
        job,
        verdict,
        reason,
        message,
        file,
        &numbers,
        recalled,
        json,
    ];
    digest(texts.map(str::as_bytes))
}
