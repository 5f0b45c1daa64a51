//! JSON on one line → the same with a line for each value. Nothing but white space changes: numbers keep their digits,
//! objects their order.

use serde::de::IgnoredAny;

/// Longer ones are data for machines.
const LONGEST: usize = 16 * 1024;
/// The blanks before a line grow with it.
const DEEPEST: usize = 16;

/// Nothing where the text is something else, or written in lines already.
pub(super) fn indented(text: &str) -> Option<String> {
    let text = text.trim();
    let may_be = text.starts_with(['{', '[']) && text.len() <= LONGEST && !text.contains('\n');
    (may_be && serde_json::from_str::<IgnoredAny>(text).is_ok()).then(|| lines(text))?
}

fn lines(text: &str) -> Option<String> {
    let mut shown = String::with_capacity(text.len() * 2);
    let (mut depth, mut is_string, mut is_escaped) = (0_usize, false, false);
    let mut signs = text.chars().filter(|sign| !matches!(sign, '\r')).peekable();
    while let Some(sign) = signs.next() {
        if is_string {
            shown.push(sign);
            is_string = is_escaped || sign != '"';
            is_escaped = sign == '\\' && !is_escaped;
            continue;
        }
        match sign {
            ' ' | '\t' => {}
            '{' | '[' => {
                while signs.next_if(|next| matches!(next, ' ' | '\t')).is_some() {}
                shown.push(sign);
                if let Some(end) = signs.next_if(|next| matches!(next, '}' | ']')) {
                    shown.push(end);
                    continue;
                }
                depth = Some(depth + 1).filter(|depth| *depth <= DEEPEST)?;
                line(&mut shown, depth);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut shown, depth);
                shown.push(sign);
            }
            ',' => {
                shown.push(sign);
                line(&mut shown, depth);
            }
            ':' => shown.push_str(": "),
            _ => {
                is_string = sign == '"';
                shown.push(sign);
            }
        }
    }
    Some(shown)
}

fn line(shown: &mut String, depth: usize) {
    shown.push('\n');
    shown.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_get_lines_and_stay_what_they_are() {
        let text = r#"{"a":[1,2.50,{}],"b, \"c\":[":"d: {\\","e" : [ ] ,"f":12345678901234567890123}"#;
        let shown = indented(text).unwrap();
        assert_eq!(
            shown,
            "{\n  \"a\": [\n    1,\n    2.50,\n    {}\n  ],\n  \"b, \\\"c\\\":[\": \"d: {\\\\\",\n  \"e\": [],\n  \"f\": 12345678901234567890123\n}"
        );
    }

    #[test]
    fn what_is_something_else_stays() {
        for text in ["[info] started", "{a}", "[1,\n2]", "12", "", &"[".repeat(40)] {
            assert_eq!(indented(text), None, "{text}");
        }
        assert_eq!(indented(&format!("{}{}", "[0,".repeat(30), "]".repeat(30))), None);
        let deep = format!("{}0{}", "[".repeat(17), "]".repeat(17));
        assert_eq!(indented(&deep), None);
    }
}
