//! The outside of an age file: its header, which is text, and the chunks of its payload.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

use age::{DecryptError, Decryptor};

use super::failure::OpenFailure;
use super::keyring::Keyring;

pub(super) const FIRST_LINE: &[u8] = b"age-encryption.org/";
const LAST_LINE: &[u8] = b"--- ";
/// Far more than 64 recipients take. The crate reads a header again with each line of it, so that it must end.
const LONGEST: usize = 64 << 10;
const NONCE: usize = 16;
const TAG: usize = 16;
const CHUNK: usize = (64 << 10) + TAG;

/// An age file whose header was read.
pub(super) struct AgeFile<R>(Decryptor<Chain<Cursor<Vec<u8>>, BufReader<R>>>);

impl<R: Read> AgeFile<R> {
    pub(super) fn open(encrypted: R) -> Result<Self, OpenFailure> {
        let mut encrypted = BufReader::new(encrypted);
        let header = header(&mut encrypted).map_err(OpenFailure::Io)?.ok_or(OpenFailure::HEADER)?;
        match Decryptor::new_buffered(Cursor::new(header).chain(encrypted)) {
            // Nothing of ours is encrypted with a passphrase.
            Ok(decryptor) if !decryptor.is_scrypt() => Ok(Self(decryptor)),
            Err(DecryptError::Io(error)) => Err(OpenFailure::of_read(error)),
            _ => Err(OpenFailure::HEADER),
        }
    }

    /// Only here is a key needed, and a passphrase asked for.
    pub(super) fn decrypt(self, keyring: &Keyring) -> Result<impl Read + use<R>, OpenFailure> {
        let keys = keyring.load().map_err(|reason| OpenFailure::NoKey(reason.to_owned()))?;
        let identities = keys.iter().map(super::keyring::Key::identity);
        self.0.decrypt(identities).map_err(|error| OpenFailure::of_decrypt(error, keyring.place()))
    }
}

/// The lines of the header; none if it is no age file, or has no end.
fn header(encrypted: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut header = Vec::with_capacity(512);
    loop {
        let start = header.len();
        let most = LONGEST.saturating_sub(start);
        encrypted.take(most as u64).read_until(b'\n', &mut header)?;
        let line = header.get(start..).unwrap_or_default();
        let is_odd = !line.ends_with(b"\n") || (start == 0 && !line.starts_with(FIRST_LINE));
        if is_odd {
            return Ok(None);
        }
        if line.starts_with(LAST_LINE) {
            return Ok(Some(header));
        }
    }
}

/// Whether these bytes, or the beginning of them, tell nothing without a key.
pub fn begins_encrypted(bytes: &[u8]) -> bool {
    bytes.is_empty() || bytes.starts_with(FIRST_LINE)
}

/// Without a key: whether this can be a whole age file. Its header is one, and its length is that of whole chunks.
pub fn is_sound(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    let Ok(Some(header)) = header(&mut rest) else { return false };
    let is_header = Decryptor::new_buffered(header.chain(rest)).is_ok();
    is_header && rest.len().checked_sub(NONCE).is_some_and(fits)
}

/// Every chunk is full but the last, which holds at least a byte and its tag. Nothing of ours is empty.
fn fits(payload: usize) -> bool {
    let last = payload % CHUNK;
    payload > TAG && (last == 0 || last > TAG)
}
