//! Processes that this one started: compilers, solvers, compiled tests. Whoever ends this process
//! from outside ends them first.
//!
//! Children lead process groups of their own, so that Ctrl-C at a terminal reaches this process
//! only, and a child that is interrupted is not taken for one that failed.

use nix::sys::signal::{kill, killpg, Signal};
use nix::unistd::Pid;

/// Kills everything that this process started, and what that started.
pub fn kill_all() {
    let mut killed = Vec::new();
    loop {
        // Something may be started while others are killed.
        let mut found = descendants();
        found.retain(|process| !killed.contains(process));
        if found.is_empty() {
            return;
        }
        for &process in &found {
            let process = Pid::from_raw(process);
            // It fails where the process does not lead a group.
            let _ = killpg(process, Signal::SIGKILL);
            let _ = kill(process, Signal::SIGKILL);
        }
        killed.extend(found);
    }
}

/// Resident memory of everything that this process started.
pub fn resident_bytes() -> u64 {
    descendants().into_iter().filter_map(resident).sum()
}

fn resident(process: i32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|l| l.starts_with("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Processes below this one, as far as the system tells.
fn descendants() -> Vec<i32> {
    let own = std::process::id() as i32;
    // Not every kernel lists children; where it does not, all processes are looked at.
    let listed = std::fs::exists(format!("/proc/{own}/task/{own}/children")).unwrap_or(false);
    let parents = match listed {
        true => Vec::new(),
        false => parents(),
    };
    let mut found = vec![own];
    let mut next = 0;
    while let Some(&process) = found.get(next) {
        found.extend(match listed {
            true => children(process),
            false => parents
                .iter()
                .filter(|(_, parent)| *parent == process)
                .map(|(child, _)| *child)
                .collect(),
        });
        next += 1;
    }
    found.split_off(1)
}

/// The children that the kernel lists for the threads of a process.
fn children(process: i32) -> Vec<i32> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for thread in threads.flatten() {
        let listed = std::fs::read_to_string(thread.path().join("children"));
        let listed = listed.unwrap_or_default();
        found.extend(
            listed
                .split_whitespace()
                .filter_map(|p| p.parse::<i32>().ok()),
        );
    }
    found
}

/// All processes with their parents.
fn parents() -> Vec<(i32, i32)> {
    let Ok(all) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let one = |entry: std::fs::DirEntry| {
        let process = entry.file_name().to_str()?.parse().ok()?;
        let text = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        // The name is in parentheses, and may have some of its own.
        let behind = text.rsplit_once(')')?.1;
        Some((process, behind.split_whitespace().nth(1)?.parse().ok()?))
    };
    all.flatten().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn children_of_children_are_found_both_ways() {
        let mut child = Command::new("sh")
            .args(["-c", "sleep 600 & echo; wait"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("sh runs");
        // Once it says something, its own child is there.
        let mut line = [0];
        let mut said = child.stdout.take().expect("a pipe");
        std::io::Read::read_exact(&mut said, &mut line).expect("a line");
        let shell = child.id() as i32;
        let found = descendants();
        assert!(found.contains(&shell));
        let below = parents().into_iter().filter(|(_, parent)| *parent == shell);
        let below: Vec<i32> = below.map(|(process, _)| process).collect();
        assert_eq!(below.len(), 1, "{below:?}");
        assert!(found.contains(&below[0]));
        assert!(resident(shell).is_some());
        for process in below.into_iter().chain([shell]) {
            kill(Pid::from_raw(process), Signal::SIGKILL).expect("it is there");
        }
        child.wait().expect("it ends");
    }
}
