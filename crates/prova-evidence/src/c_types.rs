//! Values and types of the program as C text that any compiler for the same data model takes,
//! without the program's own declarations.

use prova_ir::{CType, CTypeId, DataModel, FloatKind, Program, RegId, Type};

/// What a function without a body returns, or a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    /// `_Bool`.
    Bool,
    /// An integer of so many bits.
    Int {
        /// 8, 16, 32, 64 or 128.
        bits: u16,
        /// Whether it is signed.
        signed: bool,
    },
    /// `float`, `double` or `long double`, by their bits.
    Float(u16),
    /// Any pointer.
    Pointer,
}

impl Scalar {
    /// The type of a register, as C wrote it where that is known.
    pub fn of_register(program: &Program, register: RegId) -> Option<Scalar> {
        let register = program.register(register);
        Scalar::of(program, register.ty, register.ctype)
    }

    /// A type of the IR, made more exact by the type in C.
    pub fn of(program: &Program, ty: Type, ctype: Option<CTypeId>) -> Option<Scalar> {
        let found = match (ty, ctype.map(|c| program.ctypes.get(c))) {
            (Type::Int(8), Some(CType::Bool)) => Scalar::Bool,
            (Type::Int(w), Some(CType::Int { bits, signed, .. })) if *bits == w => Scalar::Int {
                bits: w,
                signed: *signed,
            },
            (Type::Int(bits), _) => Scalar::Int { bits, signed: true },
            (Type::Float(FloatKind::F32), _) => Scalar::Float(32),
            (Type::Float(FloatKind::F64), _) => Scalar::Float(64),
            (Type::Float(FloatKind::X87), _) => Scalar::Float(80),
            (Type::Ptr, _) => Scalar::Pointer,
        };
        match found {
            Scalar::Int { bits, .. } if ![8, 16, 32, 64, 128].contains(&bits) => None,
            other => Some(other),
        }
    }

    /// Its name in C, the same on both data models.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "_Bool",
            Scalar::Int { bits: 8, signed } => pick(signed, "signed char", "unsigned char"),
            Scalar::Int { bits: 16, signed } => pick(signed, "short", "unsigned short"),
            Scalar::Int { bits: 32, signed } => pick(signed, "int", "unsigned int"),
            Scalar::Int { bits: 128, signed } => pick(signed, "__int128", "unsigned __int128"),
            Scalar::Int { signed, .. } => pick(signed, "long long", "unsigned long long"),
            Scalar::Float(32) => "float",
            Scalar::Float(64) => "double",
            Scalar::Float(_) => "long double",
            Scalar::Pointer => "void *",
        }
    }

    /// Bits of a value.
    pub fn bits(self, model: DataModel) -> u32 {
        match self {
            Scalar::Bool => 8,
            Scalar::Int { bits, .. } | Scalar::Float(bits) => u32::from(bits),
            Scalar::Pointer => model.pointer_bits(),
        }
    }

    /// A value as people write it: `-3`, `0x600000000000`, `1.5`.
    pub fn show(self, bits: u128) -> String {
        match self {
            Scalar::Int { bits: w, signed } => as_integer(w, signed, bits),
            Scalar::Bool => (bits & 0xff).to_string(),
            Scalar::Float(32) => format!("{:?}", f32::from_bits(bits as u32)),
            Scalar::Float(64) => format!("{:?}", f64::from_bits(bits as u64)),
            Scalar::Float(_) => format!("{bits:#x}"),
            Scalar::Pointer if bits == 0 => "NULL".into(),
            Scalar::Pointer => format!("{bits:#x}"),
        }
    }

    /// The low 64 bits as a constant of type `unsigned long long`, readable where it can be.
    pub fn low_constant(self, bits: u128) -> String {
        match self {
            Scalar::Int { bits: w, signed } if w <= 64 => {
                let text = as_integer(w, signed, bits);
                match text.as_str() {
                    // Its absolute value is no `long long`.
                    "-9223372036854775808" => "-9223372036854775807LL - 1".into(),
                    t if signed => format!("{t}LL"),
                    t => format!("{t}ULL"),
                }
            }
            Scalar::Bool => format!("{}", bits & 0xff),
            _ => format!("{:#x}ULL", bits as u64),
        }
    }
}

fn pick(signed: bool, yes: &'static str, no: &'static str) -> &'static str {
    if signed {
        yes
    } else {
        no
    }
}

fn as_integer(width: u16, signed: bool, bits: u128) -> String {
    let shift = 128 - u32::from(width.clamp(1, 128));
    if signed {
        (((bits << shift) as i128) >> shift).to_string()
    } else {
        ((bits << shift) >> shift).to_string()
    }
}

/// Bytes as a C string literal; octal escapes, since those end by themselves.
pub fn string_literal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 4 + 2);
    text.push('"');
    for byte in bytes {
        text.push_str(&format!("\\{byte:03o}"));
    }
    text.push('"');
    text
}

/// Bytes as a C string literal for people.
pub fn readable_literal(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'\r' => text.push_str("\\r"),
            b'"' | b'\\' => text.extend(['\\', byte as char]),
            b' '..=b'~' => text.push(byte as char),
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push('"');
    text
}

/// A shell's command that prints bytes.
pub fn printf_command(bytes: &[u8]) -> String {
    let mut text = String::from("printf '");
    for &byte in bytes {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'%' => text.push_str("%%"),
            b'\\' => text.push_str("\\\\"),
            b'\'' => text.push_str("\\047"),
            b' '..=b'~' => text.push(byte as char),
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push('\'');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_c_constants() {
        let int = Scalar::Int {
            bits: 32,
            signed: true,
        };
        assert_eq!(int.low_constant(0xffff_fffd), "-3LL");
        assert_eq!(int.show(0xffff_fffd), "-3");
        let long = Scalar::Int {
            bits: 64,
            signed: true,
        };
        assert_eq!(long.low_constant(1 << 63), "-9223372036854775807LL - 1");
        let byte = Scalar::Int {
            bits: 8,
            signed: false,
        };
        assert_eq!(byte.low_constant(0x1ff), "255ULL");
        assert_eq!(Scalar::Pointer.show(0), "NULL");
        assert_eq!(string_literal(&[0, 255]), "\"\\000\\377\"");
        assert_eq!(readable_literal(b"12\n\"\\\0"), r#""12\n\"\\\000""#);
    }

    /// The shell's own `printf` gives the bytes back.
    #[test]
    fn a_shell_prints_the_bytes() {
        let all: Vec<u8> = (0..=255).collect();
        let output = std::process::Command::new("sh")
            .args(["-c", &printf_command(&all)])
            .output()
            .expect("sh runs");
        assert_eq!(output.stdout, all);
    }
}
