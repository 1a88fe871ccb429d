//! The filter that the kernel runs at each system call: a short list is let through, everything
//! else is left to whoever watches the process (`watch`).
//!
//! The rules are compiled by `seccompiler`, once for each way of calling, for a program may make
//! 32-bit calls out of 64-bit code. Its programs refuse all ways but one, and know no answer "ask
//! the one who watches": so its check of the way is replaced by ours, and its answer "ask a
//! tracer" by that one. Numbers of the x32 way are on no list.

use super::calls::{calls, Abi, Rule};
use seccompiler::{
    sock_filter, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch,
};
use std::collections::BTreeMap;
use std::os::fd::RawFd;

/// Instructions of `seccompiler` that look at the way of calling.
const CHECK: usize = 3;
/// Stands for the answer that `seccompiler` does not know.
const ASK: u32 = 0x7a5c;

/// What a filter depends on.
#[derive(Clone, Copy, Debug)]
pub struct Filtered {
    /// The socket over which the process hands out its listener, before the program starts.
    pub socket: RawFd,
    /// Whether threads may be made. They could change a path after it was looked at, so something
    /// else has to keep them from files.
    pub threads: bool,
}

/// The program for the kernel; in words why there is none.
pub fn filter(filtered: Filtered) -> Result<BpfProgram, String> {
    let wide = half(Abi::X86_64, filtered).map_err(|e| e.to_string())?;
    let narrow = half(Abi::I386, filtered).map_err(|e| e.to_string())?;
    // Short jumps reach 255 instructions; the one over the first half is of another kind.
    let mut program = vec![
        load_arch(),
        jump(Abi::X86_64.audit(), 1, 0),
        always(wide.len()),
    ];
    program.extend(wide);
    program.push(jump(Abi::I386.audit(), 1, 0));
    program.push(answer(libc::SECCOMP_RET_KILL_PROCESS));
    program.extend(narrow);
    for instruction in &mut program {
        if instruction.code == RETURN && instruction.k == libc::SECCOMP_RET_TRACE | ASK {
            instruction.k = libc::SECCOMP_RET_USER_NOTIF;
        }
    }
    Ok(program)
}

/// The rules of one way of calling, without the check that it is this one.
fn half(abi: Abi, filtered: Filtered) -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for (&(way, number), call) in calls() {
        if way != abi {
            continue;
        }
        match (call.rule, call.name) {
            (Rule::Allowed, _) => {
                rules.insert(number, Vec::new());
            }
            (Rule::Limits, "prlimit64") => {
                // Its own limits, and no new ones.
                let rule = vec![equal(0, 0)?, equal(2, 0)?];
                rules.insert(number, vec![SeccompRule::new(rule)?]);
            }
            (Rule::Control, "ioctl") => {
                let (is_terminal, size, waiting) = (0x5401, 0x5413, 0x541b);
                rules.insert(number, one_of(1, &[is_terminal, size, waiting])?);
            }
            (Rule::Control, _) => {
                // Copies, flags and locks; not who gets signals.
                let harmless = [0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 36, 37, 38, 1030];
                rules.insert(number, one_of(1, &harmless)?);
            }
            (Rule::Process, "clone") if filtered.threads => {
                let thread = libc::CLONE_THREAD as u64;
                let rule = SeccompCondition::new(
                    0,
                    SeccompCmpArgLen::Dword,
                    SeccompCmpOp::MaskedEq(thread),
                    thread,
                )?;
                rules.insert(number, vec![SeccompRule::new(vec![rule])?]);
            }
            (Rule::Refused, "sendmsg") => {
                let socket = filtered.socket as u64;
                rules.insert(number, one_of(0, &[socket])?);
            }
            _ => {}
        }
    }
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Trace(ASK),
        SeccompAction::Allow,
        TargetArch::x86_64,
    )?;
    let mut program = BpfProgram::try_from(filter)?;
    program.drain(..CHECK);
    Ok(program)
}

fn equal(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, value)
}

fn one_of(argument: u8, values: &[u64]) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let rule = |&value: &u64| {
        let condition =
            SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)?;
        SeccompRule::new(vec![condition])
    };
    values.iter().map(rule).collect()
}

/// `BPF_RET | BPF_K`.
const RETURN: u16 = 0x06;

fn instruction(code: u16, jt: u8, jf: u8, k: u32) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

/// Loads the way of calling: `BPF_LD | BPF_W | BPF_ABS`.
fn load_arch() -> sock_filter {
    instruction(0x20, 0, 0, 4)
}

/// Jumps if what was loaded is this: `BPF_JMP | BPF_JEQ | BPF_K`.
fn jump(value: u32, yes: u8, no: u8) -> sock_filter {
    instruction(0x15, yes, no, value)
}

/// Jumps: `BPF_JMP | BPF_JA`.
fn always(over: usize) -> sock_filter {
    instruction(0x05, 0, 0, over as u32)
}

fn answer(value: u32) -> sock_filter {
    instruction(RETURN, 0, 0, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the kernel would answer: the few instructions that such programs consist of.
    fn runs(program: &[sock_filter], abi: u32, number: u32, arguments: [u64; 6]) -> u32 {
        let mut data = Vec::new();
        data.extend(number.to_le_bytes());
        data.extend(abi.to_le_bytes());
        data.extend(0u64.to_le_bytes());
        data.extend(arguments.iter().flat_map(|a| a.to_le_bytes()));
        let (mut at, mut loaded) = (0, 0u32);
        loop {
            let now = &program[at];
            let jumps = |holds: bool| 1 + usize::from(if holds { now.jt } else { now.jf });
            at += match now.code {
                0x20 => {
                    let k = now.k as usize;
                    loaded = u32::from_le_bytes(data[k..k + 4].try_into().expect("four bytes"));
                    1
                }
                0x54 => {
                    loaded &= now.k;
                    1
                }
                0x05 => 1 + now.k as usize,
                0x15 => jumps(loaded == now.k),
                0x25 => jumps(loaded > now.k),
                0x35 => jumps(loaded >= now.k),
                RETURN => return now.k,
                other => panic!("instruction {other:#x}"),
            };
        }
    }

    const FILTERED: Filtered = Filtered {
        socket: 9,
        threads: true,
    };
    const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
    const NOTIFY: u32 = libc::SECCOMP_RET_USER_NOTIF;

    #[test]
    fn both_ways_of_calling_have_their_own_numbers() {
        let program = filter(FILTERED).expect("a filter");
        let ask = |abi: Abi, n| runs(&program, abi.audit(), n, [0; 6]);
        assert_eq!(ask(Abi::X86_64, 0), ALLOW); // read
        assert_eq!(ask(Abi::I386, 3), ALLOW); // read
        assert_eq!(ask(Abi::X86_64, 59), NOTIFY); // execve
        assert_eq!(ask(Abi::I386, 11), NOTIFY); // execve, which is munmap in 64 bits
        assert_eq!(ask(Abi::X86_64, 11), ALLOW);
        assert_eq!(ask(Abi::I386, 2), NOTIFY); // fork
        assert_eq!(ask(Abi::X86_64, 5000), NOTIFY);
        assert_eq!(ask(Abi::X86_64, 0x4000_0000), NOTIFY); // read, the x32 way
        assert_eq!(
            runs(&program, 0xc000_00b7, 0, [0; 6]),
            libc::SECCOMP_RET_KILL_PROCESS
        );
        for (&(abi, number), call) in calls() {
            let harmless = call.rule == Rule::Allowed;
            let by = [u64::MAX; 6];
            let answer = runs(&program, abi.audit(), number as u32, by);
            let thread = call.name == "clone";
            assert_eq!(answer == ALLOW, harmless || thread, "{call:?}");
        }
    }

    #[test]
    fn arguments_decide_where_they_are_looked_at() {
        let program = filter(FILTERED).expect("a filter");
        let ask = |n: i64, a: [u64; 6]| runs(&program, Abi::X86_64.audit(), n as u32, a);
        assert_eq!(ask(libc::SYS_prlimit64, [0, 7, 0, 5, 0, 0]), ALLOW);
        assert_eq!(ask(libc::SYS_prlimit64, [0, 7, 4096, 0, 0, 0]), NOTIFY);
        assert_eq!(ask(libc::SYS_prlimit64, [1, 7, 0, 4096, 0, 0]), NOTIFY);
        assert_eq!(ask(libc::SYS_ioctl, [1, 0x5401, 0, 0, 0, 0]), ALLOW);
        assert_eq!(ask(libc::SYS_ioctl, [1, 0x5412, 0, 0, 0, 0]), NOTIFY);
        assert_eq!(ask(libc::SYS_fcntl, [1, 8, 77, 0, 0, 0]), NOTIFY);
        assert_eq!(ask(libc::SYS_sendmsg, [9, 0, 0, 0, 0, 0]), ALLOW);
        assert_eq!(ask(libc::SYS_sendmsg, [8, 0, 0, 0, 0, 0]), NOTIFY);
        assert_eq!(ask(libc::SYS_clone, [0x3d0f00, 0, 0, 0, 0, 0]), ALLOW);
        assert_eq!(ask(libc::SYS_clone, [0x4111, 0, 0, 0, 0, 0]), NOTIFY);
        let none = filter(Filtered {
            threads: false,
            ..FILTERED
        })
        .expect("a filter");
        let thread = [0x3d0f00, 0, 0, 0, 0, 0];
        let answer = runs(&none, Abi::X86_64.audit(), libc::SYS_clone as u32, thread);
        assert_eq!(answer, NOTIFY);
    }
}
