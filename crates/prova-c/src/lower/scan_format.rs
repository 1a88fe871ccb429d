//! `scanf` and its relatives with a format that is a string literal: each piece of the format
//! becomes a call of a model function (`scan.c` of `prova-library`) and a branch to the end where
//! the input does not fit. Other formats are read by the model at run time.

use super::*;
use lang_c::ast::*;

/// A piece of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// White space.
    Space,
    /// A character that has to come.
    Letter(u8),
    /// `%`, after white space.
    Percent,
    /// A conversion.
    Spec(Spec),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Spec {
    /// Nothing is stored: `*`.
    silent: bool,
    width: Option<u32>,
    /// Bytes of what is stored; `long` is as large as a pointer.
    size: Size,
    conversion: u8,
    /// Where the characters between brackets are in the format, and how many.
    set: (u64, u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Bytes(u32),
    Long,
}

/// The largest width that is followed.
const WIDEST: u32 = 1_000_000;

fn is_space(c: u8) -> bool {
    c == b' ' || (b'\t'..=b'\r').contains(&c)
}

/// Takes a format apart; `None` if it has what is not modelled.
fn pieces(format: &[u8]) -> Option<Vec<Piece>> {
    let mut found = Vec::new();
    let mut i = 0;
    while let Some(&c) = format.get(i) {
        i += 1;
        if is_space(c) {
            if found.last() != Some(&Piece::Space) {
                found.push(Piece::Space);
            }
        } else if c != b'%' {
            found.push(Piece::Letter(c));
        } else if format.get(i) == Some(&b'%') {
            i += 1;
            found.push(Piece::Percent);
        } else {
            found.push(Piece::Spec(spec(format, &mut i)?));
        }
    }
    Some(found)
}

fn spec(format: &[u8], i: &mut usize) -> Option<Spec> {
    let silent = format.get(*i) == Some(&b'*');
    *i += usize::from(silent);
    let mut width = None;
    while let Some(digit) = format.get(*i).filter(|c| c.is_ascii_digit()) {
        let more = width.unwrap_or(0) * 10 + u32::from(digit - b'0');
        width = Some(more).filter(|w| *w <= WIDEST);
        width?;
        *i += 1;
    }
    let (size, letters) = match &format[*i..] {
        [b'h', b'h', ..] => (Size::Bytes(1), 2),
        [b'h', ..] => (Size::Bytes(2), 1),
        [b'l', b'l', ..] => (Size::Bytes(8), 2),
        [b'q' | b'j', ..] => (Size::Bytes(8), 1),
        [b'l' | b'z' | b't', ..] => (Size::Long, 1),
        _ => (Size::Bytes(4), 0),
    };
    *i += letters;
    let conversion = *format.get(*i)?;
    *i += 1;
    let mut set = (0, 0);
    match conversion {
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'n' => {}
        b's' | b'c' if letters == 0 => {}
        b'[' if letters == 0 => {
            let start = *i;
            *i += usize::from(format.get(*i) == Some(&b'^'));
            *i += usize::from(format.get(*i) == Some(&b']'));
            while *format.get(*i)? != b']' {
                *i += 1;
            }
            set = (start as u64, (*i - start) as u64);
            *i += 1;
        }
        _ => return None,
    }
    Some(Spec {
        silent,
        width: width.filter(|w| *w > 0),
        size,
        conversion,
        set,
    })
}

impl<'a> Lowerer<'a> {
    /// A call of a scanning function with a literal format; `None` for any other.
    pub fn scanned_call(
        &mut self,
        name: &str,
        c: &'a Node<CallExpression>,
    ) -> Result<Option<Value>> {
        let plain = name.strip_prefix("__isoc99_").unwrap_or(name);
        let at = match plain {
            "scanf" => 0,
            "fscanf" | "sscanf" => 1,
            _ => return Ok(None),
        };
        let arguments = &c.node.arguments;
        let Some(format) = arguments.get(at).and_then(|a| self.text_of(a)) else {
            return Ok(None);
        };
        let Some(pieces) = pieces(&format) else {
            return Ok(None);
        };
        if !self.externals.contains_key("__prova_scan_text") {
            return Ok(None);
        }
        let values = self.arguments(arguments)?;
        self.stand(c.span);
        let pointer = self.void_pointer();
        let source = self.temporary_object(4 * self.slot_size(), 16, None);
        let source = Value {
            expr: self.address(source),
            ty: pointer,
        };
        let (open, more) = match plain {
            "sscanf" => ("__prova_scan_text", vec![source, values[0]]),
            "fscanf" => ("__prova_scan_stream", vec![source, values[0]]),
            _ => ("__prova_scan_stdin", vec![source]),
        };
        self.model_call(open, more, c.span)?;
        let result = self.temporary(Type::Int(32));
        let end = self.new_location();
        let mut next = values.iter().skip(at + 1).copied();
        let mut stored = 0;
        for piece in &pieces {
            let how = match self.scan_piece(piece, source, values[at], &mut next, c.span)? {
                Scanned::Always => continue,
                Scanned::Perhaps(how) => how,
                Scanned::NotModelled => {
                    let what = MarkerKind::Other(format!("an argument of `{name}`"));
                    self.mark(what, c.span);
                    break;
                }
            };
            self.stand(c.span);
            let one = self.int(1, 32);
            let fits = self.binary(BinaryOp::Eq, how.expr, one);
            let (go_on, stop) = (self.new_location(), self.new_location());
            self.branch(fits, go_on, stop);
            self.frame.at = stop;
            // Nothing stored and the input at its end: -1, which is what the piece tells then.
            let value = match stored {
                0 => how.expr,
                n => self.int(n, 32),
            };
            self.edge(
                Op::Assign {
                    target: result,
                    value,
                },
                end,
            );
            self.frame.at = go_on;
            if let Piece::Spec(spec) = piece {
                stored += u128::from(!spec.silent);
            }
        }
        let value = self.int(stored, 32);
        self.edge(
            Op::Assign {
                target: result,
                value,
            },
            end,
        );
        self.frame.at = end;
        Ok(Some(Value {
            expr: self.program.read(result),
            ty: self.int_type(),
        }))
    }

    fn scan_piece(
        &mut self,
        piece: &Piece,
        source: Value,
        format: Value,
        next: &mut dyn Iterator<Item = Value>,
        span: CSpan,
    ) -> Result<Scanned> {
        let spec = match piece {
            Piece::Space => {
                self.model_call("__prova_scan_space", vec![source], span)?;
                return Ok(Scanned::Always);
            }
            Piece::Percent | Piece::Letter(_) => {
                let mut letter = b'%';
                match piece {
                    Piece::Letter(c) => letter = *c,
                    _ => {
                        self.model_call("__prova_scan_space", vec![source], span)?;
                    }
                }
                let letter = self.int_value(i128::from(letter));
                let how = self.model_call("__prova_scan_letter", vec![source, letter], span)?;
                return Ok(Scanned::Perhaps(how));
            }
            Piece::Spec(spec) => spec,
        };
        let pointer = self.void_pointer();
        let to = match spec.silent {
            true => Value {
                expr: self.program.exprs.add(Expr::Pointer(0)),
                ty: pointer,
            },
            false => match next.next().filter(|v| self.types.is_pointer(v.ty)) {
                Some(to) => self.convert(to, pointer, span)?,
                None => return Ok(Scanned::NotModelled),
            },
        };
        let (size, wide) = match spec.size {
            Size::Bytes(n) => (i128::from(n), n == 8),
            Size::Long => (self.slot_size().into(), false),
        };
        let size = self.int_value(size);
        let none = spec.width.is_none();
        let width = match spec.conversion {
            b'c' if none => 1,
            _ if none => i128::from(i32::MAX),
            _ => i128::from(spec.width.unwrap_or(0)),
        };
        let width = self.int_value(width);
        let how = match spec.conversion {
            b'n' => {
                self.model_call("__prova_scan_count", vec![source, to, size], span)?;
                return Ok(match spec.silent {
                    true => Scanned::NotModelled,
                    false => Scanned::Always,
                });
            }
            b's' => self.model_call("__prova_scan_word", vec![source, to, width], span)?,
            b'c' => self.model_call("__prova_scan_chars", vec![source, to, width], span)?,
            b'[' => {
                let set = Value {
                    expr: self.offset(format.expr, spec.set.0),
                    ty: format.ty,
                };
                let bits = self.pointer_bits();
                let length = Value {
                    expr: self.int(u128::from(spec.set.1), bits),
                    ty: self.size_type(),
                };
                let values = vec![source, to, width, set, length];
                self.model_call("__prova_scan_set", values, span)?
            }
            letter => {
                let signed = matches!(letter, b'd' | b'i');
                let base = match letter {
                    b'i' => 0,
                    b'o' => 8,
                    b'd' | b'u' => 10,
                    _ => 16,
                };
                let base = self.int_value(base);
                let wide = self.int_value(i128::from(wide));
                let signed = self.int_value(i128::from(signed));
                let values = vec![source, to, size, wide, base, signed, width];
                self.model_call("__prova_scan_number", values, span)?
            }
        };
        Ok(Scanned::Perhaps(how))
    }
}

/// How a piece goes.
enum Scanned {
    /// It always fits.
    Always,
    /// It fits if this is one.
    Perhaps(Value),
    /// Nobody knows.
    NotModelled,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_taken_apart() {
        let found = pieces(b"a \n%%%*5lld%[^]x]").unwrap();
        assert_eq!(
            found[..3],
            [Piece::Letter(b'a'), Piece::Space, Piece::Percent]
        );
        let Piece::Spec(number) = &found[3] else {
            panic!("a conversion");
        };
        assert!(number.silent);
        assert_eq!((number.width, number.size), (Some(5), Size::Bytes(8)));
        let Piece::Spec(set) = &found[4] else {
            panic!("a conversion");
        };
        assert_eq!((set.conversion, set.set), (b'[', (13, 3)));
    }

    #[test]
    fn what_is_not_modelled_is_refused() {
        for format in ["%f", "%ls", "%[a", "%ms", "%", "%p"] {
            assert_eq!(pieces(format.as_bytes()), None, "{format}");
        }
    }
}
