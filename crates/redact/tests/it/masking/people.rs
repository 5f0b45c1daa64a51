//! Whose machine it was does not leave it: homes, names, addresses.

use steno_redact::{Identity, Redactor};

use crate::masking::{alice, masked, spot};

#[test]
fn the_own_home_is_a_tilde_in_every_spelling() {
    let cases = [
        ("/home/alice/x", "~/x"),
        ("cd /home/alice", "cd ~"),
        ("file:///home/alice/x", "file://~/x"),
        (r"C:\Users\alice\x", r"~\x"),
        (r"C:\\Users\\alice\\x", r"~\\x"),
        (r"c:\users\Alice\x", r"~\x"),
        ("C:/Users/alice/x", "~/x"),
        ("/mnt/c/Users/alice/x", "~/x"),
        ("/c/Users/alice/x", "~/x"),
        (r"\/home\/alice\/x", r"~\/x"),
        ("%2Fhome%2Falice%2Fx", "~%2Fx"),
        ("HOME=/home/alice\nPWD=/home/alice/x", "HOME=~\nPWD=~/x"),
        ("PATH=/usr/bin:/home/alice/bin", "PATH=/usr/bin:~/bin"),
        ("\"/home/alice\"", "\"~\""),
    ];
    for (text, expected) in cases {
        assert_eq!(masked(text, None), expected);
    }
}

#[test]
fn the_name_of_another_is_replaced_in_its_home() {
    let cases = [
        ("/home/bob/x", "/home/[user-1]/x"),
        ("/home/alice-old/x", "/home/[user-1]/x"),
        ("/Users/bob.smith/x", "/Users/[user-1]/x"),
        (r"D:\Users\Bob Smith\x", r"D:\Users\[user-1]\x"),
        (r"\\wsl$\Ubuntu\home\bob\x", r"\\wsl$\Ubuntu\home\[user-1]\x"),
        ("/home/bob and /home/carol and /home/bob", "/home/[user-1] and /home/[user-2] and /home/[user-1]"),
        ("/home/bob.", "/home/[user-1]."),
        ("/home/jürgen/x", "/home/[user-1]/x"),
    ];
    for (text, expected) in cases {
        assert_eq!(masked(text, None), expected);
    }
}

#[test]
fn the_own_name_is_replaced_where_it_stands_alone() {
    let cases = [
        ("drwxr-xr-x 2 alice alice 4096 .", "drwxr-xr-x 2 [user-1] [user-1] 4096 ."),
        ("-home-alice-project", "-home-[user-1]-project"),
        ("alice@host:~$ ls", "[user-1]@host:~$ ls"),
        ("/var/mail/alice", "/var/mail/[user-1]"),
        ("USER=alice", "USER=[user-1]"),
        ("/mnt/backup/home/alice/x", "/mnt/backup/home/[user-1]/x"),
        ("malice, alices and Alice", "malice, alices and Alice"),
    ];
    for (text, expected) in cases {
        assert_eq!(masked(text, None), expected);
    }
}

#[test]
fn a_name_that_is_a_word_is_one_only_where_users_stand() {
    let identity = Identity { homes: vec!["/home/will".to_owned()], users: vec!["will".to_owned()] };
    let mut redactor = Redactor::new(&identity, false);
    let mut shown = |text: &str| redactor.masked(&spot(text, None)).unwrap_or_else(|| text.to_owned());
    assert_eq!(shown("it will work, will it?"), "it will work, will it?");
    assert_eq!(shown("/home/will/x"), "~/x");
    assert_eq!(shown("will@host and user=will"), "[user-1]@host and user=[user-1]");
    assert_eq!(shown("-rw-r--r-- 1 will will 12 x"), "-rw-r--r-- 1 [user-1] [user-1] 12 x");
    assert_eq!(shown("-home-will-project"), "-home-[user-1]-project");
}

#[test]
fn a_name_that_is_nobodys_stays() {
    let identity = Identity { homes: vec!["/opt/runner".to_owned()], users: vec!["runner".to_owned()] };
    let mut redactor = Redactor::new(&identity, false);
    let mut shown = |text: &str| redactor.masked(&spot(text, None)).unwrap_or_else(|| text.to_owned());
    assert_eq!(shown("runner@host, the runner of it"), "runner@host, the runner of it");
    assert_eq!(shown("ls /opt/runner/x src/runner"), "ls ~/x src/runner");
}

/// Nothing but a path tells who worked there.
#[test]
fn a_name_that_a_home_gave_away_is_known_elsewhere() {
    let mut redactor = Redactor::new(&Identity::default(), false);
    redactor.learn(&spot("cat /home/zebulon/.bashrc", None));
    redactor.learn(&spot("GET /home/pricing/plans and /home/will/x", None));
    let mut shown = |text: &str| redactor.masked(&spot(text, None)).unwrap_or_else(|| text.to_owned());
    assert_eq!(shown("drwxr-xr-x 2 zebulon zebulon 4096 ."), "drwxr-xr-x 2 [user-1] [user-1] 4096 .");
    assert_eq!(shown("zebulon@host -home-zebulon-x"), "[user-1]@host -home-[user-1]-x");
    assert_eq!(
        shown("-I/home/zebulon/include /var/home/zebulon"),
        "-I/home/[user-1]/include /var/home/[user-1]"
    );
    assert_eq!(shown("it will work, see pricing"), "it will work, see pricing");
}

#[test]
fn the_own_name_is_found_in_names_of_files_and_machines_and_among_authors() {
    let identity = Identity { homes: vec!["/home/zebulon".to_owned()], users: vec!["zebulon".to_owned()] };
    let mut redactor = Redactor::new(&identity, false);
    let mut shown = |text: &str| redactor.masked(&spot(text, None)).unwrap_or_else(|| text.to_owned());
    assert_eq!(shown("/tmp/zebulon_build"), "/tmp/[user-1]_build");
    assert_eq!(shown("Author: Zebulon Quist"), "Author: [user-1] Quist");
    assert_eq!(
        shown("ZEBULON-PC and zebulons-MacBook-Pro.local"),
        "[user-1]-PC and [user-1]s-MacBook-Pro.local"
    );
    assert_eq!(shown("Zebulon was a prophet's son"), "Zebulon was a prophet's son");
}

/// A page may be called like a folder of homes.
#[test]
fn a_home_is_no_page() {
    for page in ["/home/page", "GET /home/feed 200", "\"@/home/settings\"", "<Link to=\"/home/dashboard\">"] {
        assert_eq!(masked(page, None), page);
    }
    for home in [
        "/home/page/.ssh/config",
        "HOME=/home/page",
        "cd /home/docs",
        "/home/feed/projects/x",
        "file:///home/page",
    ] {
        assert!(masked(home, None).contains("/home/[user-1]"), "{home}");
    }
}

#[test]
fn a_name_that_projects_have_is_no_user() {
    for name in ["docs", "rails", "frontend", "api"] {
        let identity = Identity { homes: vec![format!("/home/{name}")], users: vec![name.to_owned()] };
        let mut redactor = Redactor::new(&identity, false);
        assert_eq!(redactor.masked(&spot(&format!("cd {name} && ls {name}/index.md"), None)), None);
        let shown = redactor.masked(&spot(&format!("ls /home/{name}/x; {name}@host"), None));
        assert_eq!(shown.as_deref(), Some("ls ~/x; [user-1]@host"));
    }
    let root = Identity { homes: vec!["/root".to_owned()], users: vec!["root".to_owned()] };
    let mut redactor = Redactor::new(&root, false);
    let shown = redactor.masked(&spot("<Route path=\"/root\"> and /root/.bashrc", None));
    assert_eq!(shown.as_deref(), Some("<Route path=\"/root\"> and ~/.bashrc"));
}

#[test]
fn addresses_are_masked_only_on_request() {
    let text = "Ask Bob <bob@acme.io>, not noreply@acme.io; git@github.com:acme/app.git; icon@2x.png";
    assert_eq!(masked(text, None), text);
    let mut redactor = Redactor::new(&alice(), true);
    let shown = redactor.masked(&spot(text, None)).unwrap();
    assert_eq!(shown, text.replace("bob@acme.io", "[email-1]"));
    let again = redactor.masked(&spot("BOB@acme.io, carol@acme.io", None)).unwrap();
    assert_eq!(again, "[email-1], [email-2]");
}
