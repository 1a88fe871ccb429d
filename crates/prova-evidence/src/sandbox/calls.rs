//! System calls by name and number, and what the sandbox does with each: the table in `calls.txt`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The two ways of calling that a processor of this family has. A process may use both, whatever
/// it was compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Abi {
    /// 64 bits.
    X86_64,
    /// 32 bits.
    I386,
}

impl Abi {
    /// The kernel's number for it.
    pub const fn audit(self) -> u32 {
        match self {
            Abi::X86_64 => 0xc000_003e,
            Abi::I386 => 0x4000_0003,
        }
    }

    /// The one with this number.
    pub fn of_audit(number: u32) -> Option<Abi> {
        [Abi::X86_64, Abi::I386]
            .into_iter()
            .find(|abi| abi.audit() == number)
    }
}

/// What the sandbox does with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Lets it through.
    Allowed,
    /// Lets it through to the process itself.
    Signal,
    /// Lets threads through, nothing else.
    Process,
    /// Lets the first one through: it starts the program.
    Execute,
    /// Looks at the path, and at whether it is to be written.
    Open,
    /// Lets it through in the program's own folder.
    Change,
    /// Lets it ask, not change. Nothing is said, since sanitizers try.
    Limits,
    /// Lets a few harmless uses through.
    Control,
    /// Refuses it.
    Refused,
}

/// A system call.
#[derive(Debug)]
pub struct Call {
    /// Its name.
    pub name: &'static str,
    /// What is done with it.
    pub rule: Rule,
    /// What a program wants with it: "remove a file".
    pub wants: &'static str,
}

/// All calls that are known, by way of calling and number.
pub fn calls() -> &'static BTreeMap<(Abi, i64), Call> {
    static ALL: OnceLock<BTreeMap<(Abi, i64), Call>> = OnceLock::new();
    ALL.get_or_init(|| read(include_str!("calls.txt")))
}

fn read(text: &'static str) -> BTreeMap<(Abi, i64), Call> {
    let mut all = BTreeMap::new();
    let (mut rule, mut wants) = (Rule::Refused, "");
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("= ") {
            let (word, said) = heading.split_once(": ").unwrap_or((heading, ""));
            wants = said;
            rule = match word {
                "allowed" => Rule::Allowed,
                "signal" => Rule::Signal,
                "process" => Rule::Process,
                "execute" => Rule::Execute,
                "open" => Rule::Open,
                "change" => Rule::Change,
                "limits" => Rule::Limits,
                "control" => Rule::Control,
                _ => Rule::Refused,
            };
            continue;
        }
        let mut words = line.split(' ');
        let name = words.next().unwrap_or_default();
        for (abi, number) in [Abi::X86_64, Abi::I386].into_iter().zip(words) {
            if let Ok(number) = number.parse() {
                all.insert((abi, number), Call { name, rule, wants });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_and_has_the_system_s_numbers() {
        let of = |name: &str| {
            let mut all = calls().iter();
            let found = all.find(|((abi, _), c)| *abi == Abi::X86_64 && c.name == name);
            found.map(|((_, number), call)| (*number, call.rule))
        };
        for (name, number, rule) in [
            ("read", libc::SYS_read, Rule::Allowed),
            ("execve", libc::SYS_execve, Rule::Execute),
            ("openat2", libc::SYS_openat2, Rule::Open),
            ("unlinkat", libc::SYS_unlinkat, Rule::Change),
            ("tgkill", libc::SYS_tgkill, Rule::Signal),
            ("clone3", libc::SYS_clone3, Rule::Process),
            ("ptrace", libc::SYS_ptrace, Rule::Refused),
            ("fchmodat2", 452, Rule::Refused),
            ("prlimit64", libc::SYS_prlimit64, Rule::Limits),
            ("ioctl", libc::SYS_ioctl, Rule::Control),
        ] {
            assert_eq!(of(name), Some((number, rule)), "{name}");
        }
    }

    /// A number that stands twice would get the rule of its last line.
    #[test]
    fn no_line_is_lost() {
        let lines = include_str!("calls.txt").lines();
        let numbers = lines.filter(|l| !l.starts_with([';', '='])).flat_map(|l| {
            let words = l.split(' ').skip(1);
            words.filter(|w| *w != "-").collect::<Vec<_>>()
        });
        assert_eq!(numbers.count(), calls().len());
        assert!(calls()
            .values()
            .all(|c| (c.rule == Rule::Allowed) == c.wants.is_empty()));
    }
}
