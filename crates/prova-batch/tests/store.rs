//! What the store promises: whoever is killed loses nothing and does nothing twice, two batches share the
//! work, and a damaged file costs time and never a verdict.

use prova_batch::schedule::{complete, Batch, Checks, Limits, Silent};
use prova_batch::store::{Finished, Job, Store};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Mutex;
use std::time::Duration;

/// A folder in memory where there is one: what is tested is not the disk.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .expect("a folder")
}

fn jobs(count: usize) -> Vec<Job> {
    (0..count)
        .map(|n| Job {
            program: format!("program-{n}"),
            property: "unreach-call".into(),
            words: vec![format!("{n}.c")],
            timeout: 10,
            memory: 100,
            lines: n as u64,
            ..Job::default()
        })
        .collect()
}

/// What is true of a job.
fn truth(job: &Job) -> &'static str {
    match job.lines % 3 {
        0 => "proved",
        1 => "violated",
        _ => "unknown",
    }
}

/// Gives true answers, and counts them.
#[derive(Default)]
struct Oracle {
    pause: Duration,
    made: Mutex<BTreeMap<String, u64>>,
}

impl Checks for Oracle {
    fn check(&self, job: &Job) -> Option<Finished> {
        std::thread::sleep(self.pause);
        *self.made.lock().unwrap().entry(job.name()).or_default() += 1;
        let verdict = truth(job);
        Some(Finished {
            verdict: verdict.into(),
            message: format!("about {}", job.program),
            seconds: 0.5,
            iterations: job.lines,
            json: json!({
                "verdict": verdict,
                "program": job.program,
                "memory": {
                    "key": job.program,
                    "about": [format!("f-{}", job.lines % 5)],
                    "tests": [{ "values": [job.lines.to_string()] }],
                    "facts": [{ "about": [format!("g-{}", job.lines % 5)], "facts": [job.lines] }],
                    "answer": { "verdict": verdict, "result": { "verdict": verdict } },
                },
            }),
            ..Finished::default()
        })
    }
}

static NEVER: AtomicBool = AtomicBool::new(false);

fn batch<'a>(jobs: &'a [Job], at_a_time: usize) -> Batch<'a> {
    Batch {
        name: "test",
        version: "1",
        jobs,
        anew: false,
        limits: Limits {
            jobs: at_a_time,
            memory: 0,
        },
        stopped: &NEVER,
    }
}

fn finish(path: &Path, jobs: &[Job], oracle: &Oracle) -> Vec<String> {
    let mut said = Vec::new();
    let mut say = |what: String| said.push(what);
    let done = complete(path, &batch(jobs, 4), oracle, &mut Silent, &mut say).expect("it ends");
    assert_eq!(done.entries.len(), jobs.len());
    for (entry, job) in done.entries.iter().zip(jobs) {
        assert_eq!(entry.job, *job);
        let answer = entry.answer.as_ref().expect("every check has an answer");
        assert_eq!(answer.verdict, truth(job), "{}", job.name());
    }
    said
}

/// Checks of a batch that is killed: more than are made between fifty kills.
const MANY: usize = 2000;

/// The part of `fifty_kills_lose_nothing` that is killed: a process of its own.
#[test]
fn a_batch_to_be_killed() {
    let Ok(path) = std::env::var("PROVA_BATCH_TEST_STORE") else {
        return;
    };
    let oracle = Oracle {
        pause: Duration::from_millis(10),
        ..Oracle::default()
    };
    finish(Path::new(&path), &jobs(MANY), &oracle);
}

#[test]
fn fifty_kills_lose_nothing() {
    let folder = folder();
    let path = folder.path().join("store.db");
    let own = std::env::current_exe().expect("this test");
    let (mut seed, mut base) = (7u64, 5);
    let mut kept: BTreeMap<i64, Finished> = BTreeMap::new();
    let (mut kills, mut after) = (0, 0);
    while kills < 50 {
        let mut child = std::process::Command::new(&own)
            .args(["a_batch_to_be_killed", "--exact", "--test-threads", "1"])
            .env("PROVA_BATCH_TEST_STORE", &path)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("it starts");
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        std::thread::sleep(Duration::from_millis(base + (seed >> 33) % 40));
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
        kills += 1;
        // What was done stays done, with the answer it had.
        let (store, damaged) = Store::open(&path).expect("it opens");
        assert_eq!(damaged, None);
        let Some(run) = store.runs().expect("runs").pop() else {
            base = base * 3 / 2 + 5;
            continue;
        };
        assert_eq!(run.id, 1, "a new run began");
        let mut now = BTreeMap::new();
        for entry in store.entries(run.id).expect("entries") {
            if let Some(answer) = entry.answer {
                now.insert(entry.number, answer);
            }
        }
        assert!(
            kept.iter().all(|(n, a)| now.get(n) == Some(a)),
            "an answer was lost"
        );
        // However slow the machine is, most kills come while checks are made.
        let further = now.len() > kept.len();
        base = if further {
            base * 2 / 3
        } else {
            base * 3 / 2 + 5
        };
        after += usize::from(further);
        kept = now;
    }
    assert!(after > 5, "the kills came too early to say anything");
    let oracle = Oracle::default();
    finish(&path, &jobs(MANY), &oracle);
    let made = oracle.made.into_inner().unwrap();
    assert_eq!(
        made.len() + kept.len(),
        MANY,
        "checks were made twice, or lost"
    );
    assert!(made.values().all(|n| *n == 1));
}

#[test]
fn two_batches_share_a_store() {
    let folder = folder();
    let path = folder.path().join("store.db");
    let jobs = jobs(120);
    let oracle = Oracle {
        pause: Duration::from_millis(25),
        ..Oracle::default()
    };
    // The same batch twice at once: the work is shared.
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| finish(&path, &jobs, &oracle));
        }
        // And another batch beside them, in a run of its own.
        scope.spawn(|| {
            let other = Batch {
                name: "other",
                ..batch(&jobs[..20], 1)
            };
            let own = Oracle::default();
            let done = complete(&path, &other, &own, &mut Silent, &mut |_| {}).expect("it ends");
            assert_eq!(done.made, 20);
        });
    });
    let made = oracle.made.into_inner().unwrap();
    assert_eq!(made.len(), 120);
    assert!(
        made.values().all(|n| *n == 1),
        "a check was made twice: {made:?}"
    );
    let (store, _) = Store::open(&path).expect("it opens");
    assert_eq!(store.runs().expect("runs").len(), 2);
}

#[test]
fn an_answer_is_taken_once_and_from_its_claimant() {
    let folder = folder();
    let path = folder.path().join("store.db");
    let jobs = jobs(1);
    let (mut store, _) = Store::open(&path).expect("it opens");
    let (run, _) = store.run("n", "1", &jobs, false).expect("a run");
    let claimed = store
        .claim(run.id, &|_| true)
        .expect("a claim")
        .expect("one waits");
    assert!(store.claim(run.id, &|_| true).expect("a claim").is_none());
    let answer = Oracle::default().check(&jobs[0]).expect("an answer");
    let (mut other, _) = Store::open(&path).expect("it opens");
    assert!(
        !other.finish(claimed.id, &answer).expect("no error"),
        "somebody else's answer was taken"
    );
    assert!(store.finish(claimed.id, &answer).expect("no error"));
    assert!(
        !store.finish(claimed.id, &answer).expect("no error"),
        "an answer was taken twice"
    );
}

#[test]
fn memory_is_shared_among_checks_that_run() {
    struct Gauge(Mutex<(u64, u64)>);
    impl Checks for Gauge {
        fn check(&self, job: &Job) -> Option<Finished> {
            let add = |n: i64| {
                let mut gauge = self.0.lock().unwrap();
                gauge.0 = gauge.0.wrapping_add_signed(n);
                gauge.1 = gauge.1.max(gauge.0);
            };
            add(job.memory as i64);
            std::thread::sleep(Duration::from_millis(3));
            add(-(job.memory as i64));
            Oracle::default().check(job)
        }
    }
    let folder = folder();
    let mut jobs = jobs(40);
    for (n, job) in jobs.iter_mut().enumerate() {
        job.memory = 50 + 40 * (n as u64 % 4);
    }
    jobs[7].memory = 5000;
    let gauge = Gauge(Mutex::default());
    let batch = Batch {
        limits: Limits {
            jobs: 8,
            memory: 300,
        },
        ..batch(&jobs, 8)
    };
    let path = folder.path().join("store.db");
    complete(&path, &batch, &gauge, &mut Silent, &mut |_| {}).expect("it ends");
    let most = gauge.0.into_inner().unwrap().1;
    assert!((100..=300).contains(&most), "{most} MB at a time");
}

/// A thousand copies of a good store, each damaged: whatever was flipped, cut or overwritten, every verdict
/// is the true one in the end, and nothing that is recalled is false.
#[test]
fn a_thousand_damages_change_no_verdict() {
    let folder = folder();
    let good = folder.path().join("good.db");
    let jobs = jobs(12);
    finish(&good, &jobs, &Oracle::default());
    let bytes = std::fs::read(&good).expect("the store");
    let mut seed = 1u64;
    let mut next = |below: usize| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below.max(1)
    };
    let (mut noticed, mut aside, mut again) = (0, 0, 0);
    for round in 0..1000 {
        let mut damaged = bytes.clone();
        match round % 5 {
            0 => {
                // One bit.
                let at = next(damaged.len());
                damaged[at] ^= 1 << next(8);
            }
            1 => {
                // Some bytes here and there.
                for _ in 0..1 + next(20) {
                    let at = next(damaged.len());
                    damaged[at] = next(256) as u8;
                }
            }
            2 => damaged.truncate(next(bytes.len())),
            3 => {
                // A page in the place of another, as a disk does it.
                let pages = damaged.len() / 4096;
                let (from, to) = (next(pages) * 4096, next(pages) * 4096);
                damaged.copy_within(from..from + 4096, to);
            }
            _ => {
                // A verdict in the place of another: what somebody who wants a lie would write.
                let text: &[u8] = [&b"proved"[..], b"violat", b"unknow"][next(3)];
                let places: Vec<usize> = damaged
                    .windows(6)
                    .enumerate()
                    .filter(|(_, w)| [&b"proved"[..], b"violat", b"unknow"].contains(w))
                    .map(|(i, _)| i)
                    .collect();
                let at = places[next(places.len())];
                damaged[at..at + 6].copy_from_slice(text);
            }
        }
        let path = folder.path().join("damaged.db");
        for name in ["damaged.db", "damaged.db-wal", "damaged.db-shm"] {
            let _ = std::fs::remove_file(folder.path().join(name));
        }
        std::fs::write(&path, &damaged).expect("a copy");
        // What is remembered is right or not there.
        if let Some(store) = Store::open_memory(&path) {
            for job in &jobs {
                if let Some(answer) = store.recall(&job.program) {
                    assert_eq!(answer["verdict"], truth(job), "round {round}");
                }
                for test in store.tests(&[format!("f-{}", job.lines % 5)]) {
                    let value: u64 = test["values"][0].as_str().unwrap().parse().unwrap();
                    assert_eq!(value % 5, job.lines % 5, "round {round}");
                }
                for facts in store.facts(&[format!("g-{}", job.lines % 5)]) {
                    let value = facts[0].as_u64().unwrap();
                    assert_eq!(value % 5, job.lines % 5, "round {round}");
                }
            }
        }
        let oracle = Oracle::default();
        let mut said = Vec::new();
        let mut say = |what: String| said.push(what);
        match complete(&path, &batch(&jobs, 4), &oracle, &mut Silent, &mut say) {
            Ok(done) => {
                for (entry, job) in done.entries.iter().zip(&jobs) {
                    let answer = entry.answer.as_ref().expect("every check has an answer");
                    assert_eq!(answer.verdict, truth(job), "round {round}: {}", job.name());
                    assert_eq!(answer.message, format!("about {}", job.program));
                }
                assert_eq!(done.entries.len(), jobs.len());
            }
            // A file that does not look like ours is left alone, with a message.
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("no store of ours"), "round {round}: {text}");
            }
        }
        let made: u64 = oracle.made.into_inner().unwrap().values().sum();
        // Nothing is made again without a word.
        noticed += usize::from(!said.is_empty());
        aside += usize::from(said.iter().any(|s| s.contains("put aside")));
        again += usize::from(made > 0);
    }
    assert!(
        noticed > 300 && aside > 100 && again > 300,
        "{noticed} {aside} {again}"
    );
    println!("1000 damages: {noticed} noticed, {aside} files put aside, {again} times checks were made again");
}

/// A store that was begun before facts were kept goes on, with all that is in it.
#[test]
fn a_store_without_facts_gets_them() {
    let folder = folder();
    let path = folder.path().join("old.db");
    let jobs = jobs(6);
    finish(&path, &jobs, &Oracle::default());
    let old = rusqlite::Connection::open(&path).expect("SQLite");
    old.execute_batch("DROP TABLE facts; PRAGMA user_version = 1;")
        .expect("it is ours");
    drop(old);
    let (mut store, said) = Store::open(&path).expect("it is a store");
    assert_eq!(said, None);
    assert!(store.recall(&jobs[0].program).is_some());
    assert!(store.facts(&["g-1".into()]).is_empty());
    let facts = [(vec!["g-1".to_string()], vec![json!([1])])];
    store.keep_facts(&facts).expect("there is a table");
    assert_eq!(store.facts(&["g-1".into()]), [json!([1])]);
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = folder();
    let path = folder.path().join("notes.txt");
    let text = "these are my notes, and nothing that a verifier may move elsewhere\n".repeat(200);
    std::fs::write(&path, &text).expect("a file");
    assert!(Store::open(&path).is_err());
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), text);
    let missing = folder.path().join("no/such/folder/x.db");
    assert!(Store::open(&missing).is_err());
    assert!(!NEVER.load(Ordering::Relaxed));
}
