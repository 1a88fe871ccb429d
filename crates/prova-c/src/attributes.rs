//! Which attributes matter. The others (hints, warnings, linkage, optimisation) are dropped
//! before parsing, so that they may stand anywhere.

use crate::fixups::Code;

/// Attributes without a meaning for a verifier, without the underscores around them.
const IGNORED: &[&str] = &[
    "access",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "artificial",
    "assume_aligned",
    "cdecl",
    "cold",
    "common",
    "const",
    "copy",
    "counted_by",
    "deprecated",
    "designated_init",
    "dllexport",
    "dllimport",
    "error",
    "externally_visible",
    "fallthrough",
    "fastcall",
    "fd_arg",
    "flatten",
    "format",
    "format_arg",
    "gcc_struct",
    "gnu_inline",
    "hot",
    "leaf",
    "likely",
    "malloc",
    "maybe_unused",
    "may_alias",
    "ms_abi",
    "no_icf",
    "no_instrument_function",
    "no_profile_instrument_function",
    "no_reorder",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_split_stack",
    "no_stack_limit",
    "no_stack_protector",
    "noclone",
    "nocommon",
    "nodiscard",
    "noinline",
    "noipa",
    "nonnull",
    "nonstring",
    "noplt",
    "nothrow",
    "null_terminated_string_arg",
    "optimize",
    "patchable_function_entry",
    "pure",
    "regparm",
    "reproducible",
    "retain",
    "returns_nonnull",
    "section",
    "sentinel",
    "simd",
    "stack_protect",
    "stdcall",
    "symver",
    "sysv_abi",
    "target",
    "target_clones",
    "tls_model",
    "unlikely",
    "unsequenced",
    "unused",
    "used",
    "visibility",
    "warn_unused_result",
    "warning",
    "zero_call_used_regs",
];

/// The attributes with a meaning among the tokens from `from` up to, not including, `to`, as
/// they are written in `__attribute__((…))`.
pub fn meaningful(code: &Code<'_>, from: usize, to: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = from;
    while at < to {
        if code.word(at) == "," {
            at += 1;
            continue;
        }
        // `gnu::packed`, as in `[[gnu::packed]]`.
        if code.word(at + 1) == "::" {
            at += 2;
        }
        let name = code.word(at);
        let first = at;
        at += 1;
        if code.word(at) == "(" {
            at = code.behind(at);
        }
        let plain = name.strip_prefix("__").unwrap_or(name);
        let plain = plain.strip_suffix("__").unwrap_or(plain);
        let runs = plain == "section" && lists_functions(code.slice(first, at.min(to) - 1));
        if runs || !IGNORED.contains(&plain) {
            found.push(code.slice(first, at.min(to) - 1).replace('\n', " "));
        }
    }
    found
}

/// Whether a section holds what runs before or after `main`.
fn lists_functions(section: &str) -> bool {
    let parts = ["init_array", "fini_array", ".ctors", ".dtors"];
    let whole = ["\".init\"", "\".fini\""];
    parts
        .iter()
        .chain(&whole)
        .any(|name| section.contains(name))
}
