//! Objects that are not what they should be: an error, and the right one.

use std::io::Write;

use age::secrecy::SecretString;
use steno_vault::Error;
use steno_vault::encryption::{Encryption, Keyring, is_sound};

use crate::encrypted::stage::{self, Answer, keyring, new_key, open, recipients};

fn is_damage(result: &Result<Vec<u8>, Error>) -> bool {
    matches!(result, Err(Error::Damaged(_) | Error::Read { .. }))
}

#[test]
fn cut_at_any_length_it_does_not_open() {
    let seal = stage::seal();
    let object = seal.object_of("machines/m/a.json");
    let sealed = seal.encrypt("machines/m/a.json", b"some bytes of a document").unwrap();
    for end in 0..sealed.len() {
        let opened = open(&seal, &object, &sealed[..end]);
        assert!(is_damage(&opened), "{end}: {opened:?}");
    }
    let longer = [sealed.as_slice(), b"x"].concat();
    assert!(is_damage(&open(&seal, &object, &longer)));
    assert!(open(&seal, &object, &sealed).is_ok());
}

#[test]
fn cut_between_chunks_it_does_not_open() {
    let seal = stage::seal();
    let noise: Vec<u8> =
        (0..50_000_u32).flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let object = seal.object_of("a.zst");
    let sealed = seal.encrypt("a.zst", &noise).unwrap();
    let payload = sealed.windows(5).position(|window| window == b"\n--- ").unwrap() + 5 + 43 + 1 + 16;
    let chunk = (64 << 10) + 16;
    for end in [payload, payload + 8, payload + 16, payload + chunk, payload + chunk + 9, payload + 2 * chunk]
    {
        assert!(is_damage(&open(&seal, &object, &sealed[..end])), "{end}");
    }
    // Without a key, what is no end of a chunk is told.
    for end in [payload - 9, payload, payload + 8, payload + 16, payload + chunk + 9, payload + chunk + 16] {
        assert!(!is_sound(&sealed[..end]), "{end}");
    }
    assert!(is_sound(&sealed));
}

#[test]
fn any_flipped_byte_is_seen() {
    let seal = stage::seal();
    let object = seal.object_of("a");
    let sealed = seal.encrypt("a", b"bytes").unwrap();
    for place in 0..sealed.len() {
        for bit in [1, 0x80] {
            let mut flipped = sealed.clone();
            flipped[place] ^= bit;
            assert!(open(&seal, &object, &flipped).is_err(), "{place}");
            let _ = is_sound(&flipped);
        }
    }
}

#[test]
fn a_header_without_an_end_is_given_up() {
    let seal = stage::seal();
    let stanza = format!("-> X25519 {}\n{}\n", "A".repeat(43), "B".repeat(43));
    let lines = "-> grease\n\n".repeat(1 << 20);
    for endless in [
        format!("age-encryption.org/v1\n{}", stanza.repeat(200_000)),
        format!("age-encryption.org/v1\n{lines}"),
        format!("age-encryption.org/v1\n-> {}", "x".repeat(20 << 20)),
        "age-encryption.org/".repeat(1 << 20),
    ] {
        assert!(matches!(open(&seal, "older/x", endless.as_bytes()), Err(Error::Damaged(_))));
        assert!(!is_sound(endless.as_bytes()));
    }
}

#[test]
fn what_is_no_age_file_is_damaged_with_and_without_a_key() {
    let seal = stage::seal();
    let blind = stage::locked(&seal);
    for bytes in
        [b"".as_slice(), b"not age at all", b"age-encryption.org/v2\n--- x\n", &[0; 4096], b"\xff\xfe"]
    {
        for seal in [&seal, &blind] {
            assert!(matches!(open(seal, &seal.object_of("a"), bytes), Err(Error::Damaged(_))));
        }
    }
    let sealed = seal.encrypt("a", b"bytes").unwrap();
    assert!(matches!(open(&blind, &seal.object_of("a"), &sealed), Err(Error::Locked { .. })));
}

/// What anybody can make: an age file for us, of something else.
fn foreign(recipient: &str, content: &[u8]) -> Vec<u8> {
    let recipient: age::x25519::Recipient = recipient.parse().unwrap();
    age::encrypt(&recipient, content).unwrap()
}

fn frame(magic: u32, length: usize, json: &[u8]) -> Vec<u8> {
    [magic.to_le_bytes().as_slice(), &u32::try_from(length).unwrap().to_le_bytes(), json].concat()
}

#[test]
fn an_age_file_for_us_that_is_no_object_is_damaged() {
    let key = new_key();
    let seal = Encryption::new(recipients(&[key.recipient()]), stage::names(), keyring(key.text()));
    let json = br#"{"format":1,"name":"a","length":5,"mac":"00"}"#;
    let ours = 0x184D_2A5D;
    for content in [
        Vec::new(),
        b"bytes".to_vec(),
        frame(0x184D_2A5C, json.len(), json),
        frame(ours, 1 << 30, json),
        frame(ours, json.len() + 1, json),
        frame(ours, 2, b"[]"),
        frame(ours, 4, b"\xff\xff\xff\xff"),
        frame(ours, json.len(), json),
    ] {
        let opened = open(&seal, &seal.object_of("a"), &foreign(key.recipient(), &content));
        assert!(matches!(opened, Err(Error::Damaged(_))), "{opened:?}");
    }
    let newer = br#"{"format":2,"other":1}"#;
    let opened =
        open(&seal, &seal.object_of("a"), &foreign(key.recipient(), &frame(ours, newer.len(), newer)));
    assert!(matches!(opened, Err(Error::Newer { format: 2, known: 1, .. })), "{opened:?}");
}

#[test]
fn bytes_with_another_hash_or_length_are_refused() {
    let key = new_key();
    let seal = Encryption::new(recipients(&[key.recipient()]), stage::names(), keyring(key.text()));
    let bomb = zstd::bulk::compress(&vec![0; 64 << 20], 3).unwrap();
    for (length, content) in [(5, zstd::bulk::compress(b"other", 3).unwrap()), (5, bomb), (9, Vec::new())] {
        let json = format!(r#"{{"format":1,"name":"a","length":{length},"mac":"{}"}}"#, "00".repeat(32));
        let content = [frame(0x184D_2A5D, json.len(), json.as_bytes()), content].concat();
        let opened = open(&seal, &seal.object_of("a"), &foreign(key.recipient(), &content));
        assert!(is_damage(&opened), "{opened:?}");
    }
}

#[test]
fn an_object_under_a_passphrase_is_never_tried() {
    let answer = Answer::new("passphrase");
    let key = new_key();
    let ring = Keyring::bytes(key.text().into(), "the key", answer.clone());
    let seal = Encryption::new(recipients(&[key.recipient()]), stage::names(), ring);
    let bomb = passphrase_file(b"bytes", 22);
    assert!(matches!(open(&seal, &seal.object_of("a"), &bomb), Err(Error::Damaged(_))));
    assert_eq!(answer.asked(), 0);
}

/// The stanza says so much work, and was not made with it.
pub(crate) fn passphrase_file(content: &[u8], work: u8) -> Vec<u8> {
    let mut recipient = age::scrypt::Recipient::new(SecretString::from("passphrase".to_owned()));
    recipient.set_work_factor(2);
    let recipients = std::iter::once(&recipient as &dyn age::Recipient);
    let mut writer = age::Encryptor::with_recipients(recipients).unwrap().wrap_output(Vec::new()).unwrap();
    writer.write_all(content).unwrap();
    let file = writer.finish().unwrap();
    let line = file.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let end = line + file[line..].iter().position(|byte| *byte == b'\n').unwrap();
    assert_eq!(&file[end - 2..end], b" 2");
    [&file[..end - 1], work.to_string().as_bytes(), &file[end..]].concat()
}
