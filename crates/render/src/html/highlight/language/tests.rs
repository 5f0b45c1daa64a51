//! The table of languages is in order.

use super::*;

#[test]
fn words_are_sorted_and_names_are_unique() {
    for language in Language::all() {
        if let Syntax::Code(grammar) = &language.syntax {
            assert!(grammar.keywords().words.is_sorted(), "{:?}", language.names);
        }
    }
    let mut names: Vec<_> = Language::all().flat_map(|language| language.names.split(' ')).collect();
    let number = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), number);
    for name in names {
        assert_eq!(language::named(name), Some(name));
    }
}

#[test]
fn a_language_is_known_by_fence_and_by_file() {
    assert!(Language::named("TypeScript").is_some() && Language::named("markdown").is_none());
    assert!(Language::of_path("C:\\a\\Dockerfile").is_some() && Language::of_path("/a/b.rs").is_some());
    assert!(Language::of_path("/a.rs/notes").is_none());
}
