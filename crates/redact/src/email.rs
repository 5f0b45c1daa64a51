//! `name@host.domain` → the whole address, but for logins of repositories and addresses that take no mail.
//!
//! Addresses are masked only on request.

use crate::find::{Find, Rank};
use crate::name::is_one_of;
use crate::pattern::Pattern;

/// What looks like a domain, but ends a file's name: `icon@2x.png`.
const FILES: &str = "png jpg jpeg gif webp svg js ts mjs css json html md rs py go sh txt yml yaml toml lock";

pub(crate) fn read(text: &[u8], finds: &mut Vec<Find>) {
    static ADDRESS: Pattern =
        Pattern::new(r"(?:\\[nrt])?([\w.%+-]{1,64})@((?:[A-Za-z0-9-]{1,63}\.){1,8}([A-Za-z]{2,24}))");
    for groups in ADDRESS.captures_iter(text) {
        let (Some(local), Some(host), Some(top)) = (groups.get(1), groups.get(2), groups.get(3)) else {
            continue;
        };
        let lower = |bytes: &[u8]| String::from_utf8_lossy(bytes).to_ascii_lowercase();
        let own = lower(local.as_bytes()).replace(['-', '_', '.'], "");
        let takes_no_mail = own.contains("noreply")
            || own.contains("donotreply")
            || lower(host.as_bytes()).contains("noreply");
        let is_person = own.contains(char::is_alphanumeric) && own != "git" && !takes_no_mail;
        if is_person && !is_one_of(&lower(top.as_bytes()), FILES) {
            finds.push(Find { range: local.start()..host.end(), kind: "email", rank: Rank::Address });
        }
    }
}
