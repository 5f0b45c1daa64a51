//! A remote that somebody else writes to: nothing of it gets where it must not, and the rest still comes.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use steno_vault::git::display_url;
use steno_vault::remote::Outcome;

use crate::git::world::{REQUEST, World};

/// A tree of the given lines, made without git's own checks.
fn tree(world: &World, remote: &Path, lines: &[(&str, &str, &str)]) -> String {
    let mut command = Command::new("git");
    command.current_dir(remote).args(["mktree", "--missing"]).envs(world.git().environment);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for (kind, id, name) in lines {
        writeln!(stdin, "{kind} {id}\t{name}").unwrap();
    }
    drop(stdin);
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap().trim().to_owned()
}

#[test]
fn nothing_gets_where_it_must_not() {
    let world = World::new();
    let remote = world.bare();
    let one = world.machine_at("one", &remote);
    one.send("a.zst", "ours");
    let head = world.plain(&remote, &["rev-parse", "main"]);
    let file = world.path("evil");
    fs::write(&file, "evil").unwrap();
    let blob = world.plain(&remote, &["hash-object", "-w", file.to_str().unwrap()]);
    let link = blob.as_str();
    let below = |lines: &[(&str, &str, &str)]| tree(&world, &remote, lines);
    let git = below(&[("100644 blob", link, "config")]);
    let plain = below(&[("100644 blob", link, "a.zst")]);
    let two = below(&[
        ("040000 tree", &git, ".git"),
        ("040000 tree", &git, "GIT~1"),
        ("120000 blob", link, "link"),
        ("160000 commit", &head, "module"),
        ("100644 blob", link, "good.zst"),
    ]);
    let ours = world.plain(&remote, &["rev-parse", "main:machines/one"]);
    let machines = below(&[
        ("040000 tree", &ours, "one"),
        ("040000 tree", &plain, "ONE"),
        ("040000 tree", &two, "two"),
        ("100644 blob", link, "stray"),
    ]);
    let root = below(&[
        ("040000 tree", &git, ".git"),
        ("040000 tree", &plain, ".cache"),
        ("100644 blob", link, ".lock"),
        ("100644 blob", link, "manifest.json"),
        ("120000 blob", link, "vault.json"),
        ("040000 tree", &plain, "bin"),
        ("040000 tree", &plain, "config"),
        ("040000 tree", &machines, "machines"),
    ]);
    let commit = world.plain(&remote, &["commit-tree", "-p", &head, "-m", "evil", &root]);
    world.plain(&remote, &["update-ref", "refs/heads/main", &commit]);
    one.write("manifest.json", "mine");
    one.write("config/a.zst", "older");
    let settings = fs::read(one.root.join(".git/config")).unwrap();
    let exchange = one.sync();
    assert_eq!(exchange.outcome, Outcome::UpToDate);
    let refused: Vec<_> = exchange.warnings.iter().map(|warning| warning.path.as_str()).collect();
    for path in [
        ".cache/a.zst",
        ".git/config",
        ".lock",
        "bin/a.zst",
        "machines/ONE/a.zst",
        "machines/stray",
        "machines/two/.git/config",
        "machines/two/GIT~1/config",
        "machines/two/link",
        "machines/two/module",
        "vault.json",
    ] {
        assert!(refused.contains(&path), "{path} in {refused:?}");
        assert!(path == ".git/config" || !one.root.join(path).is_symlink() && !one.has(path), "{path}");
    }
    assert_eq!(refused.len(), 11, "{refused:?}");
    assert_eq!(fs::read(one.root.join(".git/config")).unwrap(), settings);
    assert_eq!(fs::read(one.root.join("manifest.json")).unwrap(), b"mine");
    assert_eq!(fs::read(one.root.join("config/a.zst")).unwrap(), b"older");
    assert_eq!(fs::read(one.root.join("machines/two/good.zst")).unwrap(), b"evil");
    assert_eq!(fs::read(one.root.join("machines/one/a.zst")).unwrap(), b"ours");
    // We go on, and take nothing of theirs away.
    one.send("b.zst", "more");
    let held = world.plain(&remote, &["ls-tree", "-r", "--name-only", "main"]);
    assert!(held.contains("machines/two/link") && held.contains("machines/one/b.zst"));
    assert_eq!(one.sync().warnings.len(), 11);
}

#[cfg(unix)]
#[test]
fn a_link_in_the_way_is_not_followed() {
    let world = World::new();
    let remote = world.bare();
    let (one, two) = (world.machine_at("one", &remote), world.machine_at("two", &remote));
    let outside = world.path("outside");
    fs::create_dir(&outside).unwrap();
    fs::create_dir(two.root.join("machines")).unwrap();
    std::os::unix::fs::symlink(&outside, two.root.join("machines/one")).unwrap();
    one.send("a.zst", "a");
    let exchange = two.sync();
    assert_eq!(exchange.warnings.len(), 1);
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    fs::write(outside.join("a.zst"), "the user's").unwrap();
    fs::remove_file(one.root.join("machines/one/a.zst")).unwrap();
    one.send("b.zst", "b");
    two.sync();
    assert!(outside.join("a.zst").exists());
}

#[test]
fn a_vault_we_object_to_is_not_taken() {
    let world = World::new();
    let remote = world.bare();
    let (one, two) = (world.machine_at("one", &remote), world.machine_at("two", &remote));
    one.write("vault.json", r#"{"format":9}"#);
    one.send("a.zst", "a");
    two.keep("b.zst", "b");
    two.record();
    let objection =
        |bytes: &[u8]| bytes.windows(10).any(|part| part == b"\"format\":9").then(|| "too new".to_owned());
    let request = steno_vault::git::Request { objection: &objection, ..REQUEST };
    let exchange = two.repository.sync(request).unwrap();
    assert_eq!(exchange.outcome, Outcome::Refused { reason: "too new".to_owned() });
    assert!(!two.has("machines/one") && !two.has("vault.json"));
    assert!(!world.plain(&remote, &["ls-tree", "-r", "--name-only", "main"]).contains("two"));
}

#[test]
fn credentials_are_not_told() {
    let world = World::new();
    let one = world.machine("one");
    let url = "https://me:s3cr3t@127.0.0.1:1/vault.git?token=s3cr3t";
    one.repository.set_remote(url).unwrap();
    assert_eq!(display_url(url), "https://***@127.0.0.1:1/vault.git?***");
    let outcome = format!("{:?}", one.sync().outcome);
    assert!(outcome.starts_with("Offline") && !outcome.contains("s3cr3t"), "{outcome}");
    let error = one.repository.set_remote("--upload-pack=x").unwrap_err();
    assert_eq!(error.to_string(), "not an address git can use: \"--upload-pack=x\"");
    assert_eq!(one.repository.remote().unwrap().as_deref(), Some(url));
}
