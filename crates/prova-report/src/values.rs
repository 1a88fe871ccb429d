//! Addresses and values of a run, by the names in the source.

use prova_exec::arith::{cast_wide, signed_wide};
use prova_exec::Run;
use prova_ir::{CType, CTypeId, CastOp, ObjectId, ProcId, Program, Statement, Type};

/// Names for the addresses of one run.
#[derive(Debug)]
pub struct Names<'a> {
    program: &'a Program,
    /// Start, size and what lies there; by increasing start.
    ranges: Vec<(u64, u64, Thing)>,
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
        let mut blocks = 0;
        for fill in run.fills() {
            let edge = run.edge_at(fill.step).and_then(|place| {
                let body = program.procedure(place.proc).body.as_ref()?;
                Some(body.edge(place.edge?))
            });
            if edge.is_some_and(|e| matches!(e.statement, Statement::Allocate { .. })) {
                blocks += 1;
                ranges.push((fill.address, fill.size.max(1), Thing::Block(blocks)));
            }
        }
        ranges.sort_by_key(|r| r.0);
        Names { program, ranges }
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
            Some((Thing::Block(n), 0)) => format!("block {n}"),
            Some((Thing::Block(n), offset)) => format!("block {n} + {offset}"),
            Some((Thing::Object(id), offset)) => {
                let object = self.program.object(id);
                match object.c_name.as_str() {
                    "" => "a literal".into(),
                    name if offset >= object.size && object.size > 0 => {
                        format!("the end of {name}")
                    }
                    name => format!("&{name}{}", path(self.program, object.ctype, offset, 0)),
                }
            }
            _ => format!("{address:#x}"),
        }
    }

    /// A value as C would print it.
    pub fn value(&self, ty: Type, ctype: Option<CTypeId>, bits: u128) -> String {
        match ty {
            Type::BOOL => bits.to_string(),
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
