//! How long work tells that it goes on; faces that show nothing leave it empty.

/// Told from several threads.
pub trait Progress: std::fmt::Debug + Send + Sync {
    /// A piece of work of so many bytes begins.
    fn begin(&self, _what: &str, _bytes: u64) {}

    fn advance(&self, _bytes: u64) {}

    fn end(&self) {}
}

/// For who does not look.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Progress for Silent {}
