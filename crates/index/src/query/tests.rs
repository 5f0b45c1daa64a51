//! What typed text means.

use proptest::prelude::*;

use super::{Field, Query, Term, Wanted};
use crate::token::PART;
use crate::token::tests::texts;

/// The normal form.
fn normal(text: &str) -> String {
    Query::parse(text).to_string()
}

/// Parts begin with `+`.
fn wanted(text: &str) -> Vec<Wanted> {
    let legible = |word: String| word.replace(PART, "+");
    let each = Query::parse(text).wanted().into_iter().map(|wanted| match wanted {
        Wanted::Word(word) => Wanted::Word(legible(word)),
        Wanted::Phrase(words) => Wanted::Phrase(words.into_iter().map(legible).collect()),
        Wanted::Prefix { before, last } => {
            Wanted::Prefix { before: before.into_iter().map(legible).collect(), last: legible(last) }
        }
    });
    each.collect()
}

fn word(word: &str) -> Wanted {
    Wanted::Word(word.to_owned())
}

fn phrase(words: &[&str]) -> Wanted {
    Wanted::Phrase(words.iter().map(ToString::to_string).collect())
}

fn prefix(before: &[&str], last: &str) -> Wanted {
    Wanted::Prefix { before: before.iter().map(ToString::to_string).collect(), last: last.to_owned() }
}

#[test]
fn terms_are_told_apart() {
    let query = Query::parse(r#"plain "two words" begin* -not -"not this" -no*"#);
    let terms: Vec<_> =
        query.clauses.iter().map(|clause| (clause.any.as_slice(), clause.is_negated)).collect();
    assert_eq!(
        terms,
        [
            (&[Term::Word("plain".to_owned())][..], false),
            (&[Term::Phrase("two words".to_owned())][..], false),
            (&[Term::Prefix("begin".to_owned())][..], false),
            (&[Term::Word("not".to_owned())][..], true),
            (&[Term::Phrase("not this".to_owned())][..], true),
            (&[Term::Prefix("no".to_owned())][..], true),
        ]
    );
}

#[test]
fn fields_filter() {
    let query = Query::parse(r#"role:user -Tool:Bash path:"a b.rs" after:2026-01-01 to:7d project:x"y"#);
    let filters: Vec<_> =
        query.filters.iter().map(|filter| (filter.field, filter.value.as_str(), filter.is_negated)).collect();
    assert_eq!(
        filters,
        [
            (Field::Role, "user", false),
            (Field::Tool, "Bash", true),
            (Field::File, "a b.rs", false),
            (Field::Since, "2026-01-01", false),
            (Field::Until, "7d", false),
            (Field::Project, "x\"y", false),
        ]
    );
    assert!(query.clauses.is_empty() && !query.is_empty());
}

#[test]
fn what_is_typed_has_a_normal_form() {
    for (text, expected) in [
        ("  a \n b ", "a b"),
        ("a OR b OR c d", "a OR b OR c d"),
        ("a AND b", "a b"),
        ("OR a OR", "a"),
        ("a OR -b c", "a -b c"),
        ("-a OR b", "-a b"),
        ("a OR role:user b", "a b role:user"),
        ("a OR ** b", "a b"),
        ("or and", "or and"),
        ("-OR", "-OR"),
        ("\"open end", "\"open end\""),
        ("\"\" \"--\" - * -- -> ** :", ""),
        ("--flag ->x -(y)", "--flag ->x -(y)"),
        ("https://a.b/c file:///etc/x a:b", "https://a.b/c file:///etc/x a:b"),
        ("role: x role:\"\" role:\" \"", "role: x"),
        ("file:\"//server/x\"", "file:\"//server/x\""),
        ("role:\"user\"x", "x role:user"),
        ("go** a*b", "go* a*b"),
        ("before:x from:\"last week\"", "until:x since:\"last week\""),
    ] {
        assert_eq!(normal(text), expected, "{text}");
    }
    assert!(Query::parse(" - ").is_empty());
}

#[test]
fn a_word_is_wanted_as_a_word_and_inside_names() {
    for (text, expected) in [
        ("Plain", vec![word("plain"), word("+plain")]),
        ("getusername", vec![word("getusername"), word("+getusername")]),
        ("\"quoted\"", vec![word("quoted"), word("+quoted")]),
        ("--flag", vec![word("flag"), word("+flag")]),
        ("-not yes", vec![word("yes"), word("+yes")]),
        ("a OR b", vec![word("a"), word("+a"), word("b"), word("+b")]),
    ] {
        assert_eq!(wanted(text), expected, "{text}");
    }
}

#[test]
fn a_name_is_wanted_however_it_is_written() {
    let (parts, inside) = (phrase(&["user", "name"]), phrase(&["+user", "+name"]));
    let joined = word("username");
    for text in ["user_name", "User-Name", "--user-name", "USER__NAME"] {
        assert_eq!(wanted(text), [parts.clone(), joined.clone(), inside.clone()], "{text}");
    }
    for text in ["userName", "UserName", "\"UserName\""] {
        let expected = [joined.clone(), parts.clone(), word("+username"), inside.clone()];
        assert_eq!(wanted(text), expected, "{text}");
    }
    for (text, expected) in [
        ("src/main.rs", vec![phrase(&["src", "main", "rs"])]),
        ("src/mainView.rs", vec![phrase(&["src", "mainview", "rs"]), phrase(&["src", "main", "view", "rs"])]),
        ("main-view.rs", vec![phrase(&["main", "view", "rs"]), phrase(&["mainview", "rs"])]),
        ("2026-01-02", vec![phrase(&["2026", "01", "02"])]),
        ("v4-5", vec![phrase(&["v4", "5"])]),
    ] {
        assert_eq!(wanted(text), expected, "{text}");
    }
}

#[test]
fn a_phrase_is_wanted_as_it_is() {
    for (text, expected) in [
        ("\"the GitHub page\"", phrase(&["the", "github", "page"])),
        ("\"user_name\"", phrase(&["user", "name"])),
        ("\"会议 GitHub\"", phrase(&["会议", "议", "github"])),
    ] {
        assert_eq!(wanted(text), [expected], "{text}");
    }
}

#[test]
fn beginnings_are_wanted() {
    let each = |words: &[(&[&str], &str)]| -> Vec<Wanted> {
        words.iter().map(|(before, last)| prefix(before, last)).collect()
    };
    for (text, expected) in [
        ("conf*", each(&[(&[], "conf"), (&[], "+conf")])),
        ("HTTPS*", each(&[(&[], "https"), (&[], "+https")])),
        ("get_us*", each(&[(&["get"], "us"), (&[], "getus"), (&["+get"], "+us")])),
        ("getUs*", each(&[(&[], "getus"), (&["get"], "us"), (&[], "+getus"), (&["+get"], "+us")])),
        ("src/ma*", each(&[(&["src"], "ma")])),
        ("main.*", vec![word("main"), word("+main")]),
    ] {
        assert_eq!(wanted(text), expected, "{text}");
    }
}

#[test]
fn dense_scripts_are_wanted_in_pairs() {
    for (text, expected) in [
        ("字", vec![prefix(&[], "字")]),
        ("字*", vec![prefix(&[], "字")]),
        ("会议", vec![word("会议")]),
        ("会议*", vec![word("会议")]),
        ("会议记录", vec![phrase(&["会议", "议记", "记录"])]),
        ("使用API", vec![phrase(&["使用", "用", "api"])]),
        ("API接", vec![prefix(&["api"], "接")]),
        ("API接口", vec![phrase(&["api", "接口"])]),
        ("A接B", vec![phrase(&["a", "接", "b"])]),
    ] {
        assert_eq!(wanted(text), expected, "{text}");
    }
}

#[test]
fn a_cut_name_is_wanted_by_its_parts_only() {
    for name in [
        "shouldReturnAnErrorWhenTheUserIsNotAuthenticated",
        "should_return_an_error_when_the_user_is_not_authenticated",
    ] {
        let all = wanted(name);
        let are_parts = matches!(all.as_slice(), [Wanted::Phrase(words), Wanted::Phrase(inside)]
            if words.len() == 10 && inside.len() == 10 && inside.iter().all(|part| part.starts_with('+')));
        assert!(are_parts, "{all:?}");
    }
    let long = "a".repeat(50);
    assert!(matches!(wanted(&long).as_slice(), [Wanted::Word(_), Wanted::Word(_)]));
}

#[test]
fn the_same_is_wanted_once() {
    assert_eq!(wanted("fox FOX \"fox\" OR fox -dog"), [word("fox"), word("+fox")]);
    let clauses = vec![Query::parse("a b").clauses; 300].concat();
    let twice = Query { clauses, filters: Vec::new() };
    assert_eq!(twice.wanted().len(), 4);
}

#[test]
fn what_is_too_much_is_ignored() {
    let many = |count: usize, between: &str, word: &str| {
        (0..count).map(|number| word.replace('N', &number.to_string())).collect::<Vec<_>>().join(between)
    };
    for (between, word) in [(" ", "wN"), (" ", "-wN"), (" OR ", "wN*"), (" ", "role:wN")] {
        assert_eq!(normal(&many(8000, between, word)), many(64, between, word));
    }
    assert_eq!(normal(&(many(64, " OR ", "w") + " x role:user OR y")), many(64, " OR ", "w") + " role:user");
    let words = |way: &Wanted| match way {
        Wanted::Word(_) => 1,
        Wanted::Phrase(words) => words.len(),
        Wanted::Prefix { before, .. } => before.len() + 1,
    };
    let quoted = format!("\"{}\"", many(20_000, " ", "wN"));
    for text in [quoted, many(20_000, "_", "getN"), many(20_000, "/", "aBN*"), many(20_000, "", "会议N")] {
        let ways = wanted(&text);
        assert!(!ways.is_empty() && ways.iter().all(|way| words(way) == 64), "{ways:?}");
    }
    let names: Vec<_> = (0..64).map(|_| "getName".to_owned()).collect();
    let open = names.join("/") + "*";
    assert!(matches!(&wanted(&open)[..], [Wanted::Prefix { .. }, Wanted::Phrase(_)]), "its end is cut off");
}

proptest! {
    #[test]
    fn anything_typed_keeps_its_meaning(text in prop_oneof![texts(), any::<String>()]) {
        let query = Query::parse(&text);
        prop_assert_eq!(Query::parse(&query.to_string()), query);
    }

    #[test]
    fn every_term_wants_something(text in texts()) {
        for clause in Query::parse(&text).clauses {
            prop_assert!(clause.any.iter().all(|term| !term.wanted().is_empty()));
            prop_assert!(!clause.any.is_empty());
        }
    }

    /// A phrase of words and parts could never be found.
    #[test]
    fn ways_are_few_different_and_of_one_kind(text in texts()) {
        for term in Query::parse(&text).clauses.into_iter().flat_map(|clause| clause.any) {
            let ways = term.wanted();
            prop_assert!(ways.len() <= 5);
            for (number, way) in ways.iter().enumerate() {
                prop_assert!(!ways.iter().skip(number + 1).any(|other| other == way));
                let words: Vec<&String> = match way {
                    Wanted::Word(word) => vec![word],
                    Wanted::Phrase(words) => words.iter().collect(),
                    Wanted::Prefix { before, last } => before.iter().chain([last]).collect(),
                };
                let parts = words.iter().filter(|word| word.starts_with(PART)).count();
                prop_assert!(parts == 0 || parts == words.len() && number > 0);
            }
        }
    }
}
