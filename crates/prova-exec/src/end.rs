//! The ways a run can end, as data.

use prova_ir::{LocId, ProcId, Program};

/// A location of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct At {
    /// Procedure.
    pub proc: ProcId,
    /// Location.
    pub location: LocId,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The entry procedure returned, with this value unless it is `void`.
    Returned(Option<u128>),
    /// `exit` with this status.
    Exited(u64),
    /// `abort`.
    Aborted(At),
    /// An assumption did not hold: this is no run of the program.
    AssumeFailed(At),
    /// Undefined behaviour ended it.
    Trap(Trap, At),
    /// An error location was reached.
    ErrorReached(At),
    /// More steps than allowed.
    StepLimit(u64),
    /// More time than allowed.
    TimeLimit,
    /// More memory than allowed, the history's included.
    MemoryLimit,
    /// More nested calls than allowed.
    StackOverflow(At),
    /// The test has no further input values and says to stop then.
    InputsExhausted(At),
    /// The machine cannot go on; the reason.
    Unsupported(String),
}

/// What ended a run by undefined behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trap {
    /// Division or remainder by zero.
    DivisionByZero,
    /// A read where no live object lies.
    InvalidRead(u64),
    /// A write where no live object lies.
    InvalidWrite(u64),
    /// A write to a constant object.
    WriteToConstant(u64),
    /// A call through a pointer that is no function's address.
    NoFunction(u64),
    /// A call with arguments that do not fit the function.
    CallMismatch(ProcId),
    /// `free` of something that is no live heap block.
    BadFree(u64),
    /// A place that stands for undefined behaviour.
    Explicit,
}

impl std::fmt::Display for Trap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trap::DivisionByZero => f.write_str("division by zero"),
            Trap::InvalidRead(a) => write!(f, "invalid read at address {a:#x}"),
            Trap::InvalidWrite(a) => write!(f, "invalid write at address {a:#x}"),
            Trap::WriteToConstant(a) => write!(f, "write to a constant at address {a:#x}"),
            Trap::NoFunction(a) => write!(f, "call of address {a:#x}, where no function lies"),
            Trap::CallMismatch(_) => f.write_str("call with arguments that do not fit"),
            Trap::BadFree(a) => write!(f, "free of {a:#x}, which is no live heap block"),
            Trap::Explicit => f.write_str("a call of something that is no function"),
        }
    }
}

impl RunEnd {
    /// Where it ended, if that is a place in the program.
    pub fn at(&self) -> Option<At> {
        match self {
            RunEnd::Aborted(at)
            | RunEnd::AssumeFailed(at)
            | RunEnd::Trap(_, at)
            | RunEnd::ErrorReached(at)
            | RunEnd::StackOverflow(at)
            | RunEnd::InputsExhausted(at) => Some(*at),
            _ => None,
        }
    }

    /// A sentence for people, without the place.
    pub fn describe(&self, program: &Program) -> String {
        match self {
            RunEnd::Returned(None) => "returned".into(),
            RunEnd::Returned(Some(value)) => {
                let entry = program.entry.map(|e| program.procedure(e));
                let ty = entry.and_then(|p| p.result).map(|r| program.register(r).ty);
                let width = ty.map_or(64, |t| t.bits(program.model)) as u8;
                format!(
                    "returned {}",
                    crate::arith::signed_wide(*value, width.clamp(1, 128))
                )
            }
            RunEnd::Exited(code) => format!("exited with status {}", code & 0xff),
            RunEnd::Aborted(_) => "aborted".into(),
            RunEnd::AssumeFailed(_) => "an assumption does not hold".into(),
            RunEnd::Trap(trap, _) => format!("undefined behaviour: {trap}"),
            RunEnd::ErrorReached(at) => {
                let body = program.procedure(at.proc).body.as_ref();
                let error = body.and_then(|b| b.error_at(at.location));
                match error {
                    Some(e) if !e.message.is_empty() => format!("error reached: {}", e.message),
                    _ => "error reached".into(),
                }
            }
            RunEnd::StepLimit(n) => format!("stopped at the limit of {n} steps"),
            RunEnd::TimeLimit => "stopped at the time limit".into(),
            RunEnd::MemoryLimit => "stopped at the memory limit".into(),
            RunEnd::StackOverflow(_) => "stopped at the limit of nested calls".into(),
            RunEnd::InputsExhausted(_) => "inputs exhausted".into(),
            RunEnd::Unsupported(reason) => format!("cannot go on: {reason}"),
        }
    }
}
