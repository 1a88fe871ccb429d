//! Types of values, and the two data models.

/// The type of a value in a register, an expression or a memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A bit-vector of this many bits. Signedness is in the operations. Width 1 is a truth value.
    Int(u16),
    /// An IEEE float.
    Float(FloatKind),
    /// An address; as wide as the data model says.
    Ptr,
}

/// The float formats of C on x86.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatKind {
    /// `float`: binary32.
    F32,
    /// `double`: binary64.
    F64,
    /// `long double`: x87 extended, 80 bits stored in 12 (ILP32) or 16 (LP64) bytes.
    X87,
}

impl Type {
    /// Truth values: the type of comparisons and of what `assume` takes.
    pub const BOOL: Type = Type::Int(1);

    /// How many bits a value of this type has; for [`FloatKind::X87`] the 80 stored bits.
    pub fn bits(self, model: DataModel) -> u32 {
        match self {
            Type::Int(w) => u32::from(w),
            Type::Float(FloatKind::F32) => 32,
            Type::Float(FloatKind::F64) => 64,
            Type::Float(FloatKind::X87) => 80,
            Type::Ptr => model.pointer_bits(),
        }
    }

    /// How many bytes an access of this type reads or writes. Truth values are never stored.
    pub fn bytes(self, model: DataModel) -> u64 {
        u64::from(self.bits(model).div_ceil(8))
    }

    /// Whether this is a truth value.
    pub fn is_bool(self) -> bool {
        self == Type::BOOL
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Type::Int(w) => write!(f, "i{w}"),
            Type::Float(FloatKind::F32) => f.write_str("f32"),
            Type::Float(FloatKind::F64) => f.write_str("f64"),
            Type::Float(FloatKind::X87) => f.write_str("f80"),
            Type::Ptr => f.write_str("ptr"),
        }
    }
}

/// Sizes of `int`, `long` and pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits (`gcc -m32`).
    Ilp32,
    /// `int` has 32 bits, `long` and pointers 64 (`gcc -m64`).
    #[default]
    Lp64,
}

impl DataModel {
    /// The width of an address.
    pub fn pointer_bits(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    /// The size of an address in bytes.
    pub fn pointer_bytes(self) -> u64 {
        u64::from(self.pointer_bits() / 8)
    }

    /// The addresses that stand for objects nobody declared. Disjoint from everything else.
    pub fn unknown_zone(self) -> std::ops::Range<u64> {
        match self {
            DataModel::Lp64 => 0x6000_0000_0000..0x7000_0000_0000,
            DataModel::Ilp32 => 0xb000_0000..0xe000_0000,
        }
    }

    /// Where arbitrary pointers lead that are not null: into the unknown zone, and not so near to its
    /// end that the object there would reach beyond it.
    pub fn arbitrary_pointers(self) -> std::ops::Range<u64> {
        let room = match self {
            DataModel::Lp64 => 1 << 36,
            DataModel::Ilp32 => 1 << 26,
        };
        let zone = self.unknown_zone();
        zone.start..zone.end - room
    }

    /// Where the ghost table lies ([`crate::Pinned::Table`]): behind the unknown zone, and like it
    /// disjoint from everything else. It has an entry for every 32 bytes of the heap, for so much a
    /// block takes at least, and some more for objects that have names.
    pub fn ghost_zone(self) -> std::ops::Range<u64> {
        let start = self.unknown_zone().end;
        let entries = self.heap_size() / 32 + (1 << 20);
        start..start + entries * self.pointer_bytes()
    }

    /// How many bytes can be allocated in a run: as many as the largest object has that a model of the
    /// library gives, and room for slots around it.
    pub fn heap_size(self) -> u64 {
        match self {
            DataModel::Lp64 => 0x1000_4000_0000,
            DataModel::Ilp32 => 0x8040_0000,
        }
    }

    /// The end of the addresses that objects can have: the limit of user space for processes of 64
    /// bits, and for those of 32 bits on a kernel of 64.
    pub fn address_end(self) -> u64 {
        match self {
            DataModel::Lp64 => 0x7fff_ffff_f000,
            DataModel::Ilp32 => 0xffff_e000,
        }
    }

    /// How many address bits a slot has: a range of addresses that one object has to itself where
    /// memory safety is checked. The heap starts at a slot.
    pub fn slot_bits(self) -> u32 {
        match self {
            DataModel::Lp64 => 28,
            DataModel::Ilp32 => 20,
        }
    }

    /// The integer type as wide as an address.
    pub fn pointer_int(self) -> Type {
        Type::Int(self.pointer_bits() as u16)
    }
}
