//! Addresses and values of a run, by the names in the source.

use prova_exec::arith::{cast_wide, signed_wide};
use prova_exec::Run;
use prova_ir::{
    CType, CTypeId, CastOp, Initial, ObjectId, ProcId, Program, Statement, Storage, Type,
};

/// Names for the addresses of one run.
#[derive(Debug)]
pub struct Names<'a> {
    program: &'a Program,
    /// Start, size and what lies there; by increasing start.
    ranges: Vec<(u64, u64, Thing)>,
    /// The blocks that were allocated, in order.
    blocks: Vec<Block>,
}

/// A block that was allocated.
#[derive(Clone, Copy, Debug)]
struct Block {
    size: u64,
    /// The line of the program that asked for it.
    line: u32,
    /// Whether no other block of this size comes from that line.
    alone: bool,
}

#[derive(Clone, Copy, Debug)]
enum Thing {
    Object(ObjectId),
    Function(ProcId),
    /// The n-th block that was allocated.
    Block(usize),
}

/// How deep into nested structures a name goes.
const DEEPEST: usize = 16;

/// Members of unions that are looked into, inside one another.
const FITTING: usize = 8;

impl<'a> Names<'a> {
    /// The names of a run.
    pub fn new(run: &'a Run) -> Self {
        let program = &*run.code.program;
        let mut ranges = Vec::new();
        for (i, object) in program.objects.iter().enumerate() {
            let id = ObjectId::new(i);
            ranges.push((run.layout.object(id), object.size.max(1), Thing::Object(id)));
        }
        for i in 0..program.procedures.len() {
            let id = ProcId::new(i);
            ranges.push((run.layout.function(id), 1, Thing::Function(id)));
        }
        let mut blocks: Vec<Block> = Vec::new();
        for fill in run.fills() {
            let edge = run.edge_at(fill.step).and_then(|place| {
                let body = program.procedure(place.proc).body.as_ref()?;
                Some(body.edge(place.edge?))
            });
            if edge.is_some_and(|e| matches!(e.statement, Statement::Allocate { .. })) {
                let (line, asked) = asked_for(run, fill.step);
                // What is set aside may be more than what was asked for.
                let size = asked.or_else(|| noted(run, fill.step)).unwrap_or(fill.size);
                let alike = |b: &Block| b.line == line && b.size == size;
                let alone = !blocks.iter().any(alike);
                blocks
                    .iter_mut()
                    .filter(|b| alike(b))
                    .for_each(|b| b.alone = false);
                blocks.push(Block { size, line, alone });
                ranges.push((fill.address, size.max(1), Thing::Block(blocks.len() - 1)));
            }
        }
        ranges.sort_by_key(|r| r.0);
        Names {
            program,
            ranges,
            blocks,
        }
    }

    /// A block in words.
    fn block(&self, number: usize) -> String {
        let Block { size, line, alone } = self.blocks[number];
        let which = match alone {
            true => "block".to_string(),
            false => format!("block {}", number + 1),
        };
        let place = match line {
            0 => String::new(),
            line => format!(" allocated at line {line}"),
        };
        format!("{which} of {size} byte{}{place}", plural(size))
    }

    /// How many bytes of what has a name or was allocated lie from an address on.
    pub fn room(&self, address: u64) -> Option<u64> {
        let at = self.ranges.partition_point(|r| r.0 <= address);
        let (start, _, thing) = *self.ranges.get(at.checked_sub(1)?)?;
        let size = match thing {
            Thing::Object(id) => self.program.object(id).size,
            Thing::Block(number) => self.blocks[number].size,
            Thing::Function(_) => return None,
        };
        size.checked_sub(address - start)
    }

    /// Where so many bytes lie that nothing holds, in words: what they lie beside.
    pub fn outside(&self, address: u64, bytes: u64) -> Option<String> {
        // An object that starts behind an address may be the one that was meant.
        let behind = self.ranges.partition_point(|r| r.0 <= address);
        let near = |range: Option<&(u64, u64, Thing)>| {
            let &(start, _, thing) = range?;
            let (size, what) = match thing {
                Thing::Object(id) => {
                    let object = self.program.object(id);
                    let name = match object.c_name.as_str() {
                        "" => self.literal(id)?,
                        name => format!("`{name}`"),
                    };
                    (object.size, name)
                }
                Thing::Block(number) => (
                    self.blocks[number].size,
                    format!("the {}", self.block(number)),
                ),
                Thing::Function(_) => return None,
            };
            let distance = address as i128 - start as i128;
            let inside = distance >= 0 && distance + bytes as i128 <= size as i128;
            (!inside && (-4096..=size as i128 + 4096).contains(&distance))
                .then_some((distance, size, what))
        };
        let (distance, size, what) = near(behind.checked_sub(1).and_then(|i| self.ranges.get(i)))
            .or_else(|| near(self.ranges.get(behind)))?;
        let has = match what.starts_with("the ") {
            true => String::new(),
            false => format!(", which has {size} byte{}", plural(size)),
        };
        Some(match distance {
            d if d < 0 => format!(
                "{} byte{} before {what}{has}",
                -d,
                if d == -1 { "" } else { "s" }
            ),
            d => format!("from byte {d} on of {what}{has}"),
        })
    }

    /// The text of a literal, as C writes it.
    fn literal(&self, id: ObjectId) -> Option<String> {
        let object = self.program.object(id);
        let Storage::Static {
            initial,
            constant: true,
        } = &object.storage
        else {
            return None;
        };
        let mut bytes = vec![
            0u8;
            usize::try_from(object.size)
                .ok()
                .filter(|s| *s <= LITERAL)?
        ];
        for (offset, part) in initial {
            let Initial::Bytes(part) = part else {
                return None;
            };
            let at = usize::try_from(*offset).ok()?;
            bytes.get_mut(at..at + part.len())?.copy_from_slice(part);
        }
        (bytes.pop()? == 0).then(|| quoted(&bytes))
    }

    fn find(&self, address: u64) -> Option<(Thing, u64)> {
        let at = self.ranges.partition_point(|r| r.0 <= address);
        let (start, size, thing) = *self.ranges.get(at.checked_sub(1)?)?;
        // One past the end still points to the object.
        (address - start <= size).then_some((thing, address - start))
    }

    /// What lies at an address, as C would call it: `disk.locked`, `a[3]`.
    pub fn place(&self, address: u64, bytes: u64) -> Option<String> {
        let (thing, offset) = self.find(address)?;
        match thing {
            Thing::Object(id) => {
                let object = self.program.object(id);
                if object.c_name.is_empty() {
                    return None;
                }
                let path = path(self.program, object.ctype, offset, bytes);
                Some(format!("{}{path}", object.c_name))
            }
            Thing::Function(id) => Some(self.program.procedure(id).c_name.clone()),
            Thing::Block(_) => None,
        }
    }

    /// A pointer's value: `&disk`, `NULL`, `block 2 + 8`.
    pub fn pointer(&self, address: u64) -> String {
        if address == 0 {
            return "NULL".into();
        }
        match self.find(address) {
            Some((Thing::Function(id), 0)) => self.program.procedure(id).c_name.clone(),
            Some((Thing::Block(n), 0)) => self.block(n),
            Some((Thing::Block(n), offset)) if offset == self.blocks[n].size => {
                format!("the end of the {}", self.block(n))
            }
            Some((Thing::Block(n), offset)) => format!("{} + {offset}", self.block(n)),
            Some((Thing::Object(id), offset)) => {
                let object = self.program.object(id);
                match object.c_name.as_str() {
                    "" => match (self.literal(id), offset) {
                        (Some(text), 0) => text,
                        (Some(text), offset) => format!("{text} + {offset}"),
                        (None, _) => "a literal".into(),
                    },
                    name if offset >= object.size && object.size > 0 => {
                        format!("the end of {name}")
                    }
                    name => self.within_object(name, object.ctype, offset),
                }
            }
            _ => match self.program.model.unknown_zone() {
                zone if zone.contains(&address) => match address - zone.start {
                    0 => "an object of the caller's".into(),
                    by => format!("an object of the caller's at {by:#x}"),
                },
                _ => format!("{address:#x}"),
            },
        }
    }

    /// A pointer into a variable: `&disk.locked`, `buffer + 3`.
    fn within_object(&self, name: &str, ctype: Option<CTypeId>, offset: u64) -> String {
        let array = |c: Option<CTypeId>| {
            c.is_some_and(|c| matches!(self.program.ctypes.get(c), CType::Array { .. }))
        };
        let path = path(self.program, ctype, offset, 0);
        if path.is_empty() && array(ctype) {
            return name.to_string();
        }
        let element = path.strip_suffix(']').and_then(|p| p.rsplit_once('['));
        match element {
            Some((front, "0")) => format!("{name}{front}"),
            Some((front, index)) => format!("{name}{front} + {index}"),
            None => format!("&{name}{path}"),
        }
    }

    /// A value as C would print it.
    pub fn value(&self, ty: Type, ctype: Option<CTypeId>, bits: u128) -> String {
        match ty {
            Type::BOOL => bits.to_string(),
            Type::Int(8) if self.is_char(ctype) => character(bits as u8),
            Type::Int(width) => {
                let signed = match ctype.map(|c| self.program.ctypes.get(c)) {
                    Some(CType::Int { signed, .. }) => *signed,
                    Some(CType::Bool) => false,
                    _ => true,
                };
                if signed {
                    signed_wide(bits, width.clamp(1, 128) as u8).to_string()
                } else {
                    bits.to_string()
                }
            }
            Type::Float(_) => match ty.bits(self.program.model) {
                32 => format!("{:?}", f32::from_bits(bits as u32)),
                64 => format!("{:?}", f64::from_bits(bits as u64)),
                _ => {
                    let double = cast_wide(CastOp::FToF, 80, 64, bits) as u64;
                    format!("{:?}", f64::from_bits(double))
                }
            },
            Type::Ptr => self.pointer(bits as u64),
        }
    }
}

impl Names<'_> {
    /// Whether values of a type are told as characters.
    pub fn is_char(&self, ctype: Option<CTypeId>) -> bool {
        let ctype = ctype.map(|c| self.program.ctypes.get(c));
        matches!(ctype, Some(CType::Int { name, bits: 8, .. }) if name == "char")
    }

    /// Whether a type is a pointer to such.
    pub fn is_text(&self, ctype: Option<CTypeId>) -> bool {
        match ctype.map(|c| self.program.ctypes.get(c)) {
            Some(CType::Pointer(to)) => self.is_char(Some(*to)),
            _ => false,
        }
    }
}

fn plural(n: u64) -> &'static str {
    if n == 1 {
        ""
    } else {
        "s"
    }
}

/// Longer literals are not told.
const LITERAL: usize = 64;

/// The size that a check noted behind an allocation.
fn noted(run: &Run, step: u32) -> Option<u64> {
    let program = &*run.code.program;
    (1..=NOTED).find_map(|k| {
        let place = run.edge_at(step + k)?;
        let body = program.procedure(place.proc).body.as_ref()?;
        let target = body.edge(place.edge?).statement.written_register()?;
        let register = program.register(target);
        let size = register.c_name.is_empty() && register.name.starts_with("size.");
        size.then(|| run.register_at(target, step + k + 1) as u64)
    })
}

/// Steps behind an allocation in which its size may be noted.
const NOTED: u32 = 16;

/// The line of the program's own code that an allocation belongs to, zero if there is none, and how
/// much was asked for there, if the library's function is one that says so.
fn asked_for(run: &Run, step: u32) -> (u32, Option<u64>) {
    let program = &*run.code.program;
    let (mut step, mut asked) = (step, None);
    for _ in 0..DEEPEST {
        let span = run.edge_at(step).and_then(|place| {
            let body = program.procedure(place.proc).body.as_ref()?;
            Some(body.edge(place.edge?).span)
        });
        match span {
            Some(span) if program.is_own(span) => return (span.line, asked),
            _ => {}
        }
        let activation = run.activation_at(step) as usize;
        let called = &run.activations()[activation];
        let procedure = program.procedure(called.proc);
        let argument = |n: usize| {
            let register = *procedure.parameters.get(n)?;
            Some(run.register_of(activation as u32, register, called.start) as u64)
        };
        asked = match procedure.c_name.as_str() {
            "malloc" => argument(0),
            "calloc" => argument(0)
                .zip(argument(1))
                .map(|(n, size)| n.wrapping_mul(size)),
            "realloc" | "aligned_alloc" => argument(1),
            _ => asked,
        };
        match called.start.checked_sub(1).filter(|_| activation > 0) {
            Some(call) => step = call,
            None => return (0, asked),
        }
    }
    (0, asked)
}

/// A byte as C writes a character, or as a number where it has no sign of its own.
pub fn character(byte: u8) -> String {
    match byte {
        b'\'' => "'\\''".into(),
        b'"' => "'\"'".into(),
        0 => "'\\0'".into(),
        _ => match escape(byte) {
            Some(text) => format!("'{text}'"),
            None => (byte as i8).to_string(),
        },
    }
}

/// Bytes as a string literal.
pub fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for (i, &byte) in bytes.iter().enumerate() {
        match escape(byte) {
            Some(one) => text += &one,
            // A digit behind would be part of the number.
            None if bytes.get(i + 1).is_some_and(u8::is_ascii_digit) => {
                text += &format!("\\{byte:03o}");
            }
            None => text += &format!("\\{byte:o}"),
        }
    }
    text + "\""
}

fn escape(byte: u8) -> Option<String> {
    Some(match byte {
        b'\n' => "\\n".into(),
        b'\t' => "\\t".into(),
        b'\r' => "\\r".into(),
        b'\\' => "\\\\".into(),
        b'"' => "\\\"".into(),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => return None,
    })
}

/// Bytes of a type, where it says.
pub fn size_of(program: &Program, ctype: CTypeId) -> Option<u64> {
    let mut factor = 1u64;
    let mut at = ctype;
    for _ in 0..DEEPEST {
        return factor.checked_mul(match program.ctypes.get(at) {
            CType::Bool => 1,
            CType::Int { bits, .. } => u64::from(*bits).div_ceil(8),
            CType::Float { bits: 80 } => 2 * program.model.pointer_bytes(),
            CType::Float { bits } => u64::from(*bits) / 8,
            CType::Pointer(_) => program.model.pointer_bytes(),
            CType::Record { size, .. } => *size,
            CType::Array { element, length } => {
                factor = factor.checked_mul((*length)?)?;
                at = *element;
                continue;
            }
            CType::Void | CType::Function { .. } => return None,
        });
    }
    None
}

/// The members that lead to a part of an object: `.lock[2].owner`. With `bytes` zero, a pointer
/// is meant: it stops at the outermost thing that starts there.
pub fn path(program: &Program, ctype: Option<CTypeId>, offset: u64, bytes: u64) -> String {
    part(program, ctype, offset, bytes).0
}

/// As [`path`] where it is not known how many bytes are meant: the innermost thing that starts
/// there; of a union, the first member.
pub fn path_to_some(program: &Program, ctype: Option<CTypeId>, offset: u64) -> String {
    descend(program, ctype, offset, 1, false).0
}

/// As [`path`], with the type of the part.
pub fn part(
    program: &Program,
    ctype: Option<CTypeId>,
    offset: u64,
    bytes: u64,
) -> (String, Option<CTypeId>) {
    descend(program, ctype, offset, bytes, true)
}

/// Whether so many bytes at an offset are a scalar, through whatever members.
fn fits(program: &Program, ctype: CTypeId, offset: u64, bytes: u64, depth: usize) -> bool {
    if depth == 0 {
        return false;
    }
    match program.ctypes.get(ctype) {
        CType::Record { fields, .. } => fields.iter().any(|f| {
            f.bits.is_none()
                && f.offset <= offset
                && size_of(program, f.ctype).is_some_and(|s| offset - f.offset < s)
                && fits(program, f.ctype, offset - f.offset, bytes, depth - 1)
        }),
        CType::Array { element, .. } => size_of(program, *element)
            .filter(|s| *s > 0)
            .is_some_and(|s| fits(program, *element, offset % s, bytes, depth - 1)),
        _ => offset == 0 && size_of(program, ctype) == Some(bytes),
    }
}

fn descend(
    program: &Program,
    ctype: Option<CTypeId>,
    mut offset: u64,
    bytes: u64,
    known: bool,
) -> (String, Option<CTypeId>) {
    let mut text = String::new();
    let mut at = ctype;
    for _ in 0..DEEPEST {
        let Some(id) = at else { break };
        if offset == 0 && bytes == 0 {
            return (text, at);
        }
        match program.ctypes.get(id) {
            CType::Record { fields, union, .. } => {
                let held = |f: &&prova_ir::ctype::CField| {
                    f.bits.is_none()
                        && f.offset <= offset
                        && size_of(program, f.ctype).is_some_and(|s| {
                            offset - f.offset < s && offset - f.offset + bytes <= s
                        })
                };
                let exact = |f: &&prova_ir::ctype::CField| {
                    let fits = || fits(program, f.ctype, offset - f.offset, bytes, FITTING);
                    held(f) && (!union || known && fits())
                };
                let field = fields.iter().find(exact).or(fields.iter().find(held));
                let Some(field) = field else { break };
                if !field.name.is_empty() {
                    text += &format!(".{}", field.name);
                }
                offset -= field.offset;
                at = Some(field.ctype);
            }
            CType::Array { element, .. } => {
                let Some(size) = size_of(program, *element).filter(|s| *s > 0) else {
                    break;
                };
                text += &format!("[{}]", offset / size);
                offset %= size;
                at = Some(*element);
            }
            _ => {
                return if offset == 0 {
                    (text, at)
                } else {
                    (format!("{text} + {offset} bytes"), None)
                }
            }
        }
    }
    if offset > 0 {
        text += &format!(" + {offset} bytes");
    }
    (text, None)
}

#[cfg(test)]
mod tests {
    use super::{character, quoted};

    #[test]
    fn bytes_read_like_c() {
        assert_eq!(quoted(b"a\"b\\u\n"), r#""a\"b\\u\n""#);
        assert_eq!(quoted(&[1, b'7', 0, b'x', 255]), r#""\0017\0x\377""#);
        assert_eq!(character(b'a'), "'a'");
        assert_eq!(character(b'\''), r"'\''");
        assert_eq!(character(0), r"'\0'");
        assert_eq!(character(200), "-56");
    }
}
