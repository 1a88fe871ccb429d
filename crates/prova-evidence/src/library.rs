//! Functions and variables of the C library that a harness leaves to the C library: they print or
//! compute, and what they really do decides whether an error really happens. Everything else that
//! has no body in the program is replaced, so that a native run gets the recorded values and
//! reaches nothing outside of itself.

/// Functions left alone. Those that Prova models in C behave as the library's; those it does not
/// model return what they return, whatever the test assumed.
const LEFT_ALONE: &[&str] = &[
    // Printing.
    "printf", "fprintf", "vprintf", "vfprintf", "puts", "fputs", "putchar", "fputc", "putc",
    "putchar_unlocked", "perror", "fflush", "fwrite", "setbuf", "setvbuf",
    // Formatting and conversions.
    "sprintf", "snprintf", "vsprintf", "vsnprintf", "sscanf", "strtod", "strtof", "atof", "strtok",
    "strtok_r", "strsep", "strerror", "strcoll", "strxfrm", "memrchr", "memmem", "strchrnul",
    "wcslen", "mbstowcs", "wcstombs", "qsort", "bsearch",
    // Memory.
    "malloc", "calloc", "realloc", "free", "alloca", "aligned_alloc", "posix_memalign", "memalign",
    // Mathematics.
    "sqrt", "sqrtf", "sqrtl", "sin", "sinf", "cos", "cosf", "tan", "tanf", "asin", "acos", "atan",
    "atan2", "sinh", "cosh", "tanh", "exp", "expf", "exp2", "expm1", "log", "logf", "log2",
    "log10", "log1p", "pow", "powf", "cbrt", "hypot", "fmod", "fmodf", "fmodl", "remainder",
    "remquo", "fma", "fmaf", "nearbyint", "rint", "rintf", "lrint", "lround", "llround", "modf",
    "modff", "frexp", "ldexp", "scalbn", "ilogb", "logb", "nextafter", "erf", "erfc", "tgamma",
    "lgamma", "nan", "nanf", "fesetround", "fegetround", "feraiseexcept", "feclearexcept",
    "fetestexcept",
    // The end of the program.
    "exit", "_exit", "_Exit", "quick_exit", "abort", "atexit",
];

/// Variables that the C library defines.
const OBJECTS: &[&str] = &[
    "stdin", "stdout", "stderr", "optarg", "optind", "opterr", "optopt", "environ", "__environ",
    "errno", "signgam", "timezone", "daylight", "tzname", "program_invocation_name",
    "program_invocation_short_name",
];

/// Whether a function is left to the C library.
pub fn is_left_alone(name: &str) -> bool {
    let bare = name.strip_prefix("__builtin_").unwrap_or(name);
    name.starts_with("__builtin_") || LEFT_ALONE.contains(&bare)
}

/// Whether a variable is the C library's.
pub fn is_object(name: &str) -> bool {
    OBJECTS.contains(&name)
}
