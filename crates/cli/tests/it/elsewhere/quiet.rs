//! No file of an encrypted vault tells names or text: caches, git objects, leftovers of other programs.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::elsewhere::readable::readable;
use crate::elsewhere::stage::{Machine, Remote, below, configure, furnish, git, id, session};

const WORDS: [&str; 2] = ["harbour", "5e55-4000"];

fn use_everything(machine: &Machine) {
    for arguments in
        ["list", "search harbour", "stats", "doctor", "restore --list", "status", "verify", "sync --full"]
    {
        machine.run(arguments);
    }
    machine.run(&format!("show {}", id(1)));
    machine.run(&format!("peek {}", id(2)));
}

fn busy(flags: &str) -> Machine {
    let machine = Machine::new("laptop");
    furnish(&machine.app, 1, "harbour");
    configure(&machine.app, "harbour");
    machine.done(&format!("init --no-schedule --encrypt {flags}"));
    fs::remove_dir_all(machine.app.home().path().join("projects")).unwrap();
    furnish(&machine.app, 2, "harbour");
    machine.done("sync");
    use_everything(&machine);
    machine
}

#[test]
fn caches_tell_no_names() {
    for remote in Remote::both().into_iter().map(Some).chain([None]) {
        let flags =
            remote.as_ref().map_or("--local".to_owned(), |remote| format!("--remote {}", remote.named()));
        let machine = busy(&flags);
        machine.run(&format!("purge {} --live --yes", id(2)));
        use_everything(&machine);
        assert_eq!(readable(&machine.vault(), &WORDS), [""; 0]);
        assert_eq!(machine.done("verify")["warnings"], json!([]));
        for (path, _) in below(&machine.root().join(".cache"), machine.root()) {
            let mode = machine.root().join(&path).metadata().unwrap().permissions().mode();
            let is_private = path.ancestors().skip(1).any(|above| {
                machine
                    .root()
                    .join(above)
                    .metadata()
                    .is_ok_and(|above| above.permissions().mode() & 0o077 == 0)
            });
            assert!(mode & 0o077 == 0 || is_private, "{} is {mode:o}", path.display());
        }
    }
}

/// As an older version left them.
#[test]
fn caches_of_an_older_version_move_out() {
    let machine = busy("--local");
    let outside = machine.root().join(".cache/steno/vaults");
    let ours = fs::read_dir(&outside).unwrap().next().unwrap().unwrap().path();
    let inside = machine.vault().join(".cache");
    for entry in fs::read_dir(&ours).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), inside.join(entry.file_name())).unwrap();
    }
    fs::remove_dir_all(&outside).unwrap();
    assert!(!readable(&machine.vault(), &WORDS).is_empty());
    let safe = machine.root().join("safe.txt");
    fs::rename(machine.key(), &safe).unwrap();
    machine.app.write(&session(3));
    assert_eq!(machine.done("sync")["sessions"]["added"], 1, "what was remembered is remembered");
    assert_eq!(readable(&machine.vault(), &WORDS), [""; 0]);
    fs::rename(&safe, machine.key()).unwrap();
    machine.app.write(&session(1));
    machine.done("verify");
}

#[test]
fn what_can_be_read_is_named_and_goes() {
    let machine = busy("--local");
    let vault = machine.vault();
    let plant = |name: &str| {
        let path = vault.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "Tell me of the harbour").unwrap();
    };
    let planted = [
        "machines/laptop/projects/-home-dev-harbour/notes.txt",
        "machines/laptop/config/agents/harbour-master.md",
        ".cache/sessions.json",
        ".cache/new/0/77-1",
        ".cache/forgotten/objects/ab/cdef",
    ];
    planted.iter().for_each(|name| plant(name));
    fs::write(machine.root().join("loose"), "Tell me of the harbour").unwrap();
    let blob = git(&vault, &["hash-object", "-w", "--", "../loose"]);
    let blob = String::from_utf8(blob).unwrap();
    let told = machine.json("verify")["warnings"].to_string();
    for name in planted.iter().chain([&blob.trim(), &".git"]) {
        assert!(told.contains(name), "{name}: {told}");
    }
    assert!(machine.run("verify").contains("without the key"));
    let left = machine.json("verify --repair")["warnings"].clone();
    assert_eq!(left, json!([]));
    assert_eq!(readable(&vault, &["harbour"]), [""; 0]);
    machine.done("sync");
    assert_eq!(machine.json("verify")["warnings"], json!([]));
}

/// An encrypted vault is sent to a remote that holds plain sessions of another user.
#[test]
fn git_fetches_nothing_that_can_be_read() {
    let remote = Remote::git();
    let founder = Machine::new("founder");
    furnish(&founder.app, 1, "harbour");
    founder.join(&remote, "--push");
    let machine = Machine::with("laptop", 5);
    machine.done(&format!("init --no-schedule --no-sync --remote {}", remote.named()));
    machine.json("init --encrypt --no-schedule");
    let answer = machine.json("sync");
    assert_eq!(answer["push"]["state"], "refused", "{answer:#}");
    assert_eq!(readable(&machine.vault(), &["harbour"]), [""; 0]);
    assert_eq!(machine.json("verify")["warnings"], json!([]));
    let sealed = Machine::with("desk", 6);
    sealed.done("init --local --encrypt --no-schedule");
    assert_eq!(sealed.refusal(&format!("remote {}", remote.named())), "invalid");
    assert_eq!(readable(&sealed.vault(), &["harbour"]), [""; 0]);
}

#[test]
fn git_keeps_its_files_to_their_owner() {
    for umask in ["000", "022"] {
        let remote = Remote::git();
        let machine = Machine::with("laptop", 1);
        let program = env!("CARGO_BIN_EXE_steno");
        let commands = [
            format!("init --no-schedule --push --remote {}", remote.named()),
            "sync --full".to_owned(),
            format!("purge {} --live --rewrite-history --yes", id(1)),
        ];
        for arguments in commands {
            machine.app.home().append(&session(1), b"{\"type\":\"user\"}\n");
            let mut command = Command::new("sh");
            let known = machine.app.command();
            command.env_clear().envs(known.get_envs().filter_map(|(name, value)| Some((name, value?))));
            command
                .current_dir(machine.root())
                .args(["-c", &format!("umask {umask}; exec {program} {arguments}")]);
            let output = command.output().unwrap();
            assert!(output.status.code() != Some(2), "{}", String::from_utf8_lossy(&output.stderr));
            assert_private(&machine.vault());
        }
    }
}

fn assert_private(place: &Path) {
    let mode = place.metadata().unwrap().permissions().mode() & 0o7777;
    assert!(mode & 0o077 == 0, "{} is {mode:o}", place.display());
    if place.is_dir() {
        fs::read_dir(place).unwrap().for_each(|entry| assert_private(&entry.unwrap().path()));
    }
}
