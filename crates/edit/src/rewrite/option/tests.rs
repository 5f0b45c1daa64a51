//! `--rewrite` and `--cwd`, from words to paths and back.

use super::*;

fn of(from: &str) -> Move {
    Move { from: from.to_owned(), to: "/x".to_owned() }
}

#[test]
fn the_same_path_is_the_same_however_it_is_spelled() {
    for (one, other) in [("/a", "/a"), ("/a", "/a/"), (r"C:\a", "c:/a/"), (r"C:\a", r"C:\\a"), (r"C:\", "c:")]
    {
        assert!(of(one).is_of_same(&of(other)) && of(other).is_of_same(&of(one)), "{one} {other}");
    }
    for (one, other) in
        [("/a", "/a/b"), ("/a", "/A"), ("/a", "a"), (r"C:\a", r"D:\a"), ("/", "/a"), (r"C:\a", r"C:\A")]
    {
        assert!(!of(one).is_of_same(&of(other)) && !of(other).is_of_same(&of(one)), "{one} {other}");
    }
}

#[test]
fn directories_below_move_along_and_others_stay() {
    let moved = |from: &str, to: &str, directory: &str| {
        Move { from: from.to_owned(), to: to.to_owned() }.of_directory(directory)
    };
    assert_eq!(moved("/a", "/x", "/a").unwrap(), "/x");
    assert_eq!(moved("/a/", "/x/", "/a/b c").unwrap(), "/x/b c");
    assert_eq!(moved("/mnt/c/a", r"C:\a", "/mnt/c/a/b/c").unwrap(), r"C:\a\b\c");
    assert_eq!(moved(r"C:\a", "/mnt/c/a", r"c:\a\b").unwrap(), "/mnt/c/a/b");
    assert_eq!(moved("/a", "/", "/a/b").unwrap(), "/b");
    assert_eq!(moved("/a", "/x", "/ab"), None);
    assert_eq!(moved("/a", "/x", "/b/a"), None);
}

#[test]
fn only_the_root_is_the_root() {
    assert!(["/", "//", r"\"].iter().all(|root| of(root).is_of_root()));
    assert!(!["/a", "C:", r"C:\", "C:/", r"\\a"].iter().any(|path| of(path).is_of_root()));
}

#[test]
fn words_are_rewrites_and_back() {
    for word in ["wsl-to-win", "win-to-wsl", "strip", "/a=/b", "/a==b", "strip=", "C:\\a=/b c"] {
        assert_eq!(word.parse::<Rewrite>().unwrap().to_string(), word);
    }
    for word in ["", "=", "=/a", "Strip", "wsl", "/a"] {
        assert_eq!(word.parse::<Rewrite>(), Err(BadRewrite(word.to_owned())));
    }
}
