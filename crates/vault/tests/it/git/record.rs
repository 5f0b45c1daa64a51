//! What is committed: exactly what was given, byte for byte, whatever the user's settings and files say.

use std::fs;

use jiff::Timestamp;
use steno_vault::git::{Altered, Error, Repository};
use steno_vault::remote::Outcome;

use crate::git::world::World;

#[test]
fn nothing_new_is_no_commit() {
    let world = World::new();
    let machine = world.machine("one");
    machine.keep("projects/a.jsonl.g1.000001.zst", "x");
    assert!(machine.record());
    assert!(!machine.record());
    machine.keep("projects/a.jsonl.g1.000002.zst", "y");
    assert!(machine.record_as("two"));
    assert_eq!(
        world.plain(&machine.root, &["log", "--format=%s by %an at %at"]).lines().next(),
        Some("two by steno at 0")
    );
    assert_eq!(world.plain(&machine.root, &["status", "--porcelain"]), "");
}

#[test]
fn only_what_was_given_is_recorded() {
    let world = World::new();
    let machine = world.machine("one");
    machine.keep("config/settings.json", "{}");
    machine.keep("projects/a.zst", "x");
    machine.write("machines/two/projects/b.zst", "y");
    machine.write("manifest.json", "{}");
    machine.write(".cache/state", "z");
    // Somebody staged everything by hand; it is not for this commit.
    world.plain(&machine.root, &["add", "-A", "-f", "machines", "manifest.json"]);
    let paths = ["machines/one/config", "machines/one/manifest.json"];
    assert!(machine.repository.record(&paths, "local", Timestamp::UNIX_EPOCH).unwrap());
    let held = world.plain(&machine.root, &["ls-tree", "-r", "--name-only", "HEAD"]);
    assert_eq!(
        held.lines().collect::<Vec<_>>(),
        [".gitattributes", ".gitignore", "machines/one/config/settings.json"]
    );
}

#[test]
fn deletions_below_are_recorded() {
    let world = World::new();
    let machine = world.machine("one");
    machine.keep("projects/a.zst", "x");
    machine.keep("projects/b.zst", "y");
    assert!(machine.record());
    fs::remove_file(machine.root.join("machines/one/projects/a.zst")).unwrap();
    assert!(machine.record());
    assert_eq!(
        world.plain(&machine.root, &["ls-tree", "-r", "--name-only", "HEAD", "machines"]),
        "machines/one/projects/b.zst"
    );
    fs::remove_dir_all(machine.root.join("machines/one")).unwrap();
    assert!(machine.record());
    assert_eq!(world.plain(&machine.root, &["ls-tree", "-r", "--name-only", "HEAD", "machines"]), "");
}

#[test]
fn what_is_not_ours_is_not_recorded() {
    let world = World::new();
    let machine = world.machine("one");
    for path in
        ["machines/two", "machines", "manifest.json", "../x", "/etc/passwd", "machines/one/../two", ".cache"]
    {
        let recorded = machine.repository.record(&[path], "no", Timestamp::UNIX_EPOCH);
        assert!(matches!(recorded, Err(Error::NotOurs { .. })), "{path}");
    }
}

#[test]
fn bytes_come_back_as_they_went_whatever_the_settings() {
    let world = World::new();
    let hooks = world.path("hooks");
    fs::create_dir(&hooks).unwrap();
    for hook in ["pre-commit", "commit-msg", "pre-push", "post-checkout"] {
        executable(&hooks.join(hook), "#!/bin/sh\nexit 1\n");
    }
    fs::write(world.path("ignore"), "*.zst\n*.json\nconfig\n").unwrap();
    fs::write(world.path("attributes"), "* text=auto eol=crlf ident\n").unwrap();
    let settings = format!(
        "[core]\nautocrlf=true\nsafecrlf=true\nhooksPath={hooks}\nexcludesFile={ignore}\nattributesFile={attributes}\n\
         fsmonitor=false\n[commit]\ngpgsign=true\n[tag]\ngpgsign=true\n[push]\ngpgSign=true\n[gpg]\nprogram=false\n\
         [init]\ndefaultBranch=odd\n[user]\nuseConfigOnly=true\n[diff]\nexternal=false\nnoprefix=true\n\
         [filter \"spoil\"]\nclean=echo spoiled\nsmudge=echo spoiled\nrequired=true\n[fetch]\nprune=true\n[color]\nui=always\n",
        hooks = hooks.display(),
        ignore = world.path("ignore").display(),
        attributes = world.path("attributes").display(),
    );
    let remote = world.bare();
    fs::write(world.path("gitconfig"), settings).unwrap();
    let one = world.machine_at("one", &remote);
    let every_byte: Vec<u8> = (0..=255).cycle().take(5000).collect();
    one.keep("config/crlf.txt", "a\r\nb\r\n$Id$\n\r");
    one.keep("config/skills/x/.gitattributes", "* text eol=lf filter=spoil ident\n");
    one.keep("config/skills/x/.gitignore", "*\n");
    one.keep("config/skills/x/run.sh", "echo\r\n$Id$\r\n");
    one.keep("projects/a [b]/*.zst", &every_byte);
    one.keep("projects/naïve \u{301}e/:(top)x.json", "");
    one.keep("projects/new\nline.zst", "x");
    one.keep("big.zst", vec![7; 3 << 20]);
    assert!(one.record());
    assert!(matches!(one.sync().outcome, Outcome::Pushed));
    let two = world.machine_at("two", &remote);
    let exchange = two.sync();
    assert_eq!(exchange.received, 8, "{:?}", exchange.warnings);
    assert_eq!(world.plain(&two.root, &["branch", "--show-current"]), "main");
    assert_eq!(world.machine("two").files(), one.files());
    assert_eq!(two.repository.read("machines/one/config/crlf.txt").unwrap().unwrap(), b"a\r\nb\r\n$Id$\n\r");
    assert_eq!(two.repository.read("machines/one/nothing").unwrap(), None);
}

#[test]
fn a_clone_among_the_config_is_kept_as_files() {
    let world = World::new();
    let machine = world.machine("one");
    machine.keep("config/skills/x/SKILL.md", "first");
    let inner = machine.root.join("machines/one/config/skills/x");
    world.plain(&inner, &["init", "--quiet"]);
    world.plain(&inner, &["add", "-A"]);
    world.plain(&inner, &["commit", "-q", "-m", "x"]);
    assert!(machine.record());
    machine.keep("config/skills/x/deep/other.md", "second");
    machine.keep("config/skills/x/SKILL.md", "third");
    assert!(machine.record());
    assert!(!machine.record());
    let held = world.plain(&machine.root, &["ls-tree", "-r", "--name-only", "HEAD", "machines"]);
    let below = "machines/one/config/skills/x";
    assert_eq!(
        held.lines().collect::<Vec<_>>(),
        [format!("{below}/SKILL.md"), format!("{below}/deep/other.md")]
    );
    assert_eq!(machine.repository.read(format!("{below}/SKILL.md")).unwrap().unwrap(), b"third");
}

#[test]
fn an_existing_repository_is_taken_as_it_is() {
    let world = World::new();
    let root = world.path("one");
    fs::create_dir(&root).unwrap();
    world.plain(&root, &["init", "-q", "-b", "backup"]);
    fs::write(root.join(".gitignore"), "*.tmp").unwrap();
    fs::create_dir_all(root.join("machines/one/projects/p")).unwrap();
    fs::write(root.join("machines/one/projects/p/a.jsonl.gz"), "old").unwrap();
    fs::write(root.join("manifest.json"), "{}").unwrap();
    world.plain(&root, &["add", "-A"]);
    world.plain(&root, &["commit", "-q", "-m", "original"]);
    let machine = world.machine("one");
    assert_eq!(world.plain(&machine.root, &["branch", "--show-current"]), "backup");
    assert_eq!(
        fs::read_to_string(root.join(".gitignore")).unwrap(),
        "*.tmp\n/.cache/\n/.lock\n/manifest.json\n/exchange.json\n"
    );
    assert!(machine.record());
    let remote = world.bare();
    machine.repository.set_remote(remote.to_str().unwrap()).unwrap();
    machine.sync();
    assert_eq!(world.plain(&remote, &["log", "--format=%s", "main"]), "a sync\noriginal");
    assert_eq!(world.plain(&machine.root, &["branch", "--show-current"]), "backup");
}

#[test]
fn a_vault_inside_another_repository_is_its_own() {
    let world = World::new();
    let outer = world.path("outer");
    fs::create_dir_all(outer.join("vault")).unwrap();
    world.plain(&outer, &["init", "-q"]);
    let repository = Repository::open_or_init(&world.git(), &outer.join("vault"), "one").unwrap();
    assert!(repository.record(&["machines/one"], "inner", Timestamp::UNIX_EPOCH).unwrap());
    assert!(!world.try_plain(&outer, &["rev-parse", "--verify", "HEAD"]).status.success());
}

#[test]
fn names_that_are_no_names_are_refused() {
    let world = World::new();
    for slug in ["", ".", "..", "a/b", "a\\b", ".hidden", "a\nb", "c:"] {
        assert!(matches!(
            Repository::open_or_init(&world.git(), &world.path(""), slug),
            Err(Error::BadSlug { .. })
        ));
    }
}

#[test]
fn thousands_of_files_are_one_commit() {
    let world = World::new();
    let machine = world.machine("one");
    for number in 0..3000 {
        machine.keep(&format!("projects/p{}/{number}.zst", number % 7), number.to_string());
    }
    assert!(machine.record());
    machine.repository.maintain().unwrap();
    assert!(!machine.record());
    assert_eq!(world.plain(&machine.root, &["rev-list", "--count", "HEAD"]), "1");
}

pub(crate) fn executable(path: &std::path::Path, script: &str) {
    steno_testkit::executable(path, script);
}

#[test]
fn what_is_not_as_it_was_recorded_is_found() {
    let world = World::new();
    let one = world.machine("one");
    assert_eq!(one.repository.altered().unwrap(), Altered::default());
    for name in ["a.zst", "b.zst", "c.zst"] {
        one.keep(name, "bytes");
    }
    one.record();
    assert_eq!(one.repository.altered().unwrap(), Altered::default());
    one.keep("new.zst", "new");
    one.keep("a.zst", "other");
    fs::remove_file(one.root.join("machines/one/b.zst")).unwrap();
    // A stat that changed is not a file that changed.
    one.keep("c.zst", "bytes");
    let found =
        Altered { gone: vec!["machines/one/b.zst".into()], changed: vec!["machines/one/a.zst".into()] };
    assert_eq!(one.repository.altered().unwrap(), found);
    fs::remove_file(one.root.join(".git/index")).unwrap();
    assert_eq!(one.repository.altered().unwrap(), found);
    // Staged by somebody's hand is not recorded.
    world.plain(&one.root, &["add", "-A", "-f", "machines"]);
    assert_eq!(one.repository.altered().unwrap(), found);
}

#[test]
fn every_version_of_a_file_is_found_the_newest_first() {
    let world = World::new();
    let remote = world.bare();
    let (one, two) = (world.machine_at("one", &remote), world.machine_at("two", &remote));
    for bytes in ["first", "second", "third"] {
        one.send("a.zst", bytes);
    }
    two.send("b.zst", "b");
    one.send("a.zst", "fourth");
    fs::remove_file(one.root.join("machines/one/a.zst")).unwrap();
    one.record();
    let versions = |name: &str| -> Vec<String> {
        let ids = one.repository.versions(name).unwrap();
        ids.iter().map(|id| String::from_utf8(one.repository.bytes_of(id).unwrap()).unwrap()).collect()
    };
    assert_eq!(versions("machines/one/a.zst"), ["fourth", "third", "second", "first"]);
    assert_eq!(versions("machines/one/nothing.zst"), [""; 0]);
}
