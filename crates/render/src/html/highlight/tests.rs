//! Code of several languages → the classes of its parts; no character is lost.

use proptest::prelude::*;

use super::*;

fn classes(name: &str, code: &str) -> String {
    let mut shown = String::new();
    let language = Language::named(name).unwrap();
    tokens(code, language, &mut |(class, text)| match class {
        Some(class) => shown.push_str(&format!("{class:?}({text})")),
        None => shown.push_str(text),
    });
    shown
}

#[test]
fn a_page_has_only_so_much_colour() {
    let highlighter = Highlighter::new();
    let text = "1 ".repeat(LONGEST / 2);
    let is_coloured = || highlighter.code(&text, Language::named("c")).render().0.contains("<span");
    assert_eq!((0..40).filter(|_| is_coloured()).count(), LONGEST_OF_A_PAGE / LONGEST);
}

#[test]
fn what_the_eye_looks_for_has_a_class() {
    assert_eq!(
        classes("rust", "fn f<'a>(x: &'a str) -> Option<char> { r#\"a\"b\"#; '\\'' } // 1"),
        "Keyword(fn) f<'a>(x: &'a str) -> Name(Option)<char> { Text(r#\"a\"b\"#); Text('\\'') } Comment(// 1)"
    );
    assert_eq!(
        classes("python", "@cache\ndef f():\n  \"\"\"a\nb\"\"\" # c\n  return 0x1f"),
        "Name(@cache)\nKeyword(def) f():\n  Text(\"\"\"a\nb\"\"\") Comment(# c)\n  Keyword(return) Number(0x1f)"
    );
    assert_eq!(
        classes("json", "{\"a\" : \"b\", \"n\": -1.5, \"t\": true}"),
        "{Key(\"a\") : Text(\"b\"), Key(\"n\"): -Number(1.5), Key(\"t\"): Keyword(true)}"
    );
    assert_eq!(
        classes("bash", "if [ \"$#\" = 0 ]; then echo $HOME 'it''s' # done\nfi"),
        "Keyword(if) [ Text(\"$#\") = Number(0) ]; Keyword(then) Keyword(echo) Name($HOME) Text('it')Text('s') Comment(# done)\nKeyword(fi)"
    );
    assert_eq!(classes("sql", "select 'it''s' FROM t -- x"), {
        "Keyword(select) Text('it')Text('s') Keyword(FROM) t Comment(-- x)"
    });
}

#[test]
fn settings_pages_and_patches_have_their_own_forms() {
    assert_eq!(classes("toml", "[a.b]\nc-d = 1 # x"), "Name([a.b])\nKey(c-d) = Number(1) Comment(# x)");
    assert_eq!(classes("yaml", "a-b: x#t # yes\n- c: \"d\""), {
        "Key(a-b): x#t Comment(# yes)\n- Key(c): Text(\"d\")"
    });
    assert_eq!(
        classes("html", "<!-- c --><a href=\"x\">1 < 2</a>"),
        "Comment(<!-- c -->)Keyword(<a) Key(href)=Text(\"x\")Keyword(>)1 < 2Keyword(</a)Keyword(>)"
    );
    assert_eq!(classes("diff", "@@ 1\n-a\n+b\n c"), "Comment(@@ 1\n)Removed(-a\n)Added(+b\n) c");
    assert_eq!(
        classes("css", "@media x { a { color: #fff; margin: 1px } }"),
        "Keyword(@media) x { a { Key(color): Number(#fff); Key(margin): Number(1px) } }"
    );
}

#[test]
fn what_is_never_closed_ends_with_the_line_or_the_text() {
    assert_eq!(classes("js", "'a\nb"), "Text('a)\nb");
    assert_eq!(classes("js", "`a\nb"), "Text(`a\nb)");
    assert_eq!(classes("c", "/* a\nb"), "Comment(/* a\nb)");
    assert_eq!(classes("rust", "r##\"a\"#"), "Text(r##\"a\"#)");
}

proptest! {
    #[test]
    fn no_character_is_lost(code in "[a-z\"'`/*#<>!\\\\@$ \n\t0-9é→\\-\\[\\]{}()=:.r]{0,200}") {
        for language in Language::all() {
            let mut whole = String::new();
            tokens(&code, language, &mut |(_, text)| whole.push_str(text));
            prop_assert_eq!(&whole, &code);
        }
    }
}
