//! Folders for the time being. They are removed when they are dropped, and when the process is ended
//! from outside, where nothing is dropped.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tempfile::TempDir;

/// Folders in use.
static IN_USE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A folder for the time being.
pub struct Folder(TempDir);

impl Folder {
    /// Makes one with a name that begins like this.
    pub fn new(prefix: &str) -> std::io::Result<Folder> {
        let folder = tempfile::Builder::new().prefix(prefix).tempdir()?;
        let mut all = IN_USE.lock().unwrap_or_else(|e| e.into_inner());
        all.push(folder.path().to_owned());
        Ok(Folder(folder))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let mut all = IN_USE.lock().unwrap_or_else(|e| e.into_inner());
        all.retain(|path| path != self.0.path());
    }
}

/// Removes all folders that are in use, for a process that ends now.
pub fn remove_folders() {
    let mut all = IN_USE.lock().unwrap_or_else(|e| e.into_inner());
    for path in all.drain(..) {
        let _ = std::fs::remove_dir_all(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_known_as_long_as_it_is_there() {
        let folder = Folder::new("prova-test").expect("a folder");
        let path = folder.path().to_owned();
        let known = || IN_USE.lock().expect("whole").contains(&path);
        assert!(known() && path.is_dir());
        drop(folder);
        assert!(!known() && !path.exists());
    }
}
