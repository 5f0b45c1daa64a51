//! The scanner, and what it finds.

use std::sync::LazyLock;

use steno_redact::{Finding, Scanner};

pub(crate) use steno_testkit::secrets::{BASE62, Sample, draw, key_block, samples};

/// Compiled once for all tests.
pub(crate) static SCANNER: LazyLock<Scanner> = LazyLock::new(Scanner::new);

pub(crate) fn found(text: impl AsRef<[u8]>) -> Vec<Finding> {
    let mut findings = Vec::new();
    SCANNER.scan(text.as_ref(), |finding| findings.push(finding));
    findings
}
