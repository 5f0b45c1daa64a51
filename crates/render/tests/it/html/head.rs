//! The beginning of a page, and the way through it.

use steno_render::Detail;
use steno_testkit::Session;

use crate::html::reading::page;

#[test]
fn a_long_title_is_cut_in_the_heading() {
    let title = "word ".repeat(30);
    let page = page(&Session::numbered(1).custom_title(title.trim()).user("go"), &Detail::default());
    let heading = page.all("h1").next().unwrap();
    assert_eq!(heading.get("title"), Some(title.trim()));
    assert!(page.has(&format!("{}word…", "word ".repeat(19))), "{}", page.text);
}

#[test]
fn commands_are_no_turns() {
    let session = Session::numbered(1).user("one").slash_command("model", "opus").bash_command("ls", "a", "");
    let page = page(&session.user("two"), &Detail::default());
    let class = |tag: &crate::html::look::Tag| tag.get("class").unwrap_or_default().to_owned();
    let nav = page.tags.iter().take_while(|tag| tag.name != "main").filter(|tag| tag.name == "li");
    assert_eq!(nav.map(class).collect::<Vec<_>>(), ["", "aside", "aside", ""]);
    assert!(page.has("/model opus") && page.has("2 turns"), "{}", page.text);
}

#[test]
fn the_zone_of_times_is_said_once() {
    let page = page(&Session::numbered(1).user("one"), &Detail::default());
    assert_eq!(page.text.matches("UTC").count(), 1);
}
