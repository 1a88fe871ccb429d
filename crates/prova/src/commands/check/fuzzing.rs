//! What fuzzing begins with, and what it leaves behind.

use crate::status::Rejected;
use clap::Args;
use prova_engine::engines::fuzz::Kept;
use prova_fuzz::{text, Candidate};
use std::path::{Path, PathBuf};

/// Options of `--engine fuzz`, and of `auto` where it fuzzes.
#[derive(Args, Debug, Default)]
pub struct FuzzArguments {
    /// Fuzzing begins with the files in this folder: tests that `--corpus` wrote, or any bytes, one
    /// input each.
    #[arg(long, value_name = "DIR")]
    pub seeds: Option<PathBuf>,

    /// Write the tests that fuzzing keeps into this folder: few that go wherever any went.
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,

    #[arg(skip)]
    kept: Kept,
}

impl FuzzArguments {
    /// The tests to begin with, by the names of their files.
    pub fn read(&self) -> Result<Vec<Candidate>, Rejected> {
        let Some(folder) = &self.seeds else {
            return Ok(Vec::new());
        };
        let failed = |path: &Path, e| {
            let path = path.display();
            Rejected::because(format!("the seeds in {path} cannot be read: {e}"))
        };
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(|e| failed(folder, e))? {
            let path = entry.map_err(|e| failed(folder, e))?.path();
            if path.is_file() {
                files.push(path);
            }
        }
        files.sort();
        let read = |path: &PathBuf| {
            let bytes = std::fs::read(path).map_err(|e| failed(path, e))?;
            Ok(text::read(&bytes))
        };
        files.iter().map(read).collect()
    }

    /// Where an engine leaves its tests, if they are wanted.
    pub fn kept(&self) -> Option<Kept> {
        self.corpus.is_some().then(|| Kept::clone(&self.kept))
    }

    /// Writes the tests down that were kept.
    pub fn write(&self) -> anyhow::Result<()> {
        let Some(folder) = &self.corpus else {
            return Ok(());
        };
        std::fs::create_dir_all(folder)?;
        let kept = self.kept.lock().map(|k| k.clone()).unwrap_or_default();
        for (i, candidate) in kept.iter().enumerate() {
            std::fs::write(folder.join(format!("{i:04}.test")), text::write(candidate))?;
        }
        Ok(())
    }
}
