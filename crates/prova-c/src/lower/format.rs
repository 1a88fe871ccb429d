//! `printf` and its relatives with a format that is a string literal: the format is taken apart
//! here, and each piece becomes a call of a small model function (`output.c` of `prova-library`).
//! So a call costs what its conversions cost: one that prints numbers and whose result nobody
//! looks at costs nothing. Other formats are read by the model at run time.
//!
//! What is printed goes to the machine as well (`prova_library::PRINTF`), so that a run shows it;
//! no verdict depends on that.

use super::*;
use crate::lower::lvalue::{LPlace, Location};
use lang_c::ast::*;

/// A width or precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    None,
    Fixed(u32),
    Argument,
}

/// How large an argument is, by the letters before the conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Char,
    Short,
    Int,
    Long,
    LongLong,
    LongDouble,
}

/// A piece of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// Characters as they are: where they start in the format, and how many.
    Text(u64, u64),
    /// Replaced by an argument.
    Spec(Spec),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Spec {
    flags: i128,
    width: Count,
    precision: Count,
    size: Size,
    conversion: u8,
}

// As `output.c` names them.
const LEFT: i128 = 1;
const UPPER: i128 = 32;
const SMALL: i128 = 128;

/// The largest width or precision that is followed.
const WIDEST: u32 = 1_000_000;

/// Takes a format apart; `None` if it has what is not modelled.
fn pieces(format: &[u8]) -> Option<Vec<Piece>> {
    let mut found = Vec::new();
    let mut i = 0;
    while i < format.len() {
        let start = i;
        while i < format.len() && format[i] != b'%' {
            i += 1;
        }
        if i > start {
            found.push(Piece::Text(start as u64, (i - start) as u64));
        }
        if i == format.len() {
            break;
        }
        if format.get(i + 1) == Some(&b'%') {
            found.push(Piece::Text(i as u64 + 1, 1));
            i += 2;
            continue;
        }
        i += 1;
        found.push(Piece::Spec(spec(format, &mut i)?));
    }
    Some(found)
}

fn count(format: &[u8], i: &mut usize) -> Option<Count> {
    if format.get(*i) == Some(&b'*') {
        *i += 1;
        return Some(Count::Argument);
    }
    let mut value = None;
    while let Some(digit) = format.get(*i).filter(|c| c.is_ascii_digit()) {
        let more = value.unwrap_or(0) * 10 + u32::from(digit - b'0');
        value = Some(more).filter(|v| *v <= WIDEST);
        value?;
        *i += 1;
    }
    Some(value.map_or(Count::None, Count::Fixed))
}

fn spec(format: &[u8], i: &mut usize) -> Option<Spec> {
    let mut flags = 0;
    while let Some(at) = format
        .get(*i)
        .and_then(|c| b"-+ #0".iter().position(|f| f == c))
    {
        flags |= 1 << at;
        *i += 1;
    }
    let width = count(format, i)?;
    let mut precision = Count::None;
    if format.get(*i) == Some(&b'.') {
        *i += 1;
        precision = match count(format, i)? {
            Count::None => Count::Fixed(0),
            given => given,
        };
    }
    let rest = &format[*i..];
    let (size, letters) = match rest {
        [b'h', b'h', ..] => (Size::Char, 2),
        [b'h', ..] => (Size::Short, 1),
        [b'l', b'l', ..] => (Size::LongLong, 2),
        [b'q' | b'j', ..] => (Size::LongLong, 1),
        [b'l' | b'z' | b't', ..] => (Size::Long, 1),
        [b'L', ..] => (Size::LongDouble, 1),
        _ => (Size::Int, 0),
    };
    *i += letters;
    let conversion = *format.get(*i)?;
    *i += 1;
    let known = match conversion {
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'n' => size != Size::LongDouble,
        b'c' | b's' | b'p' => size == Size::Int,
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            matches!(size, Size::Int | Size::Long | Size::LongDouble)
        }
        _ => false,
    };
    known.then_some(Spec {
        flags,
        width,
        precision,
        size,
        conversion,
    })
}

/// An argument.
#[derive(Clone)]
struct Given {
    value: Value,
    /// The characters, if it is a literal.
    text: Option<Vec<u8>>,
}

/// The most characters that a format may give, if that is plain to see.
fn longest(pieces: &[Piece], arguments: &[Given]) -> Option<u64> {
    let mut next = arguments.iter();
    let mut most = 0;
    for piece in pieces {
        most += match piece {
            Piece::Text(_, length) => *length,
            Piece::Spec(spec) => {
                let argument = next.next()?;
                let plain = spec.width == Count::None && spec.precision == Count::None;
                match (spec.conversion, &argument.text) {
                    _ if !plain => return None,
                    // A sign or a prefix, and the digits of 64 bits to base 8.
                    (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', _) => match spec.size {
                        Size::LongLong | Size::Long => 24,
                        _ if spec.conversion == b'o' => 12,
                        _ => 11,
                    },
                    (b'c', _) => 1,
                    (b'n', _) => 0,
                    (b's', Some(text)) => text.len() as u64,
                    _ => return None,
                }
            }
        };
    }
    Some(most)
}

/// Literals of more characters than this are copied, not stored one by one.
pub const MOST_STORES: usize = 32;

/// Where the text goes.
struct Target {
    to: Value,
    room: Value,
    /// Whether it is printed.
    printed: bool,
}

impl<'a> Lowerer<'a> {
    /// A call of a formatting function with a literal format; `None` for any other.
    pub fn formatted_call(
        &mut self,
        name: &str,
        c: &'a Node<CallExpression>,
        wanted: bool,
    ) -> Result<Option<Value>> {
        // The position of the format; the checked forms have more arguments before it.
        let at = match name {
            "printf" | "__builtin_printf" => 0,
            "fprintf" | "sprintf" | "__printf_chk" => 1,
            "snprintf" | "__fprintf_chk" => 2,
            "__sprintf_chk" => 3,
            "__snprintf_chk" => 4,
            _ => return Ok(None),
        };
        let arguments = &c.node.arguments;
        let checked = name.ends_with("_chk");
        let literal = arguments.get(at).and_then(|a| self.text_of(a));
        let Some(format) = literal else {
            if checked {
                self.mark(MarkerKind::Other(format!("`{name}`")), c.span);
                return Ok(Some(self.int_value(0)));
            }
            return Ok(None);
        };
        if !self.externals.contains_key("__prova_put_text") {
            return Ok(None);
        }
        let values = self.arguments(arguments)?;
        let mut rest = Vec::with_capacity(values.len());
        let mut given = Vec::with_capacity(values.len());
        for (value, argument) in values.iter().zip(arguments).skip(at + 1) {
            let value = match self.types.record(value.ty) {
                Some(_) => *value,
                None => self.default_promotion(*value, argument.span)?,
            };
            rest.push(value);
            given.push(Given {
                value,
                text: literal_of(argument),
            });
        }
        self.stand(c.span);
        let size = self.size_type();
        let pointer = self.void_pointer();
        let bits = self.pointer_bits();
        let plain = prova_library::plain_name(name);
        let into_memory = matches!(plain, "sprintf" | "snprintf");
        let mut target = match into_memory {
            false => Target {
                to: Value {
                    expr: self.program.exprs.add(Expr::Pointer(0)),
                    ty: pointer,
                },
                room: Value {
                    expr: self.int(0, bits),
                    ty: size,
                },
                printed: true,
            },
            true => Target {
                to: self.convert(values[0], pointer, c.span)?,
                room: match plain {
                    "snprintf" => self.convert(values[1], size, c.span)?,
                    _ => Value {
                        expr: self.int(u128::MAX, bits),
                        ty: size,
                    },
                },
                printed: false,
            },
        };
        if plain == "fprintf" && self.externals.contains_key("__prova_usable") {
            self.model_call("__prova_usable", vec![values[0]], c.span)?;
        }
        let Some(pieces) = pieces(&format) else {
            let what = format!("the format of `{name}`");
            self.mark(MarkerKind::Other(what), c.span);
            let int = self.int_value(0);
            return Ok(Some(int));
        };
        if let Some((room, _)) = fold::as_int(&self.program.exprs, target.room.expr) {
            // Where all fits, nobody needs to look how much room there is.
            if into_memory && longest(&pieces, &given).is_some_and(|n| u128::from(n) < room) {
                target.room.expr = self.int(u128::MAX, bits);
            }
        }
        let counts = pieces.iter().any(|p| match p {
            Piece::Spec(spec) => spec.conversion == b'n',
            Piece::Text(..) => false,
        });
        let length_matters = wanted || counts || !target.printed;
        let format_at = values[at];
        let text = (format_at, &format[..]);
        let end = self.put_pieces(&pieces, &target, text, &given, length_matters, c.span)?;
        if target.printed {
            if self.asks_for_failures && self.externals.contains_key("__prova_output") {
                let stream = (plain == "fprintf").then(|| values[0]);
                self.output_may_fail(stream, c.span)?;
            }
            let slots = self.slots(&rest, c.span)?;
            let format_at = self.convert(format_at, pointer, c.span)?;
            self.only_the_machine(prova_library::PRINTF, &[format_at.expr, slots], c.span);
            if !wanted {
                return Ok(Some(self.int_value(0)));
            }
            return self
                .model_call("__prova_printed", vec![end], c.span)
                .map(Some);
        }
        let room = fold::as_int(&self.program.exprs, target.room.expr);
        let end = match room.is_some_and(|(room, _)| room == fold::mask(bits)) {
            true => {
                let last = self.binary(BinaryOp::PtrAdd, target.to.expr, end.expr);
                let zero = self.int(0, 8);
                self.stand(c.span);
                self.store(last, zero);
                end
            }
            false => {
                let values = vec![target.to, target.room, end];
                self.model_call("__prova_put_end", values, c.span)?
            }
        };
        let int = self.int_type();
        self.convert(end, int, c.span).map(Some)
    }

    /// `puts` of a text that is known: nobody has to look for its end.
    pub fn put_line(&mut self, c: &'a Node<CallExpression>, wanted: bool) -> Result<Option<Value>> {
        let [text] = &c.node.arguments[..] else {
            return Ok(None);
        };
        let Some(characters) = self.text_of(text) else {
            return Ok(None);
        };
        if !self.externals.contains_key("__prova_put_line") {
            return Ok(None);
        }
        let value = self.expr(text)?;
        let pointer = self.void_pointer();
        let text = self.convert(value, pointer, c.span)?;
        let bits = self.pointer_bits();
        let n = Value {
            expr: self.int(characters.len() as u128, bits),
            ty: self.size_type(),
        };
        self.stand(c.span);
        self.model_call("__prova_put_line", vec![text, n], c.span)?;
        if wanted || self.asks_for_failures {
            return self
                .model_call("__prova_line_put", Vec::new(), c.span)
                .map(Some);
        }
        Ok(Some(self.int_value(0)))
    }

    /// The program asks streams whether output failed: any output may have.
    fn output_may_fail(&mut self, stream: Option<Value>, span: CSpan) -> Result<()> {
        match stream {
            Some(stream) => self.model_call("__prova_output", vec![stream], span)?,
            None => self.model_call("__prova_standard_output", Vec::new(), span)?,
        };
        Ok(())
    }

    /// Calls for the pieces of a format; how many characters there are in all, if that matters.
    fn put_pieces(
        &mut self,
        pieces: &[Piece],
        target: &Target,
        (format, characters): (Value, &[u8]),
        arguments: &[Given],
        length_matters: bool,
        span: CSpan,
    ) -> Result<Value> {
        let size = self.size_type();
        let bits = self.pointer_bits();
        let mut at = Value {
            expr: self.int(0, bits),
            ty: size,
        };
        let mut next = arguments.iter().cloned();
        for piece in pieces {
            let spec = match piece {
                Piece::Text(_, length) if target.printed => {
                    if length_matters {
                        let n = self.int(u128::from(*length), bits);
                        at.expr = self.binary(BinaryOp::Add, at.expr, n);
                    }
                    continue;
                }
                Piece::Text(start, length) => {
                    let text = Value {
                        expr: self.offset(format.expr, *start),
                        ty: format.ty,
                    };
                    let (from, to) = (*start as usize, (*start + *length) as usize);
                    at = self.put_literal(text, &characters[from..to], target, at, span)?;
                    continue;
                }
                Piece::Spec(spec) => spec,
            };
            match self.put_spec(spec, target, at, &mut next, length_matters, span)? {
                Some(more) => at = more,
                None => {
                    let letter = char::from(spec.conversion);
                    let what = format!("an argument that does not fit `%{letter}`");
                    self.mark(MarkerKind::Other(what), span);
                    return Ok(at);
                }
            }
        }
        Ok(at)
    }

    /// One conversion; `None` if its argument is missing or of another type.
    fn put_spec(
        &mut self,
        spec: &Spec,
        target: &Target,
        at: Value,
        next: &mut dyn Iterator<Item = Given>,
        length_matters: bool,
        span: CSpan,
    ) -> Result<Option<Value>> {
        let size = self.size_type();
        let bits = self.pointer_bits();
        let mut flags = self.int_value(spec.flags);
        let mut width = Value {
            expr: self.int(0, bits),
            ty: size,
        };
        match spec.width {
            Count::Fixed(n) => width.expr = self.int(u128::from(n), bits),
            Count::None => {}
            Count::Argument => {
                let Some(given) = next
                    .next()
                    .map(|g| g.value)
                    .filter(|v| self.is_integer(*v, 32))
                else {
                    return Ok(None);
                };
                // A negative width means `-` and the width.
                let zero = self.int(0, 32);
                let negative = self.binary(BinaryOp::SLt, given.expr, zero);
                let minus = self.unary(UnaryOp::Neg, given.expr);
                let n = fold::ite(&mut self.program.exprs, negative, minus, given.expr);
                width.expr = self.resize(n, false, bits);
                let left = self.int(LEFT as u128, 32);
                let left = self.binary(BinaryOp::Or, flags.expr, left);
                flags.expr = fold::ite(&mut self.program.exprs, negative, left, flags.expr);
            }
        }
        let precision = match spec.precision {
            Count::Fixed(n) => self.int_value(i128::from(n)),
            Count::None => self.int_value(-1),
            Count::Argument => match next
                .next()
                .map(|g| g.value)
                .filter(|v| self.is_integer(*v, 32))
            {
                Some(given) => given,
                None => return Ok(None),
            },
        };
        let Some(Given { value, text }) = next.next() else {
            return Ok(None);
        };
        let all_fits = fold::as_int(&self.program.exprs, target.room.expr)
            .is_some_and(|(room, _)| room == fold::mask(bits));
        let plain = spec.flags == 0 && spec.width == Count::None && spec.precision == Count::None;
        if let (b's', true, Some(text)) = (spec.conversion, plain, text) {
            return self.put_literal(value, &text, target, at, span).map(Some);
        }
        let head = [target.to, target.room, at];
        let with = |more: &[Value]| head.iter().chain(more).copied().collect::<Vec<Value>>();
        let conversion = spec.conversion;
        match conversion {
            b's' => {
                if !self.types.is_pointer(value.ty) {
                    return Ok(None);
                }
                let pointer = self.void_pointer();
                let value = self.convert(value, pointer, span)?;
                if plain && target.printed {
                    let n = self.model_call("__prova_read_text", vec![value], span)?;
                    return Ok(Some(self.advanced(at, n.expr)));
                }
                if plain && all_fits {
                    return self.written_by("__prova_write_string", &[value], target, at, span);
                }
                let values = with(&[value, flags, width, precision]);
                return self
                    .model_call("__prova_put_string", values, span)
                    .map(Some);
            }
            b'n' => {
                if !self.types.is_pointer(value.ty) {
                    return Ok(None);
                }
                let kind = self.integer_of(spec.size, true);
                let ty = self.types.int(kind);
                let count = self.convert(at, ty, span)?;
                let place = LPlace {
                    at: Location::Memory(value.expr),
                    ty: ty.into(),
                };
                self.stand(span);
                self.write_place(place, count, false, span)?;
                return Ok(Some(at));
            }
            _ if !length_matters => return Ok(Some(at)),
            _ => {}
        }
        let (name, values) = match conversion {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                let signed = matches!(conversion, b'd' | b'i');
                let kind = self.integer_of(spec.size, signed);
                if !self.is_integer(value, self.int_bits(kind).max(32)) {
                    return Ok(None);
                }
                let ty = self.types.int(kind);
                let value = self.convert(value, ty, span)?;
                let simple = plain && spec.size == Size::Int;
                let wide = plain && matches!(spec.size, Size::Long | Size::LongLong);
                if self.int_bits(kind) <= 32 {
                    flags.expr = self.with_flag(flags.expr, SMALL);
                }
                match conversion {
                    b'd' | b'i' if wide && all_fits => {
                        return self.written_by("__prova_write_long", &[value], target, at, span);
                    }
                    b'u' if wide && all_fits => {
                        return self.written_by("__prova_write_ulong", &[value], target, at, span);
                    }
                    b'x' | b'X' if simple && all_fits => {
                        let upper = self.int_value(i128::from(conversion == b'X'));
                        let values = [value, upper];
                        let name = "__prova_write_hexadecimal";
                        return self.written_by(name, &values, target, at, span);
                    }
                    b'd' | b'i' if simple && all_fits => {
                        return self.written_by("__prova_write_int", &[value], target, at, span);
                    }
                    b'u' if simple && all_fits => {
                        return self.written_by("__prova_write_uint", &[value], target, at, span);
                    }
                    b'd' | b'i' if simple => ("__prova_put_int", with(&[value])),
                    b'u' if plain && spec.size == Size::Int => ("__prova_put_uint", with(&[value])),
                    _ => {
                        if conversion == b'X' {
                            flags.expr = self.with_flag(flags.expr, UPPER);
                        }
                        let name = match conversion {
                            b'd' | b'i' => "__prova_put_signed",
                            b'u' => "__prova_put_unsigned",
                            b'o' => "__prova_put_octal",
                            _ => "__prova_put_hexadecimal",
                        };
                        (name, with(&[value, flags, width, precision]))
                    }
                }
            }
            b'c' if self.is_integer(value, 32) => {
                ("__prova_put_char", with(&[value, flags, width]))
            }
            b'p' if self.types.is_pointer(value.ty) => {
                let pointer = self.void_pointer();
                let value = self.convert(value, pointer, span)?;
                ("__prova_put_pointer", with(&[value, flags, width]))
            }
            _ => {
                let long = spec.size == Size::LongDouble;
                match self.types.float(value.ty) {
                    Some(FloatKind::X87) if long => {
                        ("__prova_put_long_float", with(&[flags, width, precision]))
                    }
                    Some(FloatKind::F64) if !long => {
                        let letter = conversion.to_ascii_lowercase();
                        let letter = self.int_value(i128::from(letter));
                        let more = [value, letter, flags, width, precision];
                        ("__prova_put_float", with(&more))
                    }
                    _ => return Ok(None),
                }
            }
        };
        self.model_call(name, values, span).map(Some)
    }

    fn with_flag(&mut self, flags: ExprId, flag: i128) -> ExprId {
        let flag = self.int(flag as u128, 32);
        self.binary(BinaryOp::Or, flags, flag)
    }

    /// So many more characters.
    fn advanced(&mut self, at: Value, by: ExprId) -> Value {
        Value {
            expr: self.binary(BinaryOp::Add, at.expr, by),
            ty: at.ty,
        }
    }

    /// What a model writes where there is room for all of it.
    fn written_by(
        &mut self,
        model: &str,
        values: &[Value],
        target: &Target,
        at: Value,
        span: CSpan,
    ) -> Result<Option<Value>> {
        let to = Value {
            expr: self.binary(BinaryOp::PtrAdd, target.to.expr, at.expr),
            ty: target.to.ty,
        };
        let values = std::iter::once(to).chain(values.iter().copied());
        let n = self.model_call(model, values.collect(), span)?;
        Ok(Some(self.advanced(at, n.expr)))
    }

    /// Characters that are known, so many.
    fn put_literal(
        &mut self,
        text: Value,
        characters: &[u8],
        target: &Target,
        at: Value,
        span: CSpan,
    ) -> Result<Value> {
        let bits = self.pointer_bits();
        let n = self.int(characters.len() as u128, bits);
        if target.printed {
            return Ok(self.advanced(at, n));
        }
        let room = fold::as_int(&self.program.exprs, target.room.expr);
        if room.is_some_and(|(room, _)| room == fold::mask(bits)) {
            let to = self.binary(BinaryOp::PtrAdd, target.to.expr, at.expr);
            self.stand(span);
            if characters.len() > MOST_STORES {
                self.copy_block(to, text.expr, characters.len() as u64, false);
                return Ok(self.advanced(at, n));
            }
            // Characters that are stored do not tie the text to where they go.
            self.store_bytes(to, characters);
            return Ok(self.advanced(at, n));
        }
        let n = Value {
            expr: n,
            ty: self.size_type(),
        };
        let values = vec![target.to, target.room, at, text, n];
        self.model_call("__prova_put_text", values, span)
    }

    fn integer_of(&self, size: Size, signed: bool) -> IntKind {
        let kind = match size {
            Size::Char => IntKind::SChar,
            Size::Short => IntKind::Short,
            Size::Int | Size::LongDouble => IntKind::Int,
            Size::Long => IntKind::Long,
            Size::LongLong => IntKind::LongLong,
        };
        if signed {
            kind
        } else {
            kind.unsigned()
        }
    }

    fn is_integer(&self, value: Value, width: u16) -> bool {
        let kind = self.types.integer(value.ty);
        kind.is_some_and(|k| self.int_bits(k) == width)
    }

    /// A call of a function that a model defines.
    pub fn model_call(&mut self, name: &str, values: Vec<Value>, span: CSpan) -> Result<Value> {
        let Some(Symbol::Function(proc)) = self.externals.get(name) else {
            return Err(self.error(span, format!("the model of `{name}` is missing")));
        };
        let proc = *proc;
        let ty = self.types.function(self.functions[proc.index()].ty);
        let ty = ty.expect("functions have function types");
        self.call_values(Callee::Direct(proc), &ty, values, &[], true, span)
    }
}

/// The characters of a format that is a literal; what stands behind a zero is not looked at.
pub fn literal_of(e: &Node<Expression>) -> Option<Vec<u8>> {
    let Expression::StringLiteral(text) = &e.node else {
        return None;
    };
    let (encoding, elements) = crate::literal::string(&text.node)?;
    if encoding != crate::literal::Encoding::Plain {
        return None;
    }
    let bytes = elements.into_iter().map(|c| c as u8);
    Some(bytes.take_while(|c| *c != 0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_taken_apart() {
        let found = pieces(b"a%%b%-08.*lld%s").unwrap();
        assert_eq!(found[0], Piece::Text(0, 1));
        assert_eq!(found[1], Piece::Text(2, 1));
        assert_eq!(found[2], Piece::Text(3, 1));
        let Piece::Spec(spec) = &found[3] else {
            panic!("a conversion");
        };
        assert_eq!(spec.flags, 1 | 16);
        assert_eq!(spec.width, Count::Fixed(8));
        assert_eq!(spec.precision, Count::Argument);
        assert_eq!((spec.size, spec.conversion), (Size::LongLong, b'd'));
        assert_eq!(found.len(), 5);
    }

    #[test]
    fn what_is_not_modelled_is_refused() {
        for format in ["%1$d", "%ls", "%m", "%", "%99999999d", "%Ld"] {
            assert_eq!(pieces(format.as_bytes()), None, "{format}");
        }
    }
}
