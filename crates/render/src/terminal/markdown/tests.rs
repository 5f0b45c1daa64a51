//! Markdown on a terminal, piece by piece and by properties.

use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;

/// Styles as signs: `‹cyan›`.
fn shown(text: &str) -> String {
    let styled = Styled::of(text, true);
    let (mut from, mut shown) = (0, String::new());
    for (end, style) in &styled.ends {
        let part = &styled.text[from..*end];
        let effects: Vec<String> = style.get_effects().iter().map(|one| format!("{one:?}")).collect();
        let name = effects.join(" ").replace("Effects(", "").replace(')', "").to_lowercase();
        let name = if style.get_fg_color().is_some() { format!("{name}cyan") } else { name };
        shown += &if name.is_empty() { part.to_owned() } else { format!("‹{name}:{part}›") };
        from = *end;
    }
    shown
}

#[test]
fn signs_become_styles() {
    let text = "# One\n\nA **bold** and *soft* `code` in ~~vain~~, see [the page](https://a.b) or <https://c.d>.\n\n\
                - first\n  - [x] nested `x`\n2. second\n\n> said\n> > deeper\n\n### Three\n***\n\
                ```rust\nfn main() {\n    **x** }\n```\nafter";
    assert_snapshot!(shown(text), @"
    ‹bold underline:One›

    A ‹bold:bold› and ‹italic:soft› ‹cyan:code› in ‹strikethrough:vain›, see the page‹dimmed: (https://a.b)› or <https://c.d>.

    • first
      • ☑ nested ‹cyan:x›
    2. second

    │ said
    │ │ deeper

    ‹bold:Three›
    ‹dimmed:***
    ›‹cyan:  fn main() {
          **x** }›
    after
    ");
    let plain = Styled::of(text, false);
    assert_eq!((plain.text.as_str(), plain.paint(0, text)), (text, text.to_owned()));
}

#[test]
fn odd_blocks_lose_nothing() {
    for text in [
        "```",
        "```\n",
        "```\n```",
        "```\n\n```",
        "- ```sh\n  ls\n  ```\n",
        "> ```\n> a\n> ```",
        "    a\n\n    b",
    ] {
        let kept = Styled::of(text, true).text;
        for letter in
            text.chars().filter(|letter| letter.is_alphabetic()).filter(|letter| !"sh".contains(*letter))
        {
            assert!(kept.contains(letter), "{text:?}: {kept:?}");
        }
    }
    assert_eq!(Styled::of("- ```sh\n  ls\n  ```\nend", true).text, "•     ls\nend");
}

proptest! {
    /// Any text is taken, and every part of it can be painted.
    #[test]
    fn any_text_is_painted(text in "[-*_#`~>\\[\\]()!x .\n\té]{0,60}") {
        let styled = Styled::of(&text, true);
        let painted = styled.paint(0, &styled.text);
        let mut plain = String::new();
        let mut is_escape = false;
        for letter in painted.chars() {
            match letter {
                '\u{1b}' => is_escape = true,
                'm' if is_escape => is_escape = false,
                letter if !is_escape => plain.push(letter),
                _ => {}
            }
        }
        prop_assert_eq!(plain, styled.text);
    }
}
