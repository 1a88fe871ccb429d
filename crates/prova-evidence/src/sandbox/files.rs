//! Which files a confined program may open: those of its own folder, and of the system what a
//! program needs to start. Whoever watches it decides by the path; where the kernel has Landlock,
//! that says the same again, and does not depend on paths.

use landlock::{
    path_beneath_rules, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope, ABI,
};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

/// Folders with libraries and what they read.
const LIBRARIES: &[&str] = &[
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libx32",
    "/usr/libexec",
    "/usr/local/lib",
    "/usr/local/lib32",
    "/usr/local/lib64",
    "/usr/share/locale",
    "/usr/share/zoneinfo",
    "/opt",
    "/nix/store",
    "/gnu/store",
];
/// Files that the C library and sanitizers read.
const READ: &[&str] = &[
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/dev/urandom",
    "/dev/random",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/vm/overcommit_memory",
    "/proc/sys/kernel/osrelease",
    "/sys/devices/system/cpu/online",
    "/sys/devices/system/cpu/possible",
    "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size",
    "/sys/kernel/mm/transparent_hugepage/enabled",
];
/// What a process may read about itself, below `/proc/self`.
const ABOUT_ITSELF: &[&str] = &[
    "exe", "maps", "smaps", "status", "stat", "statm", "auxv", "cmdline", "environ", "limits",
    "task",
];
/// Files that hold nothing.
const WRITTEN: &[&str] = &["/dev/null", "/dev/zero", "/dev/full"];

/// The files of one confined program.
#[derive(Clone, Debug)]
pub struct Files {
    /// Its own folder, without links on the way.
    folder: PathBuf,
    /// The program, which it may read.
    program: PathBuf,
}

impl Files {
    /// The files of a program that runs in a folder.
    pub fn new(folder: &Path, program: &Path) -> std::io::Result<Files> {
        Ok(Files {
            folder: folder.canonicalize()?,
            program: program.canonicalize()?,
        })
    }

    /// Whether a path lies in its own folder.
    pub fn is_own(&self, path: &Path) -> bool {
        resolved(&self.folder, path)
            .is_some_and(|p| p != self.folder && p.starts_with(&self.folder))
    }

    /// Whether process `process` may open a path.
    pub fn may_open(&self, process: u32, path: &Path, write: bool) -> bool {
        if about_itself(process, path) {
            return !write;
        }
        let Some(path) = resolved(&self.folder, path) else {
            return false;
        };
        if path.starts_with(&self.folder) || WRITTEN.iter().any(|p| path == Path::new(p)) {
            return true;
        }
        let below = |folder: &&str| {
            let real = Path::new(folder).canonicalize();
            real.is_ok_and(|real| path.starts_with(real))
        };
        let is = |file: &&str| {
            let real = Path::new(file).canonicalize();
            path == Path::new(file) || real.is_ok_and(|real| path == real)
        };
        !write && (path == self.program || READ.iter().any(is) || LIBRARIES.iter().any(below))
    }

    /// The same for the kernel, as far as it has Landlock; `None` where it has not.
    pub fn ruleset(&self) -> Result<Option<OwnedFd>, RulesetError> {
        let newest = ABI::V6;
        let read = AccessFs::from_read(newest);
        let look = AccessFs::ReadFile | AccessFs::ReadDir;
        let all = AccessFs::from_all(newest);
        // What an old kernel does not know it does not refuse; the filter of calls does.
        let own = all & !(AccessFs::MakeSym | AccessFs::MakeChar | AccessFs::MakeBlock);
        let ruleset = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(all)?
            .handle_access(AccessNet::from_all(newest))?
            .scope(Scope::from_all(newest))?
            .create()?
            .add_rules(path_beneath_rules(LIBRARIES, read))?
            .add_rules(path_beneath_rules([&self.program], read))?
            .add_rules(path_beneath_rules(READ, look))?
            .add_rules(path_beneath_rules(["/proc"], look))?
            .add_rules(path_beneath_rules(
                WRITTEN,
                AccessFs::ReadFile | AccessFs::WriteFile,
            ))?
            .add_rules(path_beneath_rules([&self.folder], own & !AccessFs::Execute))?;
        Ok(ruleset.into())
    }
}

/// Whether a path is what a process may read about itself. Links below `/proc` mean something
/// else to every reader, so that these paths are taken as they are written.
fn about_itself(process: u32, path: &Path) -> bool {
    let plain = path
        .components()
        .all(|c| matches!(c, Component::RootDir | Component::Normal(_)));
    let own = format!("/proc/{process}");
    let rest = ["/proc/self", &own]
        .iter()
        .find_map(|start| path.strip_prefix(start).ok());
    let first = rest.and_then(|r| r.components().next());
    plain
        && first.is_some_and(|first| {
            ABOUT_ITSELF
                .iter()
                .any(|n| first == Component::Normal(n.as_ref()))
        })
}

/// A path without links on the way; its last part need not exist.
fn resolved(folder: &Path, path: &Path) -> Option<PathBuf> {
    let path = folder.join(path);
    if let Ok(real) = path.canonicalize() {
        return Some(real);
    }
    // A link that leads nowhere leads somewhere as soon as it is written through.
    if path.is_symlink() {
        return None;
    }
    let name = path.file_name()?;
    Some(path.parent()?.canonicalize().ok()?.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_own_folder_is_open_and_everything_else_is_read_only_or_closed() {
        let outer = tempfile::tempdir().expect("a folder");
        let folder = outer.path().join("own");
        std::fs::create_dir(&folder).expect("made");
        let (program, secret) = (outer.path().join("program"), outer.path().join("secret"));
        for file in [&program, &secret] {
            std::fs::write(file, "x").expect("written");
        }
        std::os::unix::fs::symlink(&secret, folder.join("link")).expect("linked");
        std::os::unix::fs::symlink("/nowhere", folder.join("loose")).expect("linked");
        let files = Files::new(&folder, &program).expect("both are there");
        let may = |path: &str, write| files.may_open(7, Path::new(path), write);
        assert!(may("data.txt", true) && may("./data.txt", false));
        assert!(!may("../secret", false) && !may("../new", true));
        assert!(!may("link", false) && !may("loose", true));
        assert!(may(&program.display().to_string(), false));
        assert!(!may(&program.display().to_string(), true));
        assert!(may("/etc/ld.so.cache", false) && !may("/etc/ld.so.cache", true));
        assert!(!may("/etc/passwd", false));
        assert!(may("/dev/null", true) && !may("/dev/tty", false));
        assert!(may("/proc/self/maps", false) && may("/proc/7/status", false));
        assert!(!may("/proc/8/environ", false) && !may("/proc/self/mem", false));
        assert!(!may("/proc/self/task/../mem", false));
        assert!(files.is_own(Path::new("data.txt")));
        assert!(!files.is_own(Path::new("..")) && !files.is_own(Path::new(".")));
    }
}
