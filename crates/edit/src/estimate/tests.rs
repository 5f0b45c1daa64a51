//! Estimates beside the tokens that a model would count.

use super::*;

#[test]
fn a_text_is_about_as_long_as_its_tokens() {
    let english = "The quick brown fox jumps over the lazy dog, and then it goes home to sleep.";
    assert!((17..=24).contains(&of_text(english)), "{}", of_text(english));
    let code =
        "        if let Some(node) = self.nodes.get_mut(index) {\n            node.count += 1;\n        }";
    assert!((20..=34).contains(&of_text(code)), "{}", of_text(code));
    let japanese = "今日は天気がいいから散歩しましょう";
    let count = japanese.chars().count() as u64;
    assert!((count..=count * 3 / 2).contains(&of_text(japanese)), "{}", of_text(japanese));
    assert_eq!((of_text(""), of_text("a")), (0, 1));
}

#[test]
fn a_document_is_as_long_as_it_is() {
    assert_eq!(of_media("text/plain", "one two three four"), of_text("one two three four"));
    assert_eq!(of_media("application/pdf", ""), PDF_PAGE);
    assert_eq!(of_media("application/pdf", &"A".repeat(1_400_000)), 30_000);
}

#[test]
fn an_image_is_as_many_tokens_as_it_has_pixels_for() {
    // 750 × 2 pixels.
    let small = "iVBORw0KGgoAAAANSUhEUgAAAu4AAAACCAYAAAA=";
    assert_eq!(of_media("image/png", small), 2);
    assert_eq!(of_media("image/png", "bm9uZQ=="), IMAGE);
    assert_eq!(of_media("image/png", ""), IMAGE);
}
