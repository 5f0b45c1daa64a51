//! GitHub through a stand-in for `gh` that records how it is called.

#![cfg(unix)]

use std::fs;
use std::time::Duration;

use steno_vault::git::{Error, GitHub, Repository, SignIn};
use steno_vault::remote::Outcome;

use crate::git::record::executable;
use crate::git::world::{REQUEST, World};

const MISSING: &str =
    "echo \"GraphQL: Could not resolve to a Repository with the name 'me/data'. (repository)\" >&2; exit 1";

fn stand_in(world: &World, auth: &str, view: &str) -> GitHub {
    let directory = world.path("").display().to_string();
    let script = format!(
        "#!/bin/sh\ncd '{directory}'\necho \"$*\" >> calls\ncase \"$1 $2\" in\n\
         'auth status') {auth} ;;\n\
         'repo view') if [ -e created ]; then echo '{{\"isPrivate\":true,\"url\":\"https://github.com/me/data\"}}'; else {view}; fi ;;\n\
         'repo create') touch created; echo https://github.com/me/data ;;\n\
         'auth git-credential') cat >> credential; echo username=me; echo password=token ;;\nesac\n"
    );
    executable(&world.path("gh"), &script);
    GitHub::new(world.path("gh"))
}

fn calls(world: &World) -> Vec<String> {
    fs::read_to_string(world.path("calls")).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn whether_somebody_is_signed_in() {
    let world = World::new();
    assert_eq!(GitHub::new(world.path("gh")).sign_in().unwrap(), SignIn::NotInstalled);
    assert_eq!(stand_in(&world, "exit 1", "exit 2").sign_in().unwrap(), SignIn::SignedOut);
    assert!(matches!(
        stand_in(&world, "exit 1", "exit 2").ensure_repository("data"),
        Err(Error::NotSignedIn)
    ));
    assert_eq!(stand_in(&world, "exit 0", "exit 2").sign_in().unwrap(), SignIn::SignedIn);
    let mut slow = stand_in(&world, "sleep 30", "exit 2");
    slow.timeout = Duration::from_millis(200);
    assert_eq!(slow.sign_in().unwrap(), SignIn::SignedOut);
}

#[test]
fn a_missing_repository_is_made_private_and_once() {
    let world = World::new();
    let gh = stand_in(&world, "exit 0", MISSING);
    assert_eq!(gh.ensure_repository("data").unwrap(), "https://github.com/me/data");
    assert_eq!(gh.ensure_repository("data").unwrap(), "https://github.com/me/data");
    let (auth, view) = ("auth status --hostname github.com", "repo view data --json url,isPrivate");
    assert_eq!(calls(&world), [auth, view, "repo create data --private", view, auth, view]);
}

#[test]
fn a_public_repository_is_refused() {
    let world = World::new();
    let gh = stand_in(&world, "exit 0", r#"echo '{"isPrivate":false,"url":"https://github.com/me/data"}'"#);
    assert!(matches!(gh.ensure_repository("data"), Err(Error::PublicRepository { .. })));
}

#[test]
fn without_a_connection_nothing_is_made() {
    let world = World::new();
    let gh = stand_in(&world, "exit 0", "echo 'error connecting to api.github.com' >&2; exit 1");
    assert!(matches!(gh.ensure_repository("data"), Err(Error::Offline { .. })));
    let gh = stand_in(&world, "exit 0", "echo nonsense");
    assert!(matches!(gh.ensure_repository("data"), Err(Error::Unexpected { .. })));
    assert!(!calls(&world).iter().any(|call| call.starts_with("repo create")));
}

#[test]
fn gh_signs_in_for_github_and_for_nobody_else() {
    let world = World::new();
    let script = format!(
        "#!/bin/sh\ncase \" $* \" in *' ls-remote '*) echo \"$*\" >> '{}'; echo 'Could not resolve host' >&2; exit 128;; esac\n\
         exec git \"$@\"\n",
        world.path("calls").display()
    );
    executable(&world.path("git"), &script);
    let mut git = world.git();
    git.program = world.path("git");
    git.gh = Some("/opt/it's/gh".into());
    fs::create_dir(world.path("one")).unwrap();
    let one = Repository::open_or_init(&git, &world.path("one"), "one").unwrap();
    for url in ["https://github.com/me/data", "https://github.com.example.org/me/data"] {
        one.set_remote(url).unwrap();
        assert!(matches!(one.sync(REQUEST).unwrap().outcome, Outcome::Offline { .. }));
    }
    let helper = r"-c credential.https://github.com.helper=!'/opt/it'\''s/gh' auth git-credential";
    assert_eq!(calls(&world).iter().map(|call| call.contains(helper)).collect::<Vec<_>>(), [true, false]);
}
