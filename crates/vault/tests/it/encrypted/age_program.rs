//! The real `age` program and the real `zstd` open what we wrote: nobody needs us to get at what is theirs.
//!
//! `STENO_AGE` names the program (`cargo xtask check` does), else it is looked for; without one, nothing is tested.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use steno_vault::encryption::{Encryption, Keyring, protect};
use tempfile::TempDir;

use crate::encrypted::identities::ssh_key;
use crate::encrypted::stage::{self, Answer, new_key, recipients, segment};

const VARIABLE: &str = "STENO_AGE";
const SEGMENT: &str = "machines/m/projects/-a/s.jsonl.g1.000001.zst";
const DOCUMENT: &str = "machines/m/config/settings.json";

struct Programs {
    age: PathBuf,
    directory: TempDir,
}

impl Programs {
    /// None, with a note, where there is nothing to test with.
    fn find() -> Option<Self> {
        let named = std::env::var_os(VARIABLE).filter(|named| !named.is_empty());
        let is_named = named.is_some();
        let age = PathBuf::from(named.unwrap_or_else(|| "age".into()));
        let is_there = |program: &Path| Command::new(program).arg("--version").output().is_ok();
        if is_there(&age) && is_there(Path::new("zstd")) {
            return Some(Self { age, directory: TempDir::new().unwrap() });
        }
        assert!(!is_named, "{VARIABLE} names no program, or there is no zstd");
        left_out("an age program and zstd (`cargo xtask age` finds or installs them)")
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.directory.path().join(name);
        fs::write(&path, bytes).unwrap();
        // As ssh and age want it.
        #[cfg(unix)]
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        path
    }

    fn decrypt(&self, identity: &Path, object: &Path) -> Vec<u8> {
        let mut program = Command::new(&self.age);
        let output = program.arg("-d").arg("-i").arg(identity).arg(object).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// Segments and documents, small, empty and of several chunks.
    fn open_everything_of(&self, seal: &Encryption, identity: &Path) {
        let large: Vec<u8> =
            (0..60_000_u32).flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        for bytes in [b"a transcript\n".as_slice(), b"", &large] {
            for (name, kept) in [(SEGMENT, segment(bytes)), (DOCUMENT, bytes.to_vec())] {
                let object = self.write("object.age", &seal.encrypt(name, &kept).unwrap());
                assert!(unpack(self.decrypt(identity, &object)) == bytes, "{name}, {} bytes", bytes.len());
            }
        }
    }
}

#[allow(clippy::print_stdout, reason = "a test that is left out should say so")]
fn left_out<T>(missing: &str) -> Option<T> {
    println!("left out: there is no {missing}");
    None
}

/// Through `zstd -dc`.
fn unpack(packed: Vec<u8>) -> Vec<u8> {
    let mut program = Command::new("zstd");
    let mut zstd = program.arg("-dc").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = zstd.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(&packed).unwrap());
        zstd.wait_with_output().unwrap()
    });
    assert!(output.status.success());
    output.stdout
}

#[test]
fn age_program_opens_with_a_generated_key() {
    let Some(programs) = Programs::find() else { return };
    let key = new_key();
    let identity = programs.write("identity.txt", key.text().as_bytes());
    let seal = Encryption::new(recipients(&[key.recipient()]), stage::names(), Keyring::none());
    programs.open_everything_of(&seal, &identity);
}

#[test]
fn age_program_opens_for_each_of_several_recipients() {
    let Some(programs) = Programs::find() else { return };
    let (one, two) = (new_key(), new_key());
    let ssh = ["ed25519", "rsa"].map(|kind| ssh_key(programs.directory.path(), kind, ""));
    let [Some(ed25519), Some(rsa)] = ssh else {
        return left_out("ssh-keygen").unwrap_or_default();
    };
    let everybody = recipients(&[one.recipient(), &ed25519.1, two.recipient(), &rsa.1]);
    let seal = Encryption::new(everybody, stage::names(), Keyring::none());
    for secret in [one.text().as_bytes(), &ed25519.0, two.text().as_bytes(), &rsa.0] {
        let identity = programs.write("identity", secret);
        programs.open_everything_of(&seal, &identity);
    }
}

#[test]
fn age_program_opens_with_an_ssh_key_alone() {
    let Some(programs) = Programs::find() else { return };
    let Some((secret, public)) = ssh_key(programs.directory.path(), "ed25519", "") else {
        return left_out("ssh-keygen").unwrap_or_default();
    };
    let identity = programs.write("id_ed25519", &secret);
    let seal = Encryption::new(recipients(&[&public]), stage::names(), Keyring::none());
    programs.open_everything_of(&seal, &identity);
}

/// It asks at a terminal only, and `script` is one.
#[test]
fn age_program_opens_a_protected_identity() {
    let Some(programs) = Programs::find() else { return };
    let key = new_key();
    let passphrase = "correct horse";
    let protected = programs.write("protected.txt", &protect(key.text(), passphrase.to_owned()).unwrap());
    let identity = programs.directory.path().join("identity.txt");
    let line =
        format!("'{}' -d -o '{}' '{}'", programs.age.display(), identity.display(), protected.display());
    let mut script = Command::new("script");
    script.args(["-q", "-e", "-c", &line, "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut terminal) = script.spawn() else {
        return left_out("the program `script`").unwrap_or_default();
    };
    let mut keyboard = terminal.stdin.take().unwrap();
    keyboard.write_all(format!("{passphrase}\n").as_bytes()).unwrap();
    let output = terminal.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(fs::read_to_string(&identity).unwrap(), key.text());
    let seal = Encryption::new(recipients(&[key.recipient()]), stage::names(), Keyring::none());
    programs.open_everything_of(&seal, &identity);
    // And the other way round: what it protects, we open.
    let ring = Keyring::file(&protected, Answer::new(passphrase));
    assert_eq!(ring.keys().unwrap()[0].recipient(), Some(key.recipient()));
}
