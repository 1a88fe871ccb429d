//! The write log of a run: per register and per memory word, when it got which value; and the
//! path. Nothing is copied per step.

use crate::code::{Slot, FIXED};
use crate::log::Log;
use crate::memory::Memory;
use prova_ir::ProcId;
use rustc_hash::FxHashMap;

/// One call of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activation {
    /// Procedure.
    pub proc: ProcId,
    /// Who called it; itself for the first.
    pub caller: u32,
    /// State at which it starts.
    pub start: u32,
    /// The state from which it returns; `u32::MAX` if it never does.
    pub last: u32,
    /// Where its registers' logs start.
    logs: u32,
}

/// Memory that got arbitrary contents: an object came to life, a block was allocated, a range was
/// given new contents. These happen in the same order however a program's calls are inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// Step of the edge.
    pub step: u32,
    /// Where.
    pub address: u64,
    /// Bytes.
    pub size: u64,
    /// The key into [`Test::fresh`](crate::Test::fresh), if the memory had contents before; those
    /// of memory seen for the first time are in [`Test::contents`](crate::Test::contents).
    pub number: Option<u32>,
}

const CACHE: usize = 256;

/// The aligned words that hold a range; the last one of all may be the last of memory.
#[inline(always)]
fn words(address: u64, size: u64) -> impl Iterator<Item = u64> {
    let first = address & !7;
    let count = if size == 0 {
        0
    } else {
        (((address - first) + size - 1) >> 3) + 1
    };
    (0..count).map(move |i| first.wrapping_add(8 * i))
}

/// Everything written in a run. States are numbered from zero (before the first edge): a write by
/// the edge at step k holds from state k + 1 on.
pub struct History {
    /// (step, position): from there the path follows consecutive positions.
    pub path: Log,
    /// All calls, in order.
    pub activations: Vec<Activation>,
    /// Memory that got arbitrary contents, in order.
    pub fills: Vec<Fill>,
    /// Which one is running.
    active: Log,
    current: u32,
    current_logs: u32,
    registers: Vec<Log>,
    globals: Vec<Log>,
    words: FxHashMap<u64, u32>,
    word_logs: Vec<Log>,
    cache: Box<[(u64, u32); CACHE]>,
}

impl Default for History {
    fn default() -> Self {
        Self {
            path: Log::default(),
            activations: Vec::new(),
            fills: Vec::new(),
            active: Log::default(),
            current: 0,
            current_logs: 0,
            registers: Vec::new(),
            globals: Vec::new(),
            words: FxHashMap::default(),
            word_logs: Vec::new(),
            cache: Box::new([(u64::MAX, 0); CACHE]),
        }
    }
}

impl History {
    #[inline(always)]
    fn log(&mut self, slot: Slot) -> &mut Log {
        if slot & FIXED == 0 {
            &mut self.registers[(self.current_logs + slot) as usize]
        } else {
            let index = (slot & !FIXED) as usize;
            if index >= self.globals.len() {
                self.globals.resize_with(index + 1, Log::default);
            }
            &mut self.globals[index]
        }
    }

    #[inline(always)]
    pub(crate) fn wrote(&mut self, step: u32, slot: Slot, value: u64) {
        self.log(slot).push(step + 1, value);
    }

    /// A first value, which holds from state zero on.
    pub(crate) fn first(&mut self, slot: Slot, value: u64) {
        self.log(slot).push(0, value);
    }

    pub(crate) fn called(&mut self, step: u32, proc: ProcId, registers: u32) {
        let logs = self.registers.len() as u32;
        self.registers
            .resize_with((logs + registers) as usize, Log::default);
        let id = self.activations.len() as u32;
        let (caller, start) = if id == 0 {
            (0, 0)
        } else {
            (self.current, step + 1)
        };
        self.activations.push(Activation {
            proc,
            caller,
            start,
            last: u32::MAX,
            logs,
        });
        self.current = id;
        self.current_logs = logs;
        self.active.push(start, u64::from(id));
    }

    pub(crate) fn returned(&mut self, step: u32) {
        self.activations[self.current as usize].last = step;
        self.current = self.activations[self.current as usize].caller;
        self.current_logs = self.activations[self.current as usize].logs;
        self.active.push(step + 1, u64::from(self.current));
    }

    #[inline(always)]
    fn word_log(&mut self, word: u64) -> Option<u32> {
        let (cached, index) = self.cache[(word >> 3) as usize % CACHE];
        if cached == word {
            return Some(index);
        }
        let &index = self.words.get(&word)?;
        self.cache[(word >> 3) as usize % CACHE] = (word, index);
        Some(index)
    }

    #[inline(always)]
    pub(crate) fn will_write(&mut self, memory: &Memory, address: u64, size: u64) {
        for word in words(address, size) {
            if self.word_log(word).is_none() {
                let mut log = Log::default();
                log.push(0, memory.word(word));
                self.words.insert(word, self.word_logs.len() as u32);
                self.word_logs.push(log);
            }
        }
    }

    #[inline(always)]
    pub(crate) fn wrote_memory(&mut self, step: u32, memory: &Memory, address: u64, size: u64) {
        for word in words(address, size) {
            if let Some(index) = self.word_log(word) {
                self.word_logs[index as usize].push(step + 1, memory.word(word));
            }
        }
    }

    /// The activation running at a state.
    pub fn activation_at(&self, step: u32) -> u32 {
        self.active.at(step).map_or(0, |(_, id)| id as u32)
    }

    /// A register of an activation at a state: when it was written and its value.
    pub fn register_at(
        &self,
        activation: u32,
        slot: Slot,
        wide: bool,
        step: u32,
    ) -> Option<(u32, u128)> {
        let (column, index) = if slot & FIXED == 0 {
            (
                &self.registers,
                (self.activations.get(activation as usize)?.logs + slot) as usize,
            )
        } else {
            (&self.globals, (slot & !FIXED) as usize)
        };
        let (mut written, low) = column.get(index)?.at(step)?;
        let mut value = u128::from(low);
        if wide {
            let (at, high) = column.get(index + 1)?.at(step)?;
            written = written.max(at);
            value |= u128::from(high) << 64;
        }
        Some((written, value))
    }

    /// The aligned word of memory at a state, if it was ever written.
    pub fn word_at(&self, word: u64, step: u32) -> Option<u64> {
        let &index = self.words.get(&word)?;
        self.word_logs[index as usize].at(step).map(|(_, v)| v)
    }

    /// When the words that hold a range were last written, at a state.
    pub fn written_at(&self, address: u64, size: u64, step: u32) -> u32 {
        let mut last = 0;
        for word in words(address, size) {
            let log = self.words.get(&word).map(|&i| &self.word_logs[i as usize]);
            last = last.max(log.and_then(|l| l.at(step)).map_or(0, |(at, _)| at));
        }
        last
    }

    /// Bytes it takes, about.
    pub fn size(&self) -> usize {
        let logs =
            |logs: &[Log]| logs.iter().map(Log::size).sum::<usize>() + std::mem::size_of_val(logs);
        self.path.size()
            + logs(&self.registers)
            + logs(&self.globals)
            + logs(&self.word_logs)
            + self.words.len() * 24
            + self.activations.len() * std::mem::size_of::<Activation>()
            + self.fills.len() * std::mem::size_of::<Fill>()
    }
}
