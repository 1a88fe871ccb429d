//! Who works on what: as many checks at a time as there are jobs and as fit into the memory for all.
//!
//! Every check asks for the memory that it may use; one that asks for more than there is at all gets what
//! there is. The store decides who has a check, so several batches on one store share the work.

use crate::store::{Claimed, Entry, Finished, Job, Run, Store};
use crate::{memory, Error};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Whoever makes checks: child processes, or a cluster.
pub trait Checks: Sync {
    /// Makes one. `None` if it was stopped from outside.
    fn check(&self, job: &Job) -> Option<Finished>;
}

impl Checks for crate::child::Children {
    fn check(&self, job: &Job) -> Option<Finished> {
        self.run(job)
    }
}

/// Within which limits.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Checks at a time.
    pub jobs: usize,
    /// Megabytes for all together; zero for no limit.
    pub memory: u64,
}

/// How far a batch is.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Checks of the run.
    pub all: u64,
    /// Done, whoever did them.
    pub done: u64,
    /// By verdict, of those done here.
    pub verdicts: BTreeMap<String, u64>,
    /// Answered from memory, here.
    pub recalled: u64,
    /// What is worked on here, with seconds.
    pub running: Vec<(String, f64)>,
    /// Seconds until the end, if that can be guessed.
    pub left: Option<f64>,
}

/// What is told meanwhile.
pub trait Watch {
    /// An answer came.
    fn answered(&mut self, job: &Job, answer: &Finished, progress: &Progress);
    /// Time passes.
    fn tick(&mut self, progress: &Progress);
}

/// Nothing is told.
pub struct Silent;

impl Watch for Silent {
    fn answered(&mut self, _: &Job, _: &Finished, _: &Progress) {}
    fn tick(&mut self, _: &Progress) {}
}

/// A batch: what is to be done, and for whom.
pub struct Batch<'a> {
    /// The manifest's name.
    pub name: &'a str,
    /// Whose answers count.
    pub version: &'a str,
    /// The checks.
    pub jobs: &'a [Job],
    /// Whether a new run begins in any case.
    pub anew: bool,
    /// Within which limits.
    pub limits: Limits,
    /// Set when everything should stop.
    pub stopped: &'a AtomicBool,
}

/// What became of a batch.
#[derive(Clone, Debug)]
pub struct Done {
    /// Its run.
    pub run: Run,
    /// All checks, whoever made them.
    pub entries: Vec<Entry>,
    /// How many were made here.
    pub made: u64,
}

/// Makes the checks of a batch that are not made yet. A store that turns out to be damaged is put aside
/// and begun anew, once; `say` is told.
pub fn complete(
    path: &Path,
    batch: &Batch,
    checks: &dyn Checks,
    watch: &mut dyn Watch,
    say: &mut dyn FnMut(String),
) -> Result<Done, Error> {
    match once(path, batch, checks, watch, say) {
        Err(Error::Damaged { path: _, what }) => {
            let aside = Store::put_aside(path)?;
            say(format!(
                "the store {} is damaged ({what}); it was put aside as {}, and a new one is begun",
                path.display(),
                aside.display()
            ));
            once(path, batch, checks, watch, say)
        }
        other => other,
    }
}

fn once(
    path: &Path,
    batch: &Batch,
    checks: &dyn Checks,
    watch: &mut dyn Watch,
    say: &mut dyn FnMut(String),
) -> Result<Done, Error> {
    let (mut store, damaged) = Store::open(path)?;
    if let Some(damaged) = damaged {
        say(damaged);
    }
    let jobs = batch.jobs;
    let (run, goes_on) = store.run(batch.name, batch.version, jobs, batch.anew)?;
    let (_, broken) = store.mend(run.id, jobs)?;
    if broken > 0 {
        let path = path.display();
        say(format!(
            "{broken} row(s) of {path} are damaged; these checks are made again"
        ));
    }
    if goes_on {
        let [_, _, done] = store.counts(run.id)?;
        say(format!(
            "run {} goes on, {done} of {} done",
            run.id,
            jobs.len()
        ));
    }
    let made = work(
        &mut store,
        &run,
        jobs,
        checks,
        &batch.limits,
        batch.stopped,
        watch,
    )?;
    let entries = store.entries(run.id)?;
    Ok(Done { run, entries, made })
}

/// Works on a run until nothing waits, or until it is stopped. What another batch works on is waited
/// for. Gives how many checks were made here.
pub fn work(
    store: &mut Store,
    run: &Run,
    jobs: &[Job],
    checks: &dyn Checks,
    limits: &Limits,
    stopped: &AtomicBool,
    watch: &mut dyn Watch,
) -> Result<u64, Error> {
    let started = Instant::now();
    let running: Mutex<BTreeMap<i64, (Job, Instant)>> = Mutex::default();
    let (sender, receiver) = channel::<(Claimed, Option<Finished>)>();
    let mut progress = Progress::default();
    let mut made = 0;
    let mut heard = Instant::now();
    let mut idle = 0;
    let [mut open, mut others, done] = store.counts(run.id)?;
    (progress.all, progress.done) = (open + others + done, done);
    let mut counted = Instant::now();
    store.sign_of_life()?;
    std::thread::scope(|scope| -> Result<u64, Error> {
        loop {
            // As many as fit begin.
            while !stopped.load(Ordering::Relaxed) {
                let (count, used) = {
                    let running = running.lock().unwrap_or_else(|e| e.into_inner());
                    let used: u64 = running.values().map(|r| r.0.memory).sum();
                    (running.len(), used)
                };
                if count >= limits.jobs.max(1) {
                    break;
                }
                let room = limits.memory.saturating_sub(used);
                let fits = |job: &Job| limits.memory == 0 || count == 0 || job.memory <= room;
                let Some(mut claimed) = store.claim(run.id, &fits)? else {
                    break;
                };
                if limits.memory > 0 && claimed.job.memory > limits.memory {
                    claimed.job.memory = limits.memory;
                }
                let mut all = running.lock().unwrap_or_else(|e| e.into_inner());
                all.insert(claimed.id, (claimed.job.clone(), Instant::now()));
                drop(all);
                let sender = sender.clone();
                scope.spawn(move || {
                    let answer = checks.check(&claimed.job);
                    // Nobody listens after an error of the store.
                    let _ = sender.send((claimed, answer));
                });
            }
            let here = running.lock().unwrap_or_else(|e| e.into_inner()).len();
            // To count a million rows for every answer would be most of the work.
            if here == 0 || counted.elapsed() > Duration::from_secs(1) {
                let [waiting, claimed, done] = store.counts(run.id)?;
                (open, others) = (waiting, claimed);
                progress.all = waiting + claimed + done;
                progress.done = done;
                counted = Instant::now();
            }
            if here == 0 && (stopped.load(Ordering::Relaxed) || (open == 0 && others == 0)) {
                return Ok(made);
            }
            match receiver.recv_timeout(Duration::from_millis(500)) {
                Ok((claimed, answer)) => {
                    idle = 0;
                    let mut all = running.lock().unwrap_or_else(|e| e.into_inner());
                    all.remove(&claimed.id);
                    drop(all);
                    match answer {
                        Some(mut answer) => {
                            let kept = memory::keep(store, &mut answer.json);
                            // A store that cannot remember still takes answers.
                            drop(kept);
                            if store.finish(claimed.id, &answer)? {
                                made += 1;
                                progress.done += 1;
                                let verdict = answer.verdict.clone();
                                *progress.verdicts.entry(verdict).or_default() += 1;
                                progress.recalled += u64::from(!answer.recalled.is_empty());
                                tell(&mut progress, &running, limits, started, made);
                                watch.answered(&claimed.job, &answer, &progress);
                            }
                        }
                        None => store.give_back(claimed.id)?,
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    // Another batch may have been killed.
                    if here == 0 {
                        store.mend(run.id, jobs)?;
                        // Rows that wait and that nobody can claim are damage.
                        idle += 1;
                        if idle > 3 && open > 0 && others == 0 {
                            return Err(store.damaged("rows that nobody can claim"));
                        }
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(made),
            }
            if heard.elapsed() > Duration::from_secs(10) {
                heard = Instant::now();
                store.sign_of_life()?;
            }
            tell(&mut progress, &running, limits, started, made);
            watch.tick(&progress);
        }
    })
}

/// Says what runs, and guesses how long it will take.
fn tell(
    progress: &mut Progress,
    running: &Mutex<BTreeMap<i64, (Job, Instant)>>,
    limits: &Limits,
    started: Instant,
    made: u64,
) {
    let running = running.lock().unwrap_or_else(|e| e.into_inner());
    let seconds = |since: &Instant| since.elapsed().as_secs_f64();
    progress.running = running
        .values()
        .map(|(job, since)| (job.name(), seconds(since)))
        .collect();
    let open = progress.all.saturating_sub(progress.done) as f64;
    let pace = started.elapsed().as_secs_f64() / made.max(1) as f64;
    // A few answers say nothing about the rest.
    progress.left = (made >= 2 * limits.jobs as u64).then_some(open * pace);
}
