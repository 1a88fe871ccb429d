//! The properties by name, and what one check is: a set of them with one verdict.

use crate::goals::Target;
use crate::unreach::Spec;
use prova_c::interpose::PROPERTY;

/// A property, spelled as the competition does where it has a name for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// No call of an error function, no failed assertion, no error label.
    UnreachCall,
    /// No failed assertion.
    Assert,
    /// No signed arithmetic whose result its type does not hold.
    NoOverflow,
    /// No integer division or remainder by zero.
    NoDivZero,
    /// No shift by a negative amount or by the width or more.
    NoShiftError,
    /// No value read that nothing was written to.
    NoUninitRead,
    /// No access through a null pointer.
    NoNullDeref,
    /// Every access lies inside a live object.
    ValidDeref,
    /// Only live heap blocks are freed, each once.
    ValidFree,
    /// At the end every heap block is freed or can still be reached.
    ValidMemtrack,
    /// At the end every heap block is freed.
    ValidMemcleanup,
    /// Every run ends.
    Termination,
    /// `valid-deref`, `valid-free` and `valid-memtrack` together.
    ValidMemsafety,
}

impl Property {
    /// What `--all` checks, in its order. Combinations are left out: their parts are there.
    pub const EACH: [Property; 12] = [
        Property::UnreachCall,
        Property::Assert,
        Property::NoOverflow,
        Property::NoDivZero,
        Property::NoShiftError,
        Property::NoUninitRead,
        Property::NoNullDeref,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::ValidMemcleanup,
        Property::Termination,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::Assert => "assert",
            Property::NoOverflow => "no-overflow",
            Property::NoDivZero => "no-div-zero",
            Property::NoShiftError => "no-shift-error",
            Property::NoUninitRead => "no-uninit-read",
            Property::NoNullDeref => "no-null-deref",
            Property::ValidDeref => "valid-deref",
            Property::ValidFree => "valid-free",
            Property::ValidMemtrack => "valid-memtrack",
            Property::ValidMemcleanup => "valid-memcleanup",
            Property::Termination => "termination",
            Property::ValidMemsafety => "valid-memsafety",
        }
    }

    /// The property with this name.
    pub fn named(name: &str) -> Option<Property> {
        let combined = [Property::ValidMemsafety];
        let mut all = Property::EACH.into_iter().chain(combined);
        all.find(|p| p.name() == name)
    }

    /// All names, for messages.
    pub fn names() -> Vec<&'static str> {
        let combined = [Property::ValidMemsafety];
        let all = Property::EACH.into_iter().chain(combined);
        all.map(Property::name).collect()
    }

    /// What it is made of; itself unless it is a combination.
    pub fn parts(self) -> Vec<Property> {
        match self {
            Property::ValidMemsafety => vec![
                Property::ValidDeref,
                Property::ValidFree,
                Property::ValidMemtrack,
            ],
            one => vec![one],
        }
    }

    /// Whether the front end has to keep what C says of each operation.
    pub fn needs_operations(self) -> bool {
        !matches!(self, Property::UnreachCall | Property::Assert)
    }
}

/// Properties that are checked together and get one verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What people call it: a property's name, or that of a file.
    pub name: String,
    /// The properties; combinations are resolved.
    pub properties: Vec<Property>,
    /// What counts as an error of [`Property::UnreachCall`].
    pub calls: Spec,
    /// Where runs start, if not at `main`.
    pub entry: Option<String>,
    /// The name of the rule, if a rule is checked.
    pub rule: Option<String>,
    /// Goals of coverage, if the check is about them: what no run is to do. None of them: nothing is
    /// an error but what is one anyhow, and marks stay in the program.
    pub goals: Option<Vec<Target>>,
    /// Whether calls do what contracts say, where there are any that say what is written.
    pub modular: bool,
    /// Whether objects that a caller passes to an entry are as large as they are used.
    pub ample: bool,
}

impl Check {
    /// The check of one property.
    pub fn of(property: Property) -> Check {
        Check {
            name: property.name().to_owned(),
            properties: property.parts(),
            calls: Spec::default(),
            entry: None,
            rule: None,
            goals: None,
            modular: false,
            ample: false,
        }
    }

    /// The check of a rule in SLIC that the program was compiled with.
    pub fn of_rule(name: &str) -> Check {
        Check {
            name: format!("{PROPERTY}{name}"),
            properties: Vec::new(),
            calls: Spec::default(),
            entry: None,
            rule: Some(name.to_owned()),
            goals: None,
            modular: false,
            ample: false,
        }
    }

    /// The check that some goals of coverage are impossible.
    pub fn of_goals(targets: Vec<Target>) -> Check {
        Check {
            goals: Some(targets),
            ..Check::of(Property::UnreachCall)
        }
    }

    /// All of it but label and entry, on one line: what [`Check::of_key`] reads.
    pub fn key(&self) -> String {
        let names: Vec<&str> = self.properties.iter().map(|p| p.name()).collect();
        if let Some(name) = &self.rule {
            return format!("{PROPERTY}{name}");
        }
        let mut key = names.join("+");
        for function in &self.calls.functions {
            key += &format!("+call:{function}");
        }
        for target in self.goals.iter().flatten() {
            key += &format!("+goal:{target}");
        }
        if self.modular {
            key += "+modular";
        }
        key
    }

    /// The check that a key stands for.
    pub fn of_key(key: &str) -> Option<Check> {
        let mut check = Check {
            name: key.to_owned(),
            properties: Vec::new(),
            calls: Spec::default(),
            entry: None,
            rule: None,
            goals: None,
            modular: false,
            ample: false,
        };
        if let Some(name) = key.strip_prefix(PROPERTY) {
            return Some(Check::of_rule(name));
        }
        for part in key.split('+') {
            if part == "modular" {
                check.modular = true;
                continue;
            }
            if let Some(target) = part.strip_prefix("goal:") {
                let targets = check.goals.get_or_insert_default();
                targets.push(target.parse().ok()?);
                continue;
            }
            match part.strip_prefix("call:") {
                Some(function) => {
                    check.calls.functions.push(function.to_owned());
                    (check.calls.calls, check.calls.assertions) = (false, false);
                }
                None => check.properties.extend(Property::named(part)?.parts()),
            }
        }
        Some(check)
    }

    /// Whether the front end has to keep what C says of each operation.
    pub fn needs_operations(&self) -> bool {
        self.properties.iter().any(|p| p.needs_operations())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_printed() {
        for name in Property::names() {
            assert_eq!(Property::named(name).map(Property::name), Some(name));
        }
        assert_eq!(Property::named("no-such-property"), None);
    }

    #[test]
    fn keys_are_read_back() {
        for name in Property::names() {
            let check = Check::of(Property::named(name).unwrap());
            let again = Check::of_key(&check.key()).unwrap();
            assert_eq!(again.properties, check.properties);
            assert_eq!(again.calls, check.calls);
        }
        let file = "CHECK( init(main()), LTL(G ! call(oops())) )";
        let check = crate::parse_prp("p", file).unwrap();
        assert_eq!(Check::of_key(&check.key()).unwrap().calls, check.calls);
        assert_eq!(Check::of_key("no-such"), None);
    }

    #[test]
    fn memory_safety_has_three_parts() {
        let check = Check::of(Property::ValidMemsafety);
        let parts: Vec<_> = check.properties.iter().map(|p| p.name()).collect();
        assert_eq!(parts, ["valid-deref", "valid-free", "valid-memtrack"]);
        assert!(check.needs_operations());
        assert!(!Check::of(Property::UnreachCall).needs_operations());
    }
}
