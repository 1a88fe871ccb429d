//! Standard output that survives a reader who leaves: `prova show big.c | head` ends quietly, and
//! the exit code stays what the command decided.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::fd::AsFd;

/// Buffered standard output.
pub struct Output {
    inner: BufWriter<Box<dyn Write>>,
    closed: bool,
}

impl Output {
    /// Takes standard output.
    pub fn new() -> Self {
        Output::to(Box::new(io::stdout().lock()))
    }

    /// Standard output in the place of whoever holds its lock and does not give it back.
    pub fn past_the_lock() -> io::Result<Self> {
        let file = io::stdout().as_fd().try_clone_to_owned()?;
        Ok(Output::to(Box::new(std::fs::File::from(file))))
    }

    /// Writes to somebody else.
    pub fn to(reader: Box<dyn Write>) -> Self {
        Output {
            inner: BufWriter::with_capacity(1 << 16, reader),
            closed: false,
        }
    }

    /// After the reader has left, everything written is dropped.
    fn unless_closed<T>(&mut self, result: io::Result<T>, dropped: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(dropped)
            }
            other => other,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let result = self.inner.write(bytes);
        self.unless_closed(result, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let result = self.inner.flush();
        self.unless_closed(result, ())
    }
}
