//! `#pragma pack`, which changes the layout of structures and must not be overlooked.

/// The alignment limits in force.
#[derive(Default)]
pub struct PackStack {
    current: Option<u64>,
    saved: Vec<(Option<String>, Option<u64>)>,
}

impl PackStack {
    /// The limit for members of a structure that ends here.
    pub fn current(&self) -> Option<u64> {
        self.current
    }

    /// Looks at a line that starts with `#`; an error is a pragma that changes layout in a way
    /// that is not understood.
    pub fn directive(&mut self, line: &str) -> Result<(), String> {
        let rest = line.trim_start_matches('#').trim();
        let Some(rest) = rest.strip_prefix("pragma") else {
            return Ok(());
        };
        let rest = rest.trim();
        if rest.starts_with("scalar_storage_order") || rest.starts_with("ms_struct") {
            return Err(format!("`#pragma {rest}` is not supported"));
        }
        let Some(rest) = rest.strip_prefix("pack") else {
            return Ok(());
        };
        let arguments = rest.trim();
        let Some(inside) = arguments
            .strip_prefix('(')
            .and_then(|r| r.split(')').next())
        else {
            return Ok(());
        };
        self.pack(inside)
            .ok_or_else(|| format!("`#pragma pack{arguments}` is not understood"))
    }

    fn pack(&mut self, inside: &str) -> Option<()> {
        let mut push = false;
        let mut pop = false;
        let mut name = None;
        let mut limit = None;
        for (i, part) in inside.split(',').map(str::trim).enumerate() {
            match part {
                "" if i == 0 => {
                    self.current = None;
                    return Some(());
                }
                "push" if i == 0 => push = true,
                "pop" if i == 0 => pop = true,
                _ => match part.parse::<u64>() {
                    Ok(0) => limit = Some(None),
                    Ok(n) if n.is_power_of_two() && n <= 16 => limit = Some(Some(n)),
                    Ok(_) => return None,
                    Err(_) if i > 0 && !part.is_empty() => name = Some(part.to_string()),
                    Err(_) => return None,
                },
            }
        }
        if push {
            self.saved.push((name, self.current));
        } else if pop {
            match name {
                None => self.current = self.saved.pop().and_then(|s| s.1),
                Some(name) => {
                    let at = self
                        .saved
                        .iter()
                        .rposition(|s| s.0.as_ref() == Some(&name))?;
                    self.current = self.saved[at].1;
                    self.saved.truncate(at);
                }
            }
        }
        if let Some(limit) = limit {
            self.current = limit;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_pushed_and_popped() {
        let mut pack = PackStack::default();
        for (line, expected) in [
            ("# 1 \"x.c\"", None),
            ("#pragma pack(push, 1)", Some(1)),
            ("#pragma pack(push)", Some(1)),
            ("#pragma pack(4)", Some(4)),
            ("# pragma pack ( pop )", Some(1)),
            ("#pragma pack(push, name, 2)", Some(2)),
            ("#pragma pack(push, 8)", Some(8)),
            ("#pragma pack(pop, name)", Some(1)),
            ("#pragma pack(pop)", None),
            ("#pragma pack(2)", Some(2)),
            ("#pragma GCC diagnostic push", Some(2)),
            ("#pragma pack()", None),
        ] {
            pack.directive(line).unwrap();
            assert_eq!(pack.current(), expected, "{line}");
        }
        assert!(pack.directive("#pragma pack(3)").is_err());
        assert!(pack.directive("#pragma pack(pop, other)").is_err());
        assert!(pack
            .directive("#pragma scalar_storage_order big-endian")
            .is_err());
    }
}
