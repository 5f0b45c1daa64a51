//! Stretches of text, some of them marked → lines of so many columns.

use unicode_width::UnicodeWidthChar;

/// Some text that looks the same all over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) text: String,
    pub(super) is_found: bool,
}

/// A character, and whether it is marked.
type Sign = (char, bool);

/// Lines break after a space or a wide character, else where they are full.
pub(super) fn lines(stretches: &[Stretch], room: usize) -> Vec<Vec<Stretch>> {
    let signs =
        stretches.iter().flat_map(|stretch| stretch.text.chars().map(|sign| (sign, stretch.is_found)));
    let mut lines: Vec<Vec<Sign>> = vec![Vec::new()];
    let (mut width, mut break_at) = (0, 0);
    for (character, is_found) in signs {
        let columns = character.width().unwrap_or(0);
        if width + columns > room && character != ' ' {
            let rest = lines
                .last_mut()
                .map(|line| line.split_off(fitting(break_at, line.len())))
                .unwrap_or_default();
            width = rest.iter().map(|(character, _)| character.width().unwrap_or(0)).sum();
            break_at = 0;
            lines.push(rest);
        }
        let Some(line) = lines.last_mut() else { continue };
        if line.is_empty() && character == ' ' {
            continue;
        }
        line.push((character, is_found));
        width += columns;
        if character == ' ' || columns > 1 {
            break_at = line.len();
        }
    }
    lines.iter().map(|line| joined(line)).collect()
}

fn fitting(break_at: usize, length: usize) -> usize {
    if break_at == 0 { length } else { break_at }
}

fn joined(line: &[Sign]) -> Vec<Stretch> {
    let end = line.iter().rposition(|(character, _)| *character != ' ').map_or(0, |last| last + 1);
    let mut stretches: Vec<Stretch> = Vec::new();
    for (character, is_found) in line.iter().take(end) {
        match stretches.last_mut().filter(|last| last.is_found == *is_found) {
            Some(last) => last.text.push(*character),
            None => stretches.push(Stretch { text: character.to_string(), is_found: *is_found }),
        }
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(text: &str, room: usize) -> Vec<String> {
        let mut stretches = Vec::new();
        for (place, text) in text.split('|').enumerate() {
            stretches.push(Stretch { text: text.to_owned(), is_found: place % 2 == 1 });
        }
        let mark = |stretch: &Stretch| match stretch.is_found {
            true => format!("[{}]", stretch.text),
            false => stretch.text.clone(),
        };
        lines(&stretches, room).iter().map(|line| line.iter().map(mark).collect()).collect()
    }

    #[test]
    fn lines_break_between_words_and_marks_go_on() {
        assert_eq!(wrapped("one |two| three", 7), ["one [two]", "three"]);
        assert_eq!(wrapped("a |b c d e| f", 4), ["a [b]", "[c d]", "[e] f"]);
        assert_eq!(wrapped("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrapped("日本|語の|例", 6), ["日本[語]", "[の]例"]);
        assert_eq!(wrapped("e\u{301}e\u{301}e\u{301}", 2), ["e\u{301}e\u{301}", "e\u{301}"]);
        assert_eq!(wrapped("", 4), [""]);
    }
}
