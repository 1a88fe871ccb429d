//! Functions without a body that the machine knows: those that print. What they compute is
//! faithful to C, so that `prova run` shows what the program shows; no proof rests on them.

use crate::domain::Domain;
use crate::format;
use crate::machine::{Machine, Stop};
use prova_ir::ProcId;

/// Longest string read or written by one call.
const LONGEST: usize = 1 << 24;

/// What a function does with what it formats.
enum Sink {
    Print,
    /// Into memory: address and room, unlimited for `sprintf`.
    Memory(u64, Option<u64>),
}

impl<D: Domain> Machine<D> {
    /// Runs a library function; `None` if it is not known.
    pub(crate) fn library(&mut self, proc: ProcId, a: &[u64]) -> Result<Option<u64>, Stop> {
        let program = std::sync::Arc::clone(&self.code.program);
        let name = program.procedure(proc).c_name.as_str();
        let bare = name.strip_prefix("__builtin_").unwrap_or(name);
        let (sink, format, slots) = match (bare, a) {
            ("printf" | "vprintf" | "__prova_printf", &[f, s]) => (Sink::Print, f, s),
            ("fprintf" | "vfprintf", &[_, f, s]) => (Sink::Print, f, s),
            ("sprintf" | "vsprintf", &[to, f, s]) => (Sink::Memory(to, None), f, s),
            ("snprintf" | "vsnprintf", &[to, room, f, s]) => (Sink::Memory(to, Some(room)), f, s),
            // What models of printing functions call (`prova_library::PRINT`).
            ("__prova_print", &[at, length]) => {
                let mut text = Vec::new();
                for i in 0..length.min(LONGEST as u64) {
                    let byte = self.memory.load(at + i, 1);
                    text.push(byte.map_err(|f| self.read_fault(f, at + i))? as u8);
                }
                self.print(&text);
                return Ok(Some(0));
            }
            ("puts", &[s]) => {
                let mut text = self.text(s)?;
                text.push(b'\n');
                self.print(&text);
                return Ok(Some(text.len() as u64));
            }
            ("fputs", &[s, _]) => {
                let text = self.text(s)?;
                self.print(&text);
                return Ok(Some(text.len() as u64));
            }
            ("putchar" | "putchar_unlocked", &[c]) | ("putc" | "fputc", &[c, _]) => {
                self.print(&[c as u8]);
                return Ok(Some(c & 0xff));
            }
            ("exit" | "_exit" | "_Exit" | "quick_exit", &[code]) => {
                return Err(Box::new(crate::end::RunEnd::Exited(code)))
            }
            ("abort", &[]) => return Err(Box::new(crate::end::RunEnd::Aborted(self.here()))),
            ("fflush", &[_]) | ("perror", &[_]) => return Ok(Some(0)),
            _ => return Ok(None),
        };
        let format = self.text(format)?;
        let text = self.formatted(&format, slots)?;
        let length = text.len() as u64;
        match sink {
            Sink::Print => self.print(&text),
            Sink::Memory(_, Some(0)) => {}
            Sink::Memory(to, room) => {
                let keep = room.map_or(text.len(), |r| text.len().min(r as usize - 1));
                let mut bytes = text;
                bytes.truncate(keep);
                bytes.push(0);
                self.library_write(to, &bytes)?;
            }
        }
        Ok(Some(length))
    }

    fn text(&mut self, address: u64) -> Result<Vec<u8>, Stop> {
        self.memory
            .string(address, LONGEST)
            .map_err(|f| self.read_fault(f, address))
    }

    fn formatted(&mut self, format: &[u8], slots: u64) -> Result<Vec<u8>, Stop> {
        let slot = self.code.program.model.pointer_bytes();
        let mut next = slots;
        let mut out = Vec::new();
        for piece in format::parse(format) {
            let spec = match piece {
                format::Piece::Text(text) => {
                    out.extend_from_slice(text);
                    continue;
                }
                format::Piece::Spec(spec) => spec,
            };
            let mut take = |machine: &mut Self, bytes: u64| -> Result<u128, Stop> {
                let at = next;
                next += bytes.div_ceil(slot) * slot;
                let mut value = 0u128;
                for i in 0..bytes {
                    let byte = machine
                        .memory
                        .load(at + i, 1)
                        .map_err(|f| machine.read_fault(f, at))?;
                    value |= u128::from(byte) << (8 * i);
                }
                Ok(value)
            };
            let mut spec = spec;
            if spec.width == Some(format::Count::Argument) {
                let width = take(self, 4)? as u32 as i32;
                spec.left |= width < 0;
                spec.width = Some(format::Count::Fixed(width.unsigned_abs() as usize));
            }
            if spec.precision == Some(format::Count::Argument) {
                let precision = take(self, 4)? as u32 as i32;
                spec.precision = usize::try_from(precision).ok().map(format::Count::Fixed);
            }
            match spec.conversion {
                b'%' => out.push(b'%'),
                b's' => {
                    let at = take(self, slot)? as u64;
                    let limit = spec.precision().unwrap_or(LONGEST).min(LONGEST);
                    let text = self
                        .memory
                        .string(at, limit)
                        .map_err(|f| self.read_fault(f, at))?;
                    spec.pad(&text, &mut out);
                }
                b'n' => {
                    let at = take(self, slot)? as u64;
                    let n = spec.integer_bytes(slot);
                    let count = (out.len() as u64).to_le_bytes();
                    self.library_write(at, &count[..n as usize])?;
                }
                b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                    let value = if spec.long_double {
                        let size = if slot == 8 { 16 } else { 12 };
                        let bits = take(self, size)? & ((1 << 80) - 1);
                        let wide = crate::arith::cast_wide(prova_ir::CastOp::FToF, 80, 64, bits);
                        f64::from_bits(wide as u64)
                    } else {
                        f64::from_bits(take(self, 8)? as u64)
                    };
                    spec.float(value, &mut out);
                }
                b'p' => {
                    let value = take(self, slot)? as u64;
                    spec.pointer(value, &mut out);
                }
                b'c' => {
                    let value = take(self, 4)? as u8;
                    spec.pad(&[value], &mut out);
                }
                _ => {
                    let n = spec.integer_bytes(slot);
                    let value = take(self, n.max(4))?;
                    spec.integer(value as u64, n, &mut out);
                }
            }
            if out.len() > LONGEST {
                return Err(crate::machine::unsupported(
                    "more output in one call than 16 MiB",
                ));
            }
        }
        Ok(out)
    }
}
