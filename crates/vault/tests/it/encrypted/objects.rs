//! What an object holds, and what it shows.

use std::io::Read;
use std::sync::Arc;

use proptest::prelude::*;
use steno_vault::Error;
use steno_vault::encryption::{Encryption, NameKey, is_sound, mac, unwrap_names, wrap_names};

use crate::encrypted::stage::{self, Shared, keyring, listed, new_key, open, put, recipients, segment};

#[test]
fn every_object_is_an_age_file_of_zstd_frames() {
    let (one, two) = (new_key(), new_key());
    let seal =
        Encryption::new(recipients(&[one.recipient(), two.recipient()]), stage::names(), keyring(two.text()));
    let large: Vec<u8> = (0..60_000_u32).flat_map(u32::to_le_bytes).collect();
    let segments = [segment(b"a transcript"), segment(b""), segment(&large)];
    let documents = [b"{}".to_vec(), Vec::new(), large.clone()];
    let kept = [b"a transcript".to_vec(), Vec::new(), large.clone()];
    for (segment, plain) in segments.iter().zip(&kept) {
        let sealed = seal.encrypt("machines/m/s.jsonl.g1.000001.zst", segment).unwrap();
        assert_eq!(&unpacked(&sealed, one.text()), plain);
        assert_eq!(&unpacked(&sealed, two.text()), plain);
        let object = seal.object_of("machines/m/s.jsonl.g1.000001.zst");
        assert_eq!(&open(&seal, &object, &sealed).unwrap(), segment);
    }
    for document in &documents {
        let sealed = seal.encrypt("machines/m/config/settings.json", document).unwrap();
        assert_eq!(&unpacked(&sealed, one.text()), document);
        assert!(is_sound(&sealed));
    }
}

/// By age's and zstd's crates alone.
fn unpacked(sealed: &[u8], key: &str) -> Vec<u8> {
    let secret = key.lines().last().unwrap();
    let identity: age::x25519::Identity = secret.parse().unwrap();
    let packed = age::decrypt(&identity, sealed).unwrap();
    zstd::decode_all(packed.as_slice()).unwrap()
}

#[test]
fn nothing_readable_is_in_an_object_or_its_name() {
    let planted = ["planted-slug", "planted-project", "planted-session", "planted-prompt", "planted-path"];
    let prompt = "planted-prompt ".repeat(10);
    let shared = Shared::default();
    let (inner, store) = (shared.files(), shared.of(stage::seal(), "nobody"));
    let home = "machines/planted-slug/projects/-planted-project";
    put(&store, &format!("{home}/planted-session.jsonl.g1.000001.zst"), &segment(prompt.as_bytes()));
    put(&store, &format!("{home}/planted-session.md"), prompt.as_bytes());
    put(&store, "planted-project/planted-session.jsonl.gz", prompt.as_bytes());
    assert_eq!(listed(&store, "").len(), 3);
    for object in listed(&inner, "") {
        let bytes = [object.as_bytes(), &steno_vault::Store::read(&inner, &object).unwrap()].concat();
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        for word in planted {
            assert!(!text.contains(word), "{word} in {object}");
        }
        for magic in [0x184D_2A5C_u32, 0x184D_2A5D, 0xFD2F_B528] {
            assert!(!bytes.windows(4).any(|window| window == magic.to_le_bytes()), "{object}");
        }
    }
}

#[test]
fn the_same_bytes_are_another_object_each_time_under_the_same_name() {
    let seal = stage::seal();
    assert_ne!(seal.encrypt("a", b"bytes").unwrap(), seal.encrypt("a", b"bytes").unwrap());
    assert_eq!(seal.object_of("a"), seal.object_of("a"));
}

#[test]
fn the_key_of_the_names_is_for_the_recipients_only() {
    let (key, other) = (new_key(), new_key());
    let (names, recipients) = (NameKey::random(), recipients(&[key.recipient()]));
    let wrapped = wrap_names(&names, &recipients).unwrap();
    assert_eq!(unwrap_names(&wrapped, &keyring(key.text())).unwrap(), names);
    let refused = unwrap_names(&wrapped, &keyring(other.text()));
    assert!(matches!(refused, Err(Error::Locked { .. })), "{refused:?}");
    let other_end = format!("{}QUJD", &wrapped[..wrapped.len() - 4]);
    for damaged in ["", "!", &wrapped[..wrapped.len() - 8], &other_end] {
        assert!(unwrap_names(damaged, &keyring(key.text())).is_err());
    }
    assert_eq!(mac(&names, &recipients, 1), mac(&names.clone(), &recipients, 1));
    assert_ne!(mac(&names, &recipients, 1), mac(&NameKey::random(), &recipients, 1));
    assert_ne!(mac(&names, &recipients, 1), mac(&names, &stage::recipients(&[other.recipient()]), 1));
    assert_ne!(mac(&names, &recipients, 1), mac(&names, &recipients, 2));
}

#[test]
fn whoever_knows_only_whom_to_encrypt_for_cannot_make_an_object() {
    let key = new_key();
    let ours = Encryption::new(recipients(&[key.recipient()]), stage::names(), keyring(key.text()));
    let forger = Encryption::new(recipients(&[key.recipient()]), NameKey::random(), keyring(key.text()));
    // Even where the place of an object is known.
    let sealed = forger.encrypt("machines/m/a", b"forged").unwrap();
    assert!(matches!(open(&ours, &forger.object_of("machines/m/a"), &sealed), Err(Error::Damaged(_))));
    assert!(open(&ours, &ours.object_of("machines/m/a"), &sealed).is_err());
}

#[test]
fn an_envelope_is_read_without_the_rest() {
    let seal = stage::seal();
    let noise: Vec<u8> =
        (0..400_000_u32).flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let sealed = seal.encrypt("a.zst", &noise).unwrap();
    let object = seal.object_of("a.zst");
    let envelope = seal.envelope(&object, &sealed[..80_000]).unwrap();
    assert_eq!((envelope.name.as_str(), envelope.length), ("a.zst", 1_600_000));
    assert!(open(&seal, &object, &sealed[..80_000]).is_err());
}

#[test]
fn a_seal_is_shared_by_threads() {
    fn is_shared<T: Send + Sync + std::fmt::Debug>() {}
    is_shared::<Encryption>();
    let seal = stage::seal();
    std::thread::scope(|scope| {
        for thread in 0..16 {
            let seal = Arc::clone(&seal);
            scope.spawn(move || {
                for number in 0..20 {
                    let name = format!("machines/{thread}/{number}");
                    let sealed = seal.encrypt(&name, name.as_bytes()).unwrap();
                    assert_eq!(open(&seal, &seal.object_of(&name), &sealed).unwrap(), name.as_bytes());
                }
            });
        }
    });
}

#[test]
fn a_name_too_long_for_an_envelope_is_refused() {
    assert!(stage::seal().encrypt(&"n".repeat(70_000), b"").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn what_is_closed_is_opened(name in "[^\0]{0,80}", ending in "(|\\.zst)", bytes in prop::collection::vec(any::<u8>(), 0..5000)) {
        let seal = stage::seal();
        let name = format!("{name}{ending}");
        let sealed = seal.encrypt(&name, &bytes).unwrap();
        prop_assert!(is_sound(&sealed));
        let (envelope, mut reader) = seal.open(&seal.object_of(&name), std::io::Cursor::new(sealed)).unwrap();
        let mut read = Vec::new();
        reader.read_to_end(&mut read).unwrap();
        prop_assert_eq!(read, bytes);
        prop_assert_eq!(envelope.name, name);
    }

    #[test]
    fn whatever_lies_there_is_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..600), is_age in any::<bool>()) {
        let seal = stage::seal();
        let start: &[u8] = if is_age { b"age-encryption.org/v1\n-> X25519 " } else { b"" };
        let bytes = [start, &bytes].concat();
        prop_assert!(open(&seal, &seal.object_of("a"), &bytes).is_err());
        let _ = is_sound(&bytes);
    }
}
