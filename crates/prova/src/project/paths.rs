//! Paths as people write them: relative to where they stand, without detours.

use std::path::{Component, Path, PathBuf};

/// A path without `.` and `..`, by its text alone.
pub fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => match tidy.components().next_back() {
                Some(Component::Normal(_)) => {
                    tidy.pop();
                }
                Some(Component::RootDir | Component::Prefix(_)) => {}
                _ => tidy.push(".."),
            },
            other => tidy.push(other),
        }
    }
    tidy
}

/// A path that means the same wherever one stands.
pub fn absolute(path: &Path) -> PathBuf {
    tidy(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}

/// A path as seen from the current folder, if it lies in it; else as it is.
pub fn nearby(path: &Path) -> PathBuf {
    let tidied = tidy(path);
    let here = std::env::current_dir().unwrap_or_default();
    match tidied.strip_prefix(&here) {
        Ok(inside) if inside.as_os_str().is_empty() => PathBuf::from("."),
        Ok(inside) => inside.to_owned(),
        Err(_) => tidied,
    }
}

/// The same file under one name, whatever links lead there.
pub fn identity(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| absolute(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detours_are_left_out() {
        for (path, expected) in [
            ("a/./b/../c", "a/c"),
            ("../a/../../b", "../../b"),
            ("/../a", "/a"),
            ("a/..", ""),
        ] {
            assert_eq!(tidy(Path::new(path)), Path::new(expected), "{path}");
        }
        let here = std::env::current_dir().expect("a folder");
        assert_eq!(nearby(&here.join("x/../y.c")), Path::new("y.c"));
        assert_eq!(nearby(&here), Path::new("."));
        assert_eq!(
            nearby(Path::new("/elsewhere/y.c")),
            Path::new("/elsewhere/y.c")
        );
    }
}
