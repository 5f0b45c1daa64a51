//! The promise of the feed: whatever the pieces, it finds what one look at the whole finds, each thing once.

use std::io::{self, Read};

use proptest::prelude::*;
use steno_redact::{Feed, Place};

use crate::samples::{SCANNER, samples};

fn at_once(bytes: &[u8]) -> Vec<Place> {
    let mut places = Vec::new();
    SCANNER.scan(bytes, |finding| {
        let line = 1 + bytes[..finding.range.start].iter().filter(|byte| **byte == b'\n').count() as u64;
        let range = finding.range.start as u64..finding.range.end as u64;
        places.push(Place { kind: finding.kind, line, range });
    });
    places
}

fn in_pieces(bytes: &[u8], sizes: &[usize]) -> Vec<Place> {
    let mut places = Vec::new();
    let mut feed = Feed::new(&SCANNER);
    let mut rest = bytes;
    for size in sizes.iter().cycle() {
        let (piece, others) = rest.split_at((*size).min(rest.len()));
        feed.push(piece, |place| places.push(place));
        rest = others;
        if rest.is_empty() {
            break;
        }
    }
    assert_eq!(feed.finish(|place| places.push(place)), bytes.len() as u64);
    places
}

/// Secrets among text that is long enough for several blocks, with lines short and very long.
fn texts() -> impl Strategy<Value = Vec<u8>> {
    let secret = prop::sample::select(samples()).prop_map(|sample| sample.text().into_bytes());
    let filler =
        prop_oneof![Just("\n"), Just(" token: "), Just("\\n"), Just("-----BEGIN "), Just("://a:"), Just("é")];
    let part = prop_oneof![
        3 => secret,
        2 => filler.prop_map(|text| text.as_bytes().to_vec()),
        1 => (0usize..90_000).prop_map(|length| vec![b'-'; length]),
        1 => (0usize..20_000).prop_map(|length| b"so it goes\n".repeat(length / 11)),
    ];
    prop::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn pieces_of_any_size_find_the_same(bytes in texts(), sizes in prop::collection::vec(1usize..400_000, 1..5)) {
        prop_assert_eq!(in_pieces(&bytes, &sizes), at_once(&bytes));
    }

    #[test]
    fn small_pieces_find_the_same(bytes in texts(), size in 1usize..100) {
        prop_assert_eq!(in_pieces(&bytes, &[size]), at_once(&bytes));
    }
}

/// Where the scanner begins its second block, and where the feed does.
const BORDERS: [usize; 2] = [256 * 1024, (2 * 256 - 16) * 1024];

#[test]
fn a_secret_across_the_border_of_a_block_is_found_once() {
    for (border, sample) in
        BORDERS.into_iter().flat_map(|border| samples().into_iter().step_by(4).map(move |it| (border, it)))
    {
        let mut bytes = b"words and lines\n".repeat(border / 16);
        bytes.truncate(border - sample.text().len() / 2);
        bytes.extend_from_slice(b"\n ");
        bytes.extend_from_slice(sample.text().as_bytes());
        bytes.extend_from_slice(&b" and more\n".repeat(2_500));
        let mut places = Vec::new();
        SCANNER.scan_reader(bytes.as_slice(), |place| places.push(place)).unwrap();
        assert_eq!(places, at_once(&bytes));
        assert_eq!(places.len(), 1, "{}", sample.kind);
    }
}

/// Gives one byte at a time, is interrupted before each, and breaks at the end.
struct Breaking<'a> {
    rest: &'a [u8],
    interrupted: bool,
}

impl Read for Breaking<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let (first, rest) = self.rest.split_first().ok_or(io::ErrorKind::BrokenPipe)?;
        self.rest = rest;
        buffer[0] = *first;
        Ok(1)
    }
}

#[test]
fn an_interruption_is_passed_over_and_a_broken_reader_is_an_error() {
    let text = samples()[5].text();
    let reader = Breaking { rest: text.as_bytes(), interrupted: false };
    let error = SCANNER.scan_reader(reader, |_| ()).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
}

#[test]
fn an_empty_stream_has_no_places() {
    let read = SCANNER.scan_reader(io::empty(), |place| panic!("{place:?}")).unwrap();
    assert_eq!(read, 0);
}
