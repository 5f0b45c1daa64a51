//! What only looks like a secret, and stays as it is to the last byte.

use steno_testkit::secrets::{LookAlike, look_alikes};

use crate::masking::masked;

/// Not among the others because documents show no colours.
#[test]
fn colours_make_no_secret() {
    for text in
        ["\x1b[32mpassword\x1b[0m: string, \x1b[1mtoken\x1b[0m: Token", "100%\r  0%\rthe token is invalid"]
    {
        assert_eq!(masked(text, None), text);
    }
}

#[test]
fn all_of_the_look_alikes_survive_whole() {
    let all = look_alikes();
    let mut changed = Vec::new();
    for LookAlike { key, text } in &all {
        for text in [text.clone(), format!("See this:\n{text}\nand go on"), text.replace('"', "\\\"")] {
            let key = key.filter(|_| !text.starts_with("See"));
            let shown = masked(&text, key);
            if shown != text {
                changed.push(format!("{key:?}: {shown}"));
            }
        }
    }
    println!("{} look-alikes in {} places, {} changed", all.len(), all.len() * 3, changed.len());
    assert!(changed.is_empty(), "{}", changed.join("\n"));
    assert!(all.len() >= 60);
}
