//! Variables that the C library, POSIX and glibc define: a program that uses one assumes nothing
//! of its own.

/// Sorted.
const VARIABLES: [&str; 41] = [
    "_IO_2_1_stderr_",
    "_IO_2_1_stdin_",
    "_IO_2_1_stdout_",
    "___environ",
    "__daylight",
    "__environ",
    "__errno",
    "__free_hook",
    "__malloc_hook",
    "__optarg",
    "__progname",
    "__progname_full",
    "__realloc_hook",
    "__timezone",
    "__tzname",
    "_environ",
    "_sys_errlist",
    "_sys_nerr",
    "_sys_siglist",
    "daylight",
    "environ",
    "errno",
    "error_message_count",
    "error_one_per_line",
    "error_print_progname",
    "getdate_err",
    "h_errno",
    "in6addr_any",
    "in6addr_loopback",
    "optarg",
    "opterr",
    "optind",
    "optopt",
    "program_invocation_name",
    "program_invocation_short_name",
    "signgam",
    "stderr",
    "stdin",
    "stdout",
    "timezone",
    "tzname",
];

/// Whether a variable of this name is the library's, if the program declares it and does not
/// define it.
pub fn is_variable(name: &str) -> bool {
    VARIABLES.binary_search(&name).is_ok()
}

/// Names that GNU ld defines, besides the limits of sections. Sorted.
const LINKED: [&str; 22] = [
    "_DYNAMIC",
    "_GLOBAL_OFFSET_TABLE_",
    "__bss_start",
    "__data_start",
    "__dso_handle",
    "__ehdr_start",
    "__etext",
    "__executable_start",
    "__fini_array_end",
    "__fini_array_start",
    "__init_array_end",
    "__init_array_start",
    "__preinit_array_end",
    "__preinit_array_start",
    "__rela_iplt_start",
    "_edata",
    "_end",
    "_etext",
    "data_start",
    "edata",
    "end",
    "etext",
];

/// Whether the linker defines this name, if nobody else does.
pub fn is_linker_symbol(name: &str) -> bool {
    let limits = ["__start_", "__stop_"];
    LINKED.binary_search(&name).is_ok() || limits.iter().any(|l| name.starts_with(l))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(VARIABLES.is_sorted() && LINKED.is_sorted());
        assert!(is_linker_symbol("__start_table") && is_linker_symbol("end"));
        assert!(is_variable("environ") && is_variable("stdin") && !is_variable("jiffies"));
    }
}
