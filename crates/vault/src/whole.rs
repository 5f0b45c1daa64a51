//! The file of a segment, by itself → whether it is whole.
//!
//! Tells a damaged copy of a file from a whole one, whatever its place in the chain.

use std::io;

use crate::segment;

/// Whether a file of the vault is what its own hash or checksum says. What has neither is taken as it is.
pub fn is_whole(name: &str, file: &[u8]) -> bool {
    if name.ends_with(".zst") {
        return segment::check(file).is_ok();
    }
    let unpacks = || io::copy(&mut flate2::read::MultiGzDecoder::new(file), &mut io::sink()).is_ok();
    !name.ends_with(".gz") || unpacks()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::sample;
    use crate::segment::Packer;

    #[test]
    fn a_segment_speaks_for_itself() {
        let mut packed = Packer::new().unwrap().pack(&sample(), b"bytes").unwrap().to_vec();
        assert!(is_whole("a.zst", &packed) && is_whole("a.json", b"anything"));
        assert!(!is_whole("a.gz", &packed) && !is_whole("a.zst", &[]) && !is_whole("a.zst", &packed[..20]));
        let last = packed.len() - 1;
        packed[last] ^= 1;
        assert!(!is_whole("a.zst", &packed));
    }
}
