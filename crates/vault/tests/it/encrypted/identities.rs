//! Files of keys, as people have them.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use steno_vault::Error;
use steno_vault::encryption::{Encryption, Keyring, NewKey, Recipients, protect};
use tempfile::TempDir;

use crate::encrypted::hostile::passphrase_file;
use crate::encrypted::stage::{self, Answer, keyring, new_key, open, recipients};

/// Whether what is sealed for a recipient opens with a keyring.
fn opens(recipient: &str, keyring: Keyring) -> Result<(), Error> {
    let seal = Encryption::new(recipients(&[recipient]), stage::names(), keyring);
    let sealed = seal.encrypt("a", b"bytes").unwrap();
    open(&seal, &seal.object_of("a"), &sealed).map(|bytes| assert_eq!(bytes, b"bytes"))
}

fn reason(keyring: Keyring) -> String {
    match keyring.keys() {
        Err(Error::Locked { reason }) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_new_key_is_written_as_ages_own_program_writes_it() {
    let key = new_key();
    let lines: Vec<&str> = key.text().lines().collect();
    assert_eq!(lines[0], "# created: 1970-01-01T00:00:00Z");
    assert_eq!(lines[1], format!("# public key: {}", key.recipient()));
    assert!(lines[2].starts_with("AGE-SECRET-KEY-1") && lines.len() == 3);
    assert!(!format!("{key:?}").contains(&lines[2][16..24]));
    opens(key.recipient(), keyring(key.text())).unwrap();
}

#[test]
fn comments_blank_lines_and_other_line_ends_are_fine() {
    let (one, two) = (new_key(), new_key());
    let secret = |key: &NewKey| key.text().lines().last().unwrap().to_owned();
    let text = format!("\u{feff}\r\n# mine\r\n\r\n{}\r\n  # old\n\n \t{}  ", secret(&one), secret(&two));
    for key in [&one, &two] {
        opens(key.recipient(), keyring(text.as_str())).unwrap();
    }
    let ring = keyring(text);
    let public: Vec<&str> = ring.keys().unwrap().iter().filter_map(|key| key.recipient()).collect();
    assert_eq!(public, [one.recipient(), two.recipient()]);
    let shown = format!("{ring:?} {:?}", ring.keys().unwrap());
    assert!(!shown.contains("SECRET") && shown.contains(one.recipient()), "{shown}");
}

#[test]
fn what_is_no_key_is_told_by_its_line_and_never_repeated() {
    let key = new_key();
    let secret = key.text().lines().last().unwrap();
    let broken = format!("# mine\n{}", secret.replace("KEY-1", "KEY-1Q"));
    for (text, expected) in [
        ("", "there is no key in the key"),
        ("# only a comment\n", "there is no key in the key"),
        (broken.as_str(), "the key, line 2: this is no key"),
        ("AGE-PLUGIN-YUBIKEY-1QQ", "line 1: keys of age's plugins"),
        (key.recipient(), "line 1: this is a public key"),
        ("ssh-ed25519 AAAA me", "line 1: this is a public key"),
        ("-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nxx", "no ssh key that can be read"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\n!!!\n-----END OPENSSH PRIVATE KEY-----\n", "no ssh key"),
        ("age-encryption.org/v1\n", "is a damaged age file"),
        ("-----BEGIN AGE ENCRYPTED FILE-----\nxx", "is a damaged age file"),
    ] {
        let reason = reason(keyring(text));
        assert!(reason.contains(expected), "{reason}");
        assert!(!reason.contains("SECRET-KEY-1Q") && !reason.contains(&secret[20..40]), "{reason}");
    }
    assert!(reason(keyring(vec![0xff, 0xfe, 0])).contains("no text"));
}

#[test]
fn a_file_that_is_missing_or_too_large_is_told() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("identity.txt");
    let ring = || Keyring::file(&path, Answer::nobody());
    assert!(!ring().is_there() && reason(ring()).contains("the key is missing"));
    std::fs::write(&path, vec![b'#'; 2 << 20]).unwrap();
    assert!(ring().is_there() && reason(ring()).contains("too large"));
    let key = new_key();
    std::fs::write(&path, key.text()).unwrap();
    opens(key.recipient(), ring()).unwrap();
    assert!(reason(Keyring::file(directory.path(), Answer::nobody())).contains("cannot be read"));
    assert!(!Keyring::none().is_there() && reason(Keyring::none()).contains("there is no key"));
}

#[test]
fn a_passphrase_is_asked_for_once_and_only_when_it_is_needed() {
    let key = new_key();
    let protected = protect(key.text(), "correct horse".to_owned()).unwrap();
    assert!(protected.starts_with(b"-----BEGIN AGE ENCRYPTED FILE-----"));
    let answer = Answer::new("correct horse");
    let ring = Keyring::bytes(protected, "the key", answer.clone());
    let seal = Arc::new(Encryption::new(recipients(&[key.recipient()]), stage::names(), ring));
    let sealed = seal.encrypt("a", b"bytes").unwrap();
    assert!(seal.can_read() && answer.asked() == 0);
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| assert_eq!(open(&seal, &seal.object_of("a"), &sealed).unwrap(), b"bytes"));
        }
    });
    assert_eq!(answer.asked(), 1);
    assert!(!format!("{seal:?}").contains("correct"));
    let protected = passphrase_file(key.text().as_bytes(), 2);
    let wrong = Answer::new("wrong");
    let ring = Keyring::bytes(protected.clone(), "the key", wrong.clone());
    for _ in 0..3 {
        assert_eq!(reason(ring.clone()), "the passphrase does not open the key");
    }
    assert_eq!(wrong.asked(), 1);
    assert!(reason(Keyring::bytes(protected, "the key", Answer::nobody())).contains("none was given"));
}

#[test]
fn a_passphrase_that_takes_too_much_work_is_refused() {
    let ring = |work| {
        Keyring::bytes(
            passphrase_file(new_key().text().as_bytes(), work),
            "the key",
            Answer::new("passphrase"),
        )
    };
    for work in [21, 22, 40, 63, 99] {
        assert!(reason(ring(work)).contains("more work"), "{work}");
    }
    assert_eq!(ring(2).keys().unwrap().len(), 1);
}

#[test]
fn an_identity_for_another_key_is_told() {
    let other: age::x25519::Recipient = new_key().recipient().parse().unwrap();
    let file = age::encrypt(&other, b"anything").unwrap();
    assert!(reason(keyring(file)).contains("encrypted for another key"));
}

/// What `ssh-keygen` writes; nothing where it is not installed.
pub(crate) fn ssh_key(directory: &Path, kind: &str, passphrase: &str) -> Option<(Vec<u8>, String)> {
    let path = directory.join(format!("{kind}-{}", passphrase.len()));
    let bits = if kind == "rsa" { "2048" } else { "256" };
    let mut program = Command::new("ssh-keygen");
    program.args(["-q", "-C", "me@planted-host", "-N", passphrase, "-t", kind, "-b", bits, "-f"]).arg(&path);
    program.output().ok().filter(|output| output.status.success())?;
    Some((std::fs::read(&path).unwrap(), std::fs::read_to_string(path.with_extension("pub")).unwrap()))
}

#[test]
fn ssh_keys_open_what_is_sealed_for_them() {
    let directory = TempDir::new().unwrap();
    for kind in ["ed25519", "rsa"] {
        let Some((secret, public)) = ssh_key(directory.path(), kind, "") else { return };
        opens(&public, keyring(secret.clone())).unwrap();
        let windows = String::from_utf8(secret.clone()).unwrap().replace('\n', "\r\n");
        opens(&public, keyring(windows)).unwrap();
        let texts = recipients(&[&public]).to_vec();
        assert!(!texts[0].contains("planted-host") && public.starts_with(&texts[0]), "{texts:?}");
        let ring = keyring(secret.clone());
        assert_eq!(ring.keys().unwrap()[0].recipient(), Some(texts[0].as_str()));
        assert!(opens(new_key().recipient(), keyring(secret.clone())).is_err());
        // Under ssh's own passphrase, and under one of age.
        let (protected, public) = ssh_key(directory.path(), kind, "correct horse").unwrap();
        let answer = Answer::new("correct horse");
        opens(&public, Keyring::bytes(protected.clone(), "the key", answer.clone())).unwrap();
        assert_eq!(answer.asked(), 1);
        let wrong = Keyring::bytes(protected, "the key", Answer::new("wrong"));
        assert_eq!(reason(wrong), "the passphrase does not open the key");
        let wrapped = passphrase_file(&secret, 2);
        opens(&texts[0], Keyring::bytes(wrapped, "the key", Answer::new("passphrase"))).unwrap();
        for place in (0..secret.len()).step_by(secret.len() / 20) {
            let mut damaged = secret.clone();
            damaged[place] ^= 2;
            let _ = keyring(damaged).keys();
        }
    }
    let (secret, public) = ssh_key(directory.path(), "ecdsa", "").unwrap();
    assert!(reason(keyring(secret)).contains("kind that cannot decrypt"));
    assert!(Recipients::parse(&[public]).is_err());
}

#[test]
fn recipients_are_checked_and_stripped() {
    let (one, two) = (new_key(), new_key());
    let texts =
        [format!("  {} # me", one.recipient()), two.recipient().to_owned(), one.recipient().to_owned()];
    let parsed = Recipients::parse(&texts).unwrap();
    assert_eq!(parsed.to_vec(), [one.recipient(), two.recipient()]);
    assert!(Recipients::parse(&[]).unwrap().is_empty());
    let zeros =
        data_encoding::BASE64.encode(&[b"\0\0\0\x07ssh-rsa\0\0\0\x02\0\0\0\0\0\x01\0".as_slice()].concat());
    let secret = one.text().lines().last().unwrap();
    let cut = &one.recipient()[..30];
    for bad in [
        "",
        "me",
        "age1",
        cut,
        "age1yubikey1qqqq",
        "ssh-ed25519",
        "ssh-ed25519 AAAA",
        "ssh-rsa !",
        secret,
        &format!("ssh-rsa {zeros}"),
        "ssh-dss AAAAB3NzaC1kc3M=",
    ] {
        let error = Recipients::parse(&[bad.to_owned()]).unwrap_err();
        assert!(matches!(error, Error::BadRecipient { .. }), "{bad}");
        assert!(!error.to_string().contains("SECRET"), "{error}");
    }
    let many: Vec<String> = (0..65).map(|_| new_key().recipient().to_owned()).collect();
    assert!(Recipients::parse(&many).is_err());
    let seal = Encryption::new(Recipients::parse(&many[..64]).unwrap(), stage::names(), Keyring::none());
    assert!(steno_vault::encryption::is_sound(&seal.encrypt("a", b"bytes").unwrap()));
    let nobody = Encryption::new(Recipients::parse(&[]).unwrap(), stage::names(), Keyring::none());
    assert!(nobody.encrypt("a", b"bytes").is_err());
}
