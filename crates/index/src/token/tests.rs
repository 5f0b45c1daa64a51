//! Tables of what words a text has.
#![allow(clippy::indexing_slicing, reason = "a test that fails should say where")]

use proptest::prelude::*;
use tantivy::tokenizer::{TokenStream, Tokenizer};

use super::{LONGEST_WORD, PART, Words, tokens};

/// Every word with its position, as `0:word`, and every part of one, as `1+part`.
fn words(text: &str) -> String {
    let mut words = Vec::new();
    tokens(text, |token| {
        let part = token.word.strip_prefix(PART).map(|part| format!("{}+{part}", token.position));
        words.push(part.unwrap_or_else(|| format!("{}:{}", token.position, token.word)));
    });
    words.join(" ")
}

/// Every word as it stands in the text.
fn standing(text: &str) -> Vec<&str> {
    let mut places = Vec::new();
    tokens(text, |token| places.push(token.place));
    places.into_iter().map(|place| &text[place]).collect()
}

#[test]
fn prose_is_small_words_without_signs() {
    assert_eq!(words("Fix the Bug, then -- don't stop!"), "0:fix 1:the 2:bug 3:then 4:don 5:t 6:stop");
    assert_eq!(words(""), "");
    assert_eq!(words(" \n\t…—«»!?"), "");
}

#[test]
fn names_are_found_by_their_parts_and_as_a_whole() {
    for (text, expected) in [
        ("getUserName", "0:getusername 1+get 2+user 3+name"),
        ("HTTPServer", "0:httpserver 1+http 2+server"),
        ("parseHTTPRequest now", "0:parsehttprequest 1+parse 2+http 3+request 1:now"),
        ("base64Decode", "0:base64decode 1+base64 2+decode"),
        ("HTTP2Server", "0:http2server 1+http2 2+server"),
        ("utf8BOM", "0:utf8bom 1+utf8 2+bom"),
        ("GitHub", "0:github 1+git 2+hub"),
        ("OAuth", "0:oauth 1+o 2+auth"),
        ("snake_case_name", "0:snake 1:case 2:name"),
        ("MAX_SIZE", "0:max 1:size"),
        ("kebab-case", "0:kebab 1:case"),
        ("aB cD e", "0:ab 1+a 2+b 1:cd 4+c 5+d 2:e"),
        ("Plain", "0:plain"),
        ("a.b::C", "0:a 1:b 2:c"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn acronyms_and_digits_stay_whole() {
    for (text, expected) in [
        ("URLs", "0:urls"),
        ("userIDs", "0:userids 1+user 2+ids"),
        ("URLsFound", "0:urlsfound 1+urls 2+found"),
        ("SHA256", "0:sha256"),
        ("sha256sum", "0:sha256sum"),
        ("SHA256sum MD5sums", "0:sha256sum 1:md5sums"),
        ("3DModel", "0:3dmodel 1+3d 2+model"),
        ("4F3A9C2B", "0:4f3a9c2b"),
        ("64Bit 2fa", "0:64bit 1:2fa"),
        ("v1.2.30", "0:v1 1:2 2:30"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn paths_are_words() {
    assert_eq!(
        words("/home/ann/src/mainWindow.rs:12"),
        "0:home 1:ann 2:src 3:mainwindow 1+main 2+window 4:rs 5:12"
    );
    assert_eq!(words(r"C:\Temp\a_b.txt"), "0:c 1:temp 2:a 3:b 4:txt");
}

#[test]
fn marks_are_folded_and_forms_are_plain() {
    for (text, expected) in [
        ("Café", "0:cafe"),
        ("Cafe\u{301}s", "0:cafes"),
        ("ÜBERGRÖSSE Straße", "0:ubergrosse 1:strasse"),
        ("ﬁle", "0:file"),
        ("Ａｂｃ１２", "0:abc12"),
        ("ΟΔΟΣ οδος οδός", "0:οδοσ 1:οδοσ 2:οδοσ"),
        ("Москва Ёлка", "0:москва 1:елка"),
        ("İstanbul ışık", "0:istanbul 1:isik"),
        ("so\u{ad}ft me\u{200c}n", "0:soft 1:men"),
        ("𝐇𝐞𝐥𝐥𝐨", "0:hello"),
        ("मिल मल", "0:मिल 1:मल"),
        ("größeÄndern", "0:großeandern 1+große 2+andern"),
    ] {
        let expected = expected.replace('ß', "ss");
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn dense_scripts_give_pairs() {
    for (text, expected) in [
        ("会议记录", "0:会议 1:议记 2:记录 3:录"),
        ("字", "0:字"),
        ("使用API接口", "0:使用 1:用 2:api 3:接口 4:口"),
        ("コード・レビュー", "0:コー 1:ード 2:ド 3:レビ 4:ビュ 5:ュー 6:ー"),
        ("ｶﾞｷﾞ", "0:ガギ 1:ギ"),
        ("한국어 test", "0:한국 1:국어 2:어 3:test"),
        ("\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}", "0:한국 1:국"),
        ("ประชุม", "0:ปร 1:ระ 2:ะชุ 3:ชุม 4:ม"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn pictures_separate() {
    assert_eq!(words("done✅next👩‍💻end ❤️x"), "0:done 1:next 2:end 3:x");
    assert_eq!(words("1️⃣"), "0:1");
    assert_eq!(words("\u{301}a"), "0:a");
}

#[test]
fn colours_of_a_terminal_are_no_words() {
    assert_eq!(words("\u{1b}[31merror\u{1b}[0m: bad"), "0:error 1:bad");
    assert_eq!(words("\u{1b}]8;;https://a.b\u{1b}\\link\u{1b}]8;;\u{7}"), "0:link");
    assert_eq!(words("\u{1b}(Btext \u{1b}word \u{1b}]open"), "0:text 1:word 2:open");
}

#[test]
fn long_words_are_cut() {
    let cut = "a".repeat(LONGEST_WORD);
    assert_eq!(words(&format!("{cut}bc d")), format!("0:{cut} 1:d"));
    assert_eq!(words(&"é".repeat(50)), format!("0:{}", "e".repeat(LONGEST_WORD)));
    assert_eq!(standing(&format!("{cut}bc")), [format!("{cut}bc")]);
}

#[test]
fn long_names_keep_their_parts_and_data_do_not() {
    let name = "shouldReturnAnErrorWhenTheUserIsNotAuthenticated";
    let found = words(name);
    assert!(found.starts_with("0:shouldreturnanerrorwhentheuserisnotauthe 1+should 2+return"), "{found}");
    assert!(found.ends_with("+authenticated"), "{found}");
    assert!(words(&"aB".repeat(100_000)).len() < 2000);
}

#[test]
fn places_are_those_of_the_text() {
    assert_eq!(standing("a getUser Café"), ["a", "getUser", "get", "User", "Café"]);
    assert_eq!(standing("用ｶﾞ字"), ["用ｶﾞ", "ｶﾞ字", "字"]);
}

#[test]
fn the_engine_gets_the_same() {
    let text = "使用 getUserName in Café";
    let mut expected = Vec::new();
    tokens(text, |token| expected.push((token.word.to_owned(), token.position, token.place)));
    let mut words = Words;
    let mut stream = words.token_stream(text);
    let mut given = Vec::new();
    stream.process(&mut |token| {
        given.push((token.text.clone(), token.position, token.offset_from..token.offset_to));
    });
    assert_eq!(given, expected);
}

#[test]
fn every_letter_is_its_own_word() {
    for character in ('\0'..=char::MAX).filter(|character| character.is_alphanumeric()) {
        tokens(character.encode_utf8(&mut [0; 4]), |token| {
            let word = token.word.to_owned();
            tokens(&word, |again| {
                assert!(word.starts_with(again.word) || again.position > 0, "{character}: {word}")
            });
        });
    }
}

/// Bits of which words and their borders are made.
pub(crate) fn texts() -> impl Strategy<Value = String> {
    let bit = prop_oneof![
        4 => "[a-zA-Z0-9]{1,4}",
        2 => "[ _/.:\"*-]{1,2}",
        1 => "[字用会ガｶﾞ한ก็\u{301}\u{3099}éßŁ\u{200d}\u{1b}\\[ｍ]{1,3}",
        1 => any::<char>().prop_map(String::from),
        1 => Just("OR ".to_owned()),
        1 => Just("role:".to_owned()),
    ];
    prop::collection::vec(bit, 0..40).prop_map(|bits| bits.concat())
}

#[test]
fn parts_of_two_words_never_follow_each_other() {
    let mut parts = Vec::new();
    tokens("getUser NameOf", |token| parts.extend(token.is_part().then_some(token.position)));
    assert!(matches!(parts.as_slice(), [_, user, name, _] if name - user > 1), "{parts:?}");
}

proptest! {
    #[test]
    fn words_lie_in_the_text_and_have_following_numbers(text in texts()) {
        let (mut next, mut next_part) = (0, 0);
        tokens(&text, |token| {
            assert!(text.get(token.place.clone()).is_some_and(|place| !place.is_empty()));
            let (word, next) = match token.word.strip_prefix(PART) {
                Some(part) => (part, &mut next_part),
                None => (token.word, &mut next),
            };
            assert!(!word.is_empty() && word.chars().count() <= LONGEST_WORD && !word.contains(PART));
            assert!(token.position == *next || token.is_part() && token.position == *next + 1);
            *next = token.position + 1;
        });
    }

    /// Parts come right behind their word, and lie in it.
    #[test]
    fn parts_lie_in_their_word(text in texts()) {
        let mut word = 0..0;
        tokens(&text, |token| {
            if token.is_part() {
                assert!(word.start <= token.place.start && token.place.end <= word.end);
            } else {
                word = token.place;
            }
        });
    }

    /// What the index holds can be typed.
    #[test]
    fn a_word_is_its_own_word(text in texts()) {
        let mut found = Vec::new();
        tokens(&text, |token| found.push(token.word.trim_start_matches(PART).to_owned()));
        for word in found {
            let mut again = Vec::new();
            tokens(&word, |token| again.push(token.word.to_owned()));
            prop_assert_eq!(again.first(), Some(&word));
        }
    }
}
