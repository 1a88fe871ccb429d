//! A compiled program tries to get out of its sandbox by every way that C and the processor have:
//! nothing happens, and it is said.

mod support;

use prova_evidence::sandbox::{confined, Ended, Limits};
use prova_ir::DataModel;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const LIMITS: Limits = Limits {
    time: Duration::from_secs(20),
    memory: None,
    large_stack: false,
    file: 1 << 20,
    output: 1 << 14,
};

/// A place with things to protect: a file outside of the program's folder, and a process.
struct Place {
    folder: tempfile::TempDir,
    other: Child,
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = self.other.kill();
        let _ = self.other.wait();
    }
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("own")).expect("made");
        std::fs::write(folder.path().join("treasure"), "gold").expect("written");
        let other = Command::new("sleep")
            .arg("600")
            .stdout(Stdio::null())
            .spawn();
        Place {
            folder,
            other: other.expect("sleep runs"),
        }
    }

    fn outside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Compiles a program; `None` if the system's compiler cannot.
    fn build(&self, text: &str, words: &[&str]) -> Option<PathBuf> {
        let (source, program) = (self.outside("program.c"), self.outside("program"));
        std::fs::write(&source, text).expect("written");
        let built = Command::new("gcc")
            .args(["-w", "-D_GNU_SOURCE"])
            .args(words)
            .arg(format!(
                "-DTREASURE=\"{}\"",
                self.outside("treasure").display()
            ))
            .arg(format!("-DNEW=\"{}\"", self.outside("new").display()))
            .arg(format!("-DOTHER={}", self.other.id()))
            .arg("-o")
            .args([&program, &source])
            .output()
            .expect("gcc runs");
        let said = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{said}");
        Some(program)
    }

    fn run(&self, program: &Path) -> Ended {
        let own = self.outside("own");
        let quiet = [("ASAN_OPTIONS", "detect_leaks=0:disable_coredump=0")];
        confined(program, &own, b"input", &quiet, LIMITS).expect("it can be confined")
    }

    /// Whether everything outside is as it was.
    fn is_untouched(&mut self) -> bool {
        let treasure = std::fs::read_to_string(self.outside("treasure"));
        treasure.is_ok_and(|t| t == "gold")
            && !self.outside("new").exists()
            && self.other.try_wait().expect("asked").is_none()
    }
}

/// The ways of compiling that this system has: both data models, without and with sanitizers.
fn ways() -> Vec<Vec<&'static str>> {
    let mut ways = vec![vec!["-m64"], vec!["-m64", "-fsanitize=address,undefined"]];
    if support::compiles(DataModel::Ilp32) {
        ways.push(vec!["-m32"]);
    }
    ways
}

const HEADERS: &str = "
    #include <arpa/inet.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <pthread.h>
    #include <sched.h>
    #include <signal.h>
    #include <spawn.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/ptrace.h>
    #include <sys/resource.h>
    #include <sys/socket.h>
    #include <sys/stat.h>
    #include <sys/syscall.h>
    #include <sys/un.h>
    #include <sys/wait.h>
    #include <unistd.h>
    extern char **environ;
";

/// Tries to get out, in all ways of compiling. The program must live on, and it must be said.
fn tries(attempt: &str, said: &str) {
    tries_in(
        &ways(),
        &format!("int main(void) {{ {attempt}; return 42; }}"),
        said,
    );
}

fn tries_in(ways: &[Vec<&str>], program: &str, said: &str) {
    for words in ways {
        let mut place = Place::new();
        let built = place.build(&format!("{HEADERS}{program}"), words);
        let Some(program) = built else { continue };
        let ended = place.run(&program);
        assert!(place.is_untouched(), "{said} with {words:?}");
        let refusals: Vec<String> = ended.refusals().collect();
        assert!(
            refusals.iter().any(|r| r.contains(said)),
            "{said} with {words:?}: {refusals:?}, {}, {}",
            ended.describe(),
            ended.errors
        );
        assert_eq!(
            ended.code(),
            Some(42),
            "{said} with {words:?}: {}",
            ended.errors
        );
    }
}

const PROCESS: &str = "tried to start another process, which the sandbox does not allow";
const PROGRAM: &str = "tried to run another program, which the sandbox does not allow";

#[test]
fn no_program_is_started_by_the_library() {
    tries("system(\"touch \" NEW)", PROCESS);
    tries(
        "FILE *f = popen(\"touch \" NEW, \"r\"); if (f) pclose(f)",
        PROCESS,
    );
    tries(
        "pid_t p; char *a[] = {\"touch\", NEW, 0};
         if (!posix_spawnp(&p, \"touch\", 0, 0, a, environ)) waitpid(p, 0, 0)",
        PROCESS,
    );
}

#[test]
fn no_process_is_made() {
    let child = "{ close(creat(NEW, 0600)); _exit(0); }";
    tries(&format!("if (fork() == 0) {child}"), PROCESS);
    tries(&format!("if (vfork() == 0) {child}"), PROCESS);
    tries(
        &format!("if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0) {child}"),
        PROCESS,
    );
}

#[test]
fn no_other_program_takes_its_place() {
    tries(
        "execl(\"/bin/sh\", \"sh\", \"-c\", \"touch \" NEW, (char *)0)",
        PROGRAM,
    );
    tries(
        "char *a[] = {\"touch\", NEW, 0}; execvp(\"touch\", a)",
        PROGRAM,
    );
    tries(
        "int f = open(\"/lib64/ld-linux-x86-64.so.2\", O_RDONLY);
         char *a[] = {\"ld\", \"/bin/touch\", NEW, 0}; fexecve(f, a, environ)",
        PROGRAM,
    );
}

#[test]
fn files_outside_stay_as_they_are() {
    tries("unlink(TREASURE)", "tried to remove a file: `/");
    tries(
        "remove(\"../treasure\")",
        "tried to remove a file: `../treasure`",
    );
    tries("unlinkat(AT_FDCWD, TREASURE, 0)", "tried to remove a file");
    tries("rename(TREASURE, \"mine\")", "tried to rename a file");
    tries(
        "close(creat(\"mine\", 0600)); rename(\"mine\", TREASURE)",
        "tried to rename a file",
    );
    tries("truncate(TREASURE, 0)", "tried to cut a file");
    tries(
        "chmod(TREASURE, 0)",
        "tried to change the attributes of a file",
    );
    tries("symlink(TREASURE, \"link\")", "tried to make a link");
    tries("link(TREASURE, \"link\")", "tried to make a link");
    tries("mkdir(NEW, 0700)", "tried to make a folder");
    tries(
        "chdir(\"..\"); unlink(\"treasure\")",
        "tried to leave its folder",
    );
}

#[test]
fn files_outside_are_neither_written_nor_read() {
    let writing = "treasure` for writing, which";
    tries(
        "FILE *f = fopen(TREASURE, \"w\"); if (f) fclose(f)",
        writing,
    );
    tries(
        "FILE *f = fopen(TREASURE, \"a\"); if (f) { fputs(\"!\", f); fclose(f); }",
        writing,
    );
    tries("close(open(\"../treasure\", O_RDWR))", writing);
    tries("close(open(TREASURE, O_RDONLY | O_TRUNC))", writing);
    tries("close(creat(NEW, 0600))", "new` for writing, which");
    tries(
        "if (fopen(TREASURE, \"r\")) unlink(TREASURE); if (errno != EACCES) abort()",
        "treasure`, which",
    );
    tries(
        "if (open(\"/etc/passwd\", O_RDONLY) >= 0) abort()",
        "open `/etc/passwd`, which",
    );
}

#[test]
fn other_processes_stay_alive() {
    let signal = "tried to send a signal to another process";
    tries("kill(OTHER, SIGKILL)", signal);
    tries("kill(-1, SIGTERM)", signal);
    tries("kill(getppid(), SIGTERM)", signal);
    tries("syscall(SYS_tgkill, OTHER, OTHER, SIGKILL)", signal);
    tries("syscall(SYS_tkill, OTHER, SIGKILL)", signal);
    tries(
        "ptrace(PTRACE_ATTACH, OTHER, 0, 0)",
        "tried to look into a process",
    );
}

#[test]
fn there_is_no_network() {
    let network = "tried to use the network";
    tries(
        "int s = socket(AF_INET, SOCK_STREAM, 0);
         struct sockaddr_in a = {AF_INET, htons(80), {htonl(0x7f000001)}};
         if (s >= 0) abort(); connect(s, (struct sockaddr *)&a, sizeof a)",
        network,
    );
    tries("if (socket(AF_UNIX, SOCK_DGRAM, 0) >= 0) abort()", network);
}

#[test]
fn rights_and_the_system_stay_as_they_are() {
    tries(
        "if (!setuid(12345)) abort()",
        "tried to change its user or group",
    );
    tries("sethostname(\"prova\", 5)", "tried to change the system");
    tries(
        "if (!unshare(CLONE_NEWNS)) abort()",
        "tried to change the system",
    );
}

#[test]
fn limits_cannot_be_raised() {
    for words in ways() {
        let place = Place::new();
        let text = format!(
            "{HEADERS} int main(void) {{ struct rlimit r = {{RLIM_INFINITY, RLIM_INFINITY}};
             return setrlimit(RLIMIT_FSIZE, &r) ? 42 : 1; }}"
        );
        let program = place.build(&text, &words).expect("it is built");
        assert_eq!(place.run(&program).code(), Some(42), "{words:?}");
    }
}

/// The processor's own instructions, without any library between.
#[test]
fn raw_calls_meet_the_same_wall() {
    let wide = [vec!["-m64"], vec!["-m64", "-static"]];
    let raw = "static long raw(long n, long a, long b, long c) { long r;
        __asm__ volatile (\"syscall\" : \"=a\"(r) : \"a\"(n), \"D\"(a), \"S\"(b), \"d\"(c)
                          : \"rcx\", \"r11\", \"memory\"); return r; }
        char path[] = TREASURE; char *a[] = {\"/bin/touch\", NEW, 0};";
    let tries = |attempt: &str, said: &str| {
        let main = format!("{raw} int main(void) {{ {attempt}; return 42; }}");
        tries_in(&wide, &main, said);
    };
    tries("raw(SYS_execve, (long)a[0], (long)a, 0)", PROGRAM);
    tries(
        "if (!raw(SYS_fork, 0, 0, 0)) { close(creat(NEW, 0600)); _exit(0); }",
        PROCESS,
    );
    tries(
        "raw(SYS_unlink, (long)path, 0, 0)",
        "tried to remove a file",
    );
    tries("raw(SYS_kill, OTHER, 9, 0)", "tried to send a signal");
    tries("raw(SYS_socket, 2, 1, 0)", "tried to use the network");
    // The x32 way of calling, and a number that nobody knows.
    tries("raw(0x40000000 | 57, 0, 0, 0)", "tried to make system call");
    tries("raw(9999, 0, 0, 0)", "tried to make system call 9999");
}

/// 32-bit calls out of 64-bit code: other numbers, the same wall. Static, so that addresses fit.
#[test]
fn calls_of_the_other_kind_meet_the_same_wall() {
    let words = [vec!["-m64", "-static", "-no-pie"]];
    let raw = "static int raw(int n, int a, int b, int c) { int r;
        __asm__ volatile (\"int $0x80\" : \"=a\"(r) : \"a\"(n), \"b\"(a), \"c\"(b), \"d\"(c)
                          : \"memory\", \"r8\", \"r9\", \"r10\", \"r11\"); return r; }
        static char path[] = TREASURE, shell[] = \"/bin/sh\";";
    let tries = |attempt: &str, said: &str| {
        let main = format!("{raw} int main(void) {{ {attempt}; return 42; }}");
        tries_in(&words, &main, said);
    };
    tries("raw(11, (int)(long)shell, 0, 0)", PROGRAM);
    tries("if (!raw(2, 0, 0, 0)) _exit(0)", PROCESS);
    tries(
        "raw(10, (int)(long)path, 0, 0)",
        "tried to remove a file: `/",
    );
    tries(
        "raw(5, (int)(long)path, O_WRONLY | O_TRUNC, 0)",
        "treasure` for writing",
    );
    tries("raw(37, OTHER, 9, 0)", "tried to send a signal");
    tries("raw(102, 1, 0, 0)", "tried to use the network");
}

/// Code that runs before `main`, and before any constructor.
#[test]
fn the_wall_stands_before_the_program_starts() {
    for (first, call) in [
        (
            "__attribute__((constructor(101))) static void first(void)",
            "",
        ),
        (
            "static void first(void)",
            "__attribute__((section(\".preinit_array\"))) void (*early)(void) = first;",
        ),
    ] {
        let text = format!(
            "{first} {{ unlink(TREASURE); if (!vfork()) _exit(0); }} {call}
             int main(void) {{ return 42; }}"
        );
        tries_in(&ways(), &text, "tried to remove a file");
        tries_in(&ways(), &text, PROCESS);
    }
}

/// A thread that changes a path while it is looked at gets nowhere either.
#[test]
fn a_path_that_changes_meets_the_kernel() {
    let text = "static char path[] = \"./////////////////////////////////////////////////////////////\";
        static volatile int done;
        static void *flip(void *own) { while (!done) { memcpy(path, \"../treasure\", 13);
            memcpy(path, \"mine\\0easure\", 12); } return 0; }
        int main(void) { pthread_t t; if (pthread_create(&t, 0, flip, 0)) { unlink(TREASURE); return 42; }
            for (int i = 0; i < 3000; i++) { int f = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
                if (f >= 0) close(f); unlink(path); }
            done = 1; pthread_join(t, 0); unlink(TREASURE); return 42; }";
    tries_in(&[vec!["-m64", "-pthread"]], text, "tried to remove a file");
}

#[test]
fn what_a_program_needs_is_there() {
    for words in ways() {
        let place = Place::new();
        let text = format!(
            "{HEADERS} static int signalled; static void caught(int s) {{ signalled = s; }}
             int main(void) {{ char line[9] = \"\", *p = malloc(1000000);
                 if (!fgets(line, 6, stdin) || strcmp(line, \"input\") || getchar() != EOF) return 1;
                 FILE *f = fopen(\"mine\", \"w+\"); if (!f || fputs(\"abc\", f) < 0) return 2;
                 rewind(f); if (!fgets(line, 9, f) || strcmp(line, \"abc\") || fclose(f)) return 3;
                 if (remove(\"mine\") || fopen(\"mine\", \"r\") || errno != ENOENT) return 4;
                 signal(SIGUSR1, caught); raise(SIGUSR1); if (signalled != SIGUSR1) return 5;
                 if (kill(getpid(), SIGUSR1)) return 6;
                 printf(\"%p %d\\n\", p, isatty(1)); free(p); fflush(stdout); abort(); }}"
        );
        let program = place.build(&text, &words).expect("it is built");
        let ended = place.run(&program);
        assert_eq!(ended.refused, Vec::<String>::new(), "{words:?}");
        assert_eq!(
            ended.describe(),
            "it was ended by SIGABRT",
            "{words:?}: {}",
            ended.errors
        );
    }
}

#[test]
fn a_program_that_waits_for_ever_is_stopped() {
    let place = Place::new();
    let program = place.build("int main(void) { for (;;); }", &["-m64"]);
    let limits = Limits {
        time: Duration::from_millis(300),
        ..LIMITS
    };
    let ended = confined(
        &program.expect("built"),
        &place.outside("own"),
        b"",
        &[],
        limits,
    );
    assert!(ended.expect("it runs").status.is_none());
}
