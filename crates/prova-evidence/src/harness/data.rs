//! What a run was given, as C tables.

use super::Sections;
use crate::c_types::string_literal;
use crate::recording::{Effect, Recording};
use prova_exec::transplant::Bytes;
use std::fmt::Write;

/// Larger pieces of memory are not written out; their contents beyond this are zero.
pub const LARGEST: u64 = 1 << 20;

/// The bytes up to `size`.
pub fn dense(bytes: &Bytes, size: u64) -> Vec<u8> {
    let end = bytes.keys().next_back().map_or(0, |&last| last + 1);
    let length = end.min(size).min(LARGEST);
    (0..length)
        .map(|i| bytes.get(&i).copied().unwrap_or(0))
        .collect()
}

/// An initialiser of `struct prova_bytes`.
pub fn piece(name: &str, size: u64, bytes: &Bytes) -> String {
    let bytes = dense(bytes, size);
    format!(
        "{{\"{name}\", {size}, {}, {}}}",
        bytes.len(),
        string_literal(&bytes)
    )
}

/// The name under which the copy of a source asks for a variable's contents.
pub fn unset_name(name: &str, line: u32, column: u32) -> String {
    format!("{name}, line {line}:{column}")
}

/// The tables of a run.
pub fn tables(recording: &Recording, sections: Sections) -> String {
    let mut text = String::from("static const struct prova_input prova_inputs[] = {\n");
    for value in &recording.returned {
        let high = match value.scalar.bits(recording.program.model) {
            65.. => format!(", {:#x}ULL", (value.bits >> 64) as u64),
            _ => String::new(),
        };
        let _ = writeln!(
            text,
            "    {{\"{}\", {}{high}}}, /* {}, {} */",
            value.function,
            value.scalar.low_constant(value.bits),
            value.scalar.show(value.bits),
            super::comment(&crate::place(&recording.program, value.span)),
        );
    }
    text.push_str("    {0}\n};\n");
    if let Some(rounds) = recording.again {
        let _ = writeln!(text, "#define PROVA_AGAIN {}", rounds.from);
    }
    if sections.files {
        text.push_str("static const struct prova_bytes prova_opened[] = {\n");
        for bytes in &recording.files {
            let literal = string_literal(bytes);
            let length = bytes.len();
            let _ = writeln!(text, "    {{\"file\", {length}, {length}, {literal}}},");
        }
        text.push_str("    {0}\n};\n");
    }
    if sections.effects {
        let mut known = 0;
        text.push_str("static const struct prova_effect prova_effects[] = {\n");
        for call in &recording.called {
            let _ = writeln!(text, "    {{'f', 0, 0, 0, 0, \"{}\"}},", call.function);
            for effect in &call.effects {
                let _ = match effect {
                    Effect::Argument(i) => writeln!(text, "    {{'a', {i}}},"),
                    Effect::Load(from, offset) => writeln!(text, "    {{'l', {from}, {offset}}},"),
                    Effect::Write(to, offset, size, bytes) => {
                        let bytes = dense(bytes, *size);
                        let literal = string_literal(&bytes);
                        let length = bytes.len();
                        writeln!(
                            text,
                            "    {{'w', {to}, {offset}, {size}, {length}, {literal}}},"
                        )
                    }
                };
                known += usize::from(!matches!(effect, Effect::Write(..)));
            }
        }
        let _ = writeln!(
            text,
            "    {{0}}\n}};\nstatic char *prova_known[{}];",
            known + 1
        );
    }
    if sections.unset {
        text.push_str("static const struct prova_bytes prova_unset[] = {\n");
        let mut count = 0;
        for unset in recording.unset_that_matter() {
            let name = unset_name(&unset.name, unset.span.line, unset.span.column);
            for contents in &unset.contents {
                let _ = writeln!(text, "    {},", piece(&name, unset.size, contents));
                count += 1;
            }
        }
        let _ = writeln!(
            text,
            "    {{0}}\n}};\nstatic char prova_unset_used[{}];",
            count + 1
        );
    }
    if sections.blocks {
        text.push_str("static const struct prova_bytes prova_blocks[] = {\n");
        // What lies behind the last block that is not all zero is zero anyway.
        let last = recording.blocks.iter().rposition(|b| !b.bytes.is_empty());
        for block in &recording.blocks[..last.map_or(0, |l| l + 1)] {
            let place = crate::place(&recording.program, block.span);
            let size = block.bytes.keys().next_back().map_or(0, |&l| l + 1);
            let _ = writeln!(
                text,
                "    {}, /* {} */",
                piece("malloc", size, &block.bytes),
                super::comment(&place)
            );
        }
        text.push_str("    {0}\n};\n");
    }
    if sections.unknown {
        text.push_str("static const unsigned long long prova_pages[] = {");
        for page in &recording.unknown_pages {
            let _ = write!(text, "{page:#x}, ");
        }
        text.push_str("0};\n");
        text.push_str(
            "static const struct { unsigned long long address; unsigned char byte; } \
             prova_unknown[] = {\n",
        );
        for (address, byte) in &recording.unknown {
            let _ = writeln!(text, "    {{{address:#x}, {byte}}},");
        }
        text.push_str("    {0, 0}\n};\n");
    }
    text
}
