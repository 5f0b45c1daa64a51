//! Encrypted bytes → a page that asks for the passphrase and becomes the page that they hold.
//!
//! It says nothing of what it holds, needs no network, and lets the browser do the cryptography. What comes out takes
//! its place in the same document, so both policies hold then: this one names the style and the script of either page.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{SCRIPT_HASH, STYLE_HASH, policy};

pub const LOCKED_STYLE: &str = include_str!("locked.css");
pub const LOCKED_SCRIPT: &str = include_str!("locked.js");
const LOCKED_STYLE_HASH: &str = "sha256-63VNQGBKIrtWwnXsnYBoQtSdnPovtqXCvUDcGVGCk64=";
const LOCKED_SCRIPT_HASH: &str = "sha256-BwqFsjEgcZgld5p04ymvuEoQg73o81IpMgssHIAGPao=";

/// What the page holds.
#[derive(Debug, Clone, Copy)]
pub struct EncryptedPage<'a> {
    /// How to open it, as JSON. The encryption authenticates this text, too.
    pub terms: &'a str,
    /// In base64.
    pub content: &'a str,
}

/// A whole page. The script comes before the content: it can tell then that a file breaks off.
pub fn locked(sealed: EncryptedPage) -> String {
    let policy = policy(&[LOCKED_STYLE_HASH, STYLE_HASH], &[LOCKED_SCRIPT_HASH, SCRIPT_HASH]);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                meta name="robots" content="noindex";
                meta name="generator" content="steno";
                title { "Encrypted page" }
                style { (PreEscaped(LOCKED_STYLE)) }
            }
            body {
                main {
                    (padlock())
                    h1 { "This page is encrypted" }
                    p.about {
                        "It opens with the passphrase that you were given. That happens in this browser: nothing is sent \
                         anywhere, and no network is needed."
                    }
                    noscript { p.said.bad { "To open it, this browser has to run the page’s own script. Allow JavaScript for this file." } }
                    (form())
                    footer { p { "Made with steno" } }
                }
                script { (PreEscaped(LOCKED_SCRIPT)) }
                template id="sealed" data-terms=(sealed.terms) { (sealed.content) }
            }
        }
    }
    .into_string()
}

/// The script shows it: without one it would do nothing.
fn form() -> Markup {
    html! {
        form id="unlock" hidden {
            label for="passphrase" { "Passphrase" }
            div.field {
                input id="passphrase" type="password" required autocomplete="off" autocapitalize="none"
                    autocorrect="off" spellcheck="false" aria-describedby="said";
                button.show type="button" id="show" aria-pressed="false" aria-controls="passphrase" { "Show" }
            }
            button.open type="submit" id="open" { "Open the page" }
            p.said id="said" role="status" aria-live="polite" {}
        }
    }
}

fn padlock() -> Markup {
    html! {
        svg.padlock viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="1.75"
            stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" {
            rect x="5" y="10.5" width="14" height="10" rx="2.5" {}
            path d="M8 10.5V7.5a4 4 0 0 1 8 0v3" {}
            path d="M12 14.5v2" {}
        }
    }
}
