//! A script that runs the tests of a suite once more, built for gcov, and leaves what gcov says of
//! each: `gcov/TEST/FILE.gcov`. Numbers of a suite are ours until a compiler's own tool has counted
//! the same.
//!
//! The harness ends runs by `_exit`, where nothing is written any more; a few lines that the linker
//! puts in its place write the counters first. The same for `abort`.

use std::path::Path;

const FLUSH: &str = "\
/* Writes gcov's counters where a run ends without leaving `main`. */
void __gcov_dump(void);
void __real__exit(int) __attribute__((noreturn));
void __real_abort(void) __attribute__((noreturn));
void __wrap__exit(int status) { __gcov_dump(); __real__exit(status); }
void __wrap_abort(void) { __gcov_dump(); __real_abort(); }
";

/// Writes the script beside the suite's own, which it takes the compiler's command from.
pub fn write(folder: &Path) -> std::io::Result<()> {
    std::fs::write(folder.join("flush.c"), FLUSH)?;
    let own = std::fs::read_to_string(folder.join("run.sh"))?;
    let command = own
        .lines()
        .filter_map(|l| l.trim().strip_suffix(" || exit 2"))
        .find(|l| l.contains("PROVA_TEST"))
        .unwrap_or_default()
        .replace("\"$test.out\"", "\"gcov/$test/a.out\"");
    let tests: Vec<&str> = own
        .lines()
        .filter_map(|l| l.strip_prefix("run "))
        .filter_map(|l| l.split(' ').next())
        .collect();
    let script = format!(
        "#!/bin/sh\n# Runs every test with gcov; what it says of each lies in gcov/TEST.\n\
         cd \"$(dirname \"$0\")\" || exit 2\n\
         for test in {tests}; do\n  rm -rf \"gcov/$test\"; mkdir -p \"gcov/$test\"\n  \
         {command} -O0 --coverage -fprofile-abs-path flush.c \
         -Wl,--wrap=_exit -Wl,--wrap=abort || exit 2\n  \
         input=/dev/null; [ -f \"$test.stdin\" ] && input=$test.stdin\n  \
         ./\"gcov/$test/a.out\" >/dev/null 2>&1 <\"$input\"\n  \
         (cd \"gcov/$test\" && gcov -b *.gcda >/dev/null 2>&1)\ndone\n",
        tests = tests.join(" ")
    );
    let path = folder.join("gcov.sh");
    std::fs::write(&path, script)?;
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}
