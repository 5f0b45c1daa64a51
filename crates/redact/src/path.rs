//! Paths, backwards and forwards, in every spelling of their separators: `/`, `\`, `\\`, `\/`, `%2F`, `%5C`.

/// Where the separator begins that ends here.
pub(crate) fn separator_before(text: &[u8], end: usize) -> Option<usize> {
    let before = text.get(..end)?;
    if let Some(at) = end.checked_sub(3)
        && before
            .get(at..)
            .is_some_and(|last| last.eq_ignore_ascii_case(b"%2f") || last.eq_ignore_ascii_case(b"%5c"))
    {
        return Some(at);
    }
    let slashes = usize::from(before.ends_with(b"/"));
    let backslashes = before.iter().rev().skip(slashes).take(8).take_while(|byte| **byte == b'\\').count();
    (slashes + backslashes > 0).then(|| end - slashes - backslashes)
}

/// Where the separator ends that begins here.
pub(crate) fn separator_after(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    if rest
        .get(..3)
        .is_some_and(|first| first.eq_ignore_ascii_case(b"%2f") || first.eq_ignore_ascii_case(b"%5c"))
    {
        return Some(at + 3);
    }
    let backslashes = rest.iter().take(8).take_while(|byte| **byte == b'\\').count();
    let slashes = usize::from(rest.get(backslashes) == Some(&b'/'));
    (slashes + backslashes > 0).then_some(at + slashes + backslashes)
}

/// Where the word begins that ends here.
pub(crate) fn word_before(text: &[u8], end: usize, word: &str) -> Option<usize> {
    let start = end.checked_sub(word.len())?;
    text.get(start..end)?.eq_ignore_ascii_case(word.as_bytes()).then_some(start)
}

/// The drive that ends here as Windows, WSL, Cygwin or Git Bash write it: `C:`, `/mnt/c`, `/cygdrive/c`, `/c`.
pub(crate) fn drive_before(text: &[u8], end: usize) -> Option<(usize, u8)> {
    let letter_at = if text.get(..end)?.ends_with(b":") { end.checked_sub(2)? } else { end.checked_sub(1)? };
    let letter = text.get(letter_at).filter(|byte| byte.is_ascii_alphabetic())?.to_ascii_lowercase();
    let encoded = text.get(..letter_at)?;
    if letter_at + 2 == end {
        return (!encoded.last().is_some_and(u8::is_ascii_alphanumeric)).then_some((letter_at, letter));
    }
    let slash = separator_before(text, letter_at)?;
    let mount = ["mnt", "cygdrive"].iter().find_map(|mount| word_before(text, slash, mount));
    let start = mount.and_then(|at| separator_before(text, at)).unwrap_or(slash);
    begins_path(text, start).then_some((start, letter))
}

/// Whether a path from the root can begin here, and not go on.
pub(crate) fn begins_path(text: &[u8], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-~])}%*$".contains(byte) || *byte >= 0x80;
    let is_escaped = matches!(before, [.., b'\\', b'n' | b't' | b'r']);
    before.ends_with(b"file://")
        || is_escaped
        || !before.last().is_some_and(|byte| goes_on(byte) || b"/\\".contains(byte))
}

/// Whether a name can end here, and not go on.
pub(crate) fn ends_name(text: &[u8], at: usize) -> bool {
    match text.get(at..).unwrap_or_default() {
        [] => true,
        [b'.', next, ..] => !next.is_ascii_alphanumeric(),
        [b'%', high, low, ..] => high.is_ascii_hexdigit() && low.is_ascii_hexdigit(),
        [first, ..] => !(first.is_ascii_alphanumeric() || matches!(first, b'_' | b'-') || *first >= 0x80),
    }
}
