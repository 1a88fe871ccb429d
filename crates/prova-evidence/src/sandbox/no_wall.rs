//! Systems for which no wall is written: nothing runs there.

use std::path::Path;
use std::process::Command;

/// A wall that cannot be built.
pub enum Wall {}

impl Wall {
    /// Says why not.
    pub fn new(_: &Path, _: &Path) -> Result<Wall, String> {
        Err("only Linux on x86-64 is known".into())
    }

    /// Never happens.
    pub fn surround(&mut self, _: &mut Command) {
        match *self {}
    }

    /// Never happens.
    pub fn started(&mut self) {
        match *self {}
    }

    /// Never happens.
    pub fn refused(self) -> Vec<String> {
        match self {}
    }
}
