//! Good archives: written, planned, unpacked.

use std::os::unix::fs::{PermissionsExt, symlink};

use steno_vault::archive::{Applied, Error, apply, survey, write};

use super::*;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// A directory with an archive of two files, and one to unpack into.
fn two_files() -> (TempDir, Plan, PathBuf) {
    let directory = TempDir::new().unwrap();
    let plan = plan_of(&directory, &gzip(&tar(&[file("CLAUDE.md", "new"), file("agents/one.md", "agent")])))
        .unwrap();
    let into = directory.path().join("into");
    (directory, plan, into)
}

#[test]
fn what_was_written_comes_back() {
    let directory = TempDir::new().unwrap();
    let from = directory.path().join("from");
    let long = format!("skills/{}/SKILL.md", "long-".repeat(30));
    let script = put(&from.join("run.sh"), "#!/bin/sh");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).unwrap();
    symlink(put(&from.join("real.md"), "linked"), from.join("link.md")).unwrap();
    let files = [
        ("hooks/run.sh".to_owned(), script.into()),
        (long.clone(), put(&from.join("skill"), [0, 159, 146, 150]).into()),
        ("CLAUDE.md".to_owned(), from.join("link.md").into()),
    ];
    let target = directory.path().join("out.tar.gz");
    let written = write(&files, &target).unwrap();
    assert_eq!(
        (written.files, written.bytes, mode(&target)),
        (3, fs::metadata(&target).unwrap().len(), 0o600)
    );
    assert_eq!(archive::measure(&files, &target).unwrap(), written);

    let plan = archive::plan(&target, LIMITS).unwrap();
    assert_eq!(names(&plan), ["CLAUDE.md", "hooks/run.sh", &long]);
    let into = directory.path().join("a/b");
    assert_eq!(
        apply(&plan, &into, false, &into.join("replaced")).unwrap(),
        Applied { written: 3, identical: 0, replaced: None }
    );
    assert_eq!(fs::read(into.join(&long)).unwrap(), [0, 159, 146, 150]);
    assert_eq!(fs::read_to_string(into.join("CLAUDE.md")).unwrap(), "linked");
    assert!(!into.join("CLAUDE.md").is_symlink());
    assert_ne!(mode(&into.join("hooks/run.sh")) & 0o100, 0);
    assert_eq!(mode(&into.join("CLAUDE.md")) & 0o111, 0);
}

#[test]
fn the_same_files_make_the_same_archive() {
    let directory = TempDir::new().unwrap();
    let at = |name: &str| directory.path().join(name);
    let mut files =
        vec![("b".to_owned(), put(&at("b"), "2").into()), ("a".to_owned(), put(&at("a"), "1").into())];
    write(&files, &at("one")).unwrap();
    files.reverse();
    write(&files, &at("two")).unwrap();
    assert_eq!(fs::read(at("one")).unwrap(), fs::read(at("two")).unwrap());
}

#[test]
fn a_failed_write_leaves_what_was_there() {
    let directory = TempDir::new().unwrap();
    let target = put(&directory.path().join("out.tar.gz"), "older");
    let good = put(&directory.path().join("good"), "1");
    let before = tree(directory.path());
    let gone = ("b".to_owned(), directory.path().join("gone").into());
    assert!(matches!(
        write(&[("a".to_owned(), good.clone().into()), gone], &target),
        Err(Error::Read { .. })
    ));
    let twice = [("a".to_owned(), good.clone().into()), ("A".to_owned(), good.into())];
    assert!(matches!(write(&twice, &target), Err(Error::Entry { .. })));
    assert_eq!(tree(directory.path()), before);
}

#[test]
fn archives_of_the_system_tar_are_read() {
    let directory = TempDir::new().unwrap();
    put(&directory.path().join("from/agents/one.md"), "1");
    put(&directory.path().join(format!("from/{}.md", "n".repeat(150))), "2");
    let target = directory.path().join("in.tar.gz");
    for format in ["gnu", "pax", "ustar"] {
        let mut tar = std::process::Command::new("tar");
        tar.arg("--format").arg(format).arg("-czf").arg(&target).arg("-C").arg(directory.path().join("from"));
        if tar.arg(".").stderr(std::process::Stdio::null()).status().unwrap().success() {
            let plan = archive::plan(&target, LIMITS).unwrap();
            assert_eq!(plan.files.len(), 2, "{format}");
            assert_eq!(names(&plan)[0], "agents/one.md", "{format}");
        }
    }
}

#[test]
fn what_exists_is_named_and_kept_unless_forced() {
    let (_directory, plan, into) = two_files();
    put(&into.join("CLAUDE.md"), "old");
    put(&into.join("agents/one.md"), "agent");
    fs::set_permissions(into.join("CLAUDE.md"), fs::Permissions::from_mode(0o600)).unwrap();
    let found = survey(&plan, &into).unwrap();
    assert_eq!(
        (found.new.len(), found.existing, found.identical),
        (0, vec!["CLAUDE.md".into()], vec!["agents/one.md".into()])
    );
    let before = tree(&into);
    match apply(&plan, &into, false, &into.join("replaced")) {
        Err(Error::Exists { names, .. }) => assert_eq!(names, ["CLAUDE.md"]),
        other => panic!("{other:?}"),
    }
    assert_eq!(tree(&into), before);
    assert_eq!(
        apply(&plan, &into, true, &into.join("replaced")).unwrap(),
        Applied { written: 1, identical: 1, replaced: Some(into.join("replaced")) }
    );
    assert_eq!(fs::read_to_string(into.join("replaced/CLAUDE.md")).unwrap(), "old");
    assert_eq!(fs::read_to_string(into.join("CLAUDE.md")).unwrap(), "new");
    assert_eq!(mode(&into.join("CLAUDE.md")), 0o600, "a private file stays private");
    assert_eq!(
        apply(&plan, &into, false, &into.join("replaced")).unwrap(),
        Applied { written: 0, identical: 2, replaced: None }
    );
}

#[test]
fn a_link_does_not_lead_out_of_the_directory() {
    let (directory, plan, into) = two_files();
    let outside = directory.path().join("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::create_dir_all(&into).unwrap();
    symlink(&outside, into.join("agents")).unwrap();
    let before = tree(&into);
    assert!(matches!(apply(&plan, &into, true, &into.join("replaced")), Err(Error::Outside { .. })));
    assert_eq!((tree(&into), tree(&outside)), (before, vec![]));
}

#[test]
fn a_link_within_the_directory_is_followed() {
    let (_directory, plan, into) = two_files();
    fs::create_dir_all(into.join("mine")).unwrap();
    symlink("mine", into.join("agents")).unwrap();
    apply(&plan, &into, false, &into.join("replaced")).unwrap();
    assert_eq!(fs::read_to_string(into.join("mine/one.md")).unwrap(), "agent");
}

#[test]
fn two_names_that_a_link_makes_one_are_refused() {
    let directory = TempDir::new().unwrap();
    let plan = plan_of(&directory, &gzip(&tar(&[file("a/x", "1"), file("b/x", "2")]))).unwrap();
    let into = directory.path().join("into");
    fs::create_dir_all(into.join("a")).unwrap();
    symlink("a", into.join("b")).unwrap();
    assert!(matches!(apply(&plan, &into, true, &into.join("replaced")), Err(Error::Entry { .. })));
}

#[test]
fn a_linked_file_is_replaced_and_its_end_left_alone() {
    let (directory, plan, into) = two_files();
    let elsewhere = put(&directory.path().join("elsewhere"), "mine");
    fs::create_dir_all(&into).unwrap();
    symlink(&elsewhere, into.join("CLAUDE.md")).unwrap();
    assert!(matches!(apply(&plan, &into, false, &into.join("replaced")), Err(Error::Exists { .. })));
    apply(&plan, &into, true, &into.join("replaced")).unwrap();
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "mine");
    assert_eq!(fs::read_to_string(into.join("CLAUDE.md")).unwrap(), "new");
}

#[test]
fn what_is_in_the_way_stops_everything() {
    for (path, is_directory) in [("agents", false), ("agents/one.md", true)] {
        let (_directory, plan, into) = two_files();
        if is_directory {
            fs::create_dir_all(into.join(path)).unwrap()
        } else {
            drop(put(&into.join(path), ""))
        }
        let before = tree(&into);
        assert!(
            matches!(apply(&plan, &into, true, &into.join("replaced")), Err(Error::InTheWay { .. })),
            "{path}"
        );
        assert_eq!(tree(&into), before);
    }
}

#[test]
fn what_was_planned_is_written_whatever_becomes_of_the_archive() {
    let (directory, plan, into) = two_files();
    put(&directory.path().join("in.tar.gz"), gzip(&tar(&[file("CLAUDE.md", "other"), file("more", "")])));
    apply(&plan, &into, false, &into.join("replaced")).unwrap();
    assert_eq!(
        tree(&into).into_iter().map(|(name, _)| name).collect::<Vec<_>>(),
        ["CLAUDE.md", "agents/", "agents/one.md"]
    );
    assert_eq!(fs::read_to_string(into.join("CLAUDE.md")).unwrap(), "new");
}
