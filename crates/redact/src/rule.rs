//! The kinds of secrets there are: a table, one row per form, and nothing else to change for a new one.
//!
//! A pattern is tried only where one of its literals stands, and begins with it. Its first group, or else all of
//! it, is the secret.

use crate::hit::{Hit, is_word, starts_word};
use crate::pem;
use crate::random::is_placeholder;

#[derive(Debug)]
pub(crate) struct Rule {
    /// The name in reports, in kebab-case; rows side by side may share one.
    pub(crate) kind: &'static str,
    pub(crate) literals: &'static [&'static str],
    /// Bytes, not Unicode.
    pub(crate) pattern: &'static str,
    /// Whether it stands where such a thing stands, and is built like one.
    pub(crate) fits: fn(&Hit) -> bool,
    /// Whether a person wrote it as an example.
    pub(crate) is_made_up: fn(&Hit) -> bool,
}

pub(crate) const TOKEN: Rule = Rule {
    kind: "",
    literals: &[],
    pattern: "",
    fits: |hit| hit.is_a_word(),
    is_made_up: is_placeholder_there,
};

pub(crate) const RULES: &[Rule] = &[
    Rule {
        kind: "anthropic-key",
        literals: &["sk-ant-"],
        pattern: r"sk-ant-[a-z]{2,10}[0-9]{2}-[A-Za-z0-9_-]{32,}",
        ..TOKEN
    },
    Rule {
        kind: "openai-key",
        literals: &["sk-"],
        pattern: r"sk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{32,}|[A-Za-z0-9]{48})",
        ..TOKEN
    },
    Rule {
        kind: "github-token",
        literals: &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        pattern: r"gh[pousr]_[A-Za-z0-9]{36,251}",
        ..TOKEN
    },
    Rule {
        kind: "github-token",
        literals: &["github_pat_"],
        pattern: r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}",
        ..TOKEN
    },
    Rule {
        kind: "gitlab-token",
        literals: &["glpat-"],
        pattern: r"glpat-[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9_-]{2,}){0,2}",
        ..TOKEN
    },
    Rule { kind: "aws-access-key-id", literals: &["AKIA", "ASIA"], pattern: r"A[KS]IA[A-Z0-9]{16}", ..TOKEN },
    Rule {
        kind: "aws-secret-key",
        literals: &["ecret_access_key", "ECRET_ACCESS_KEY", "ecretAccessKey", "ecret-access-key"],
        pattern: r#"(?i:ecret[_-]?access[_-]?key)(?:\\+["'nt]|[\s"'`:=>,]){1,12}((?:[A-Za-z0-9+]|\\*/){40})"#,
        fits: is_aws_secret,
        ..TOKEN
    },
    Rule { kind: "google-api-key", literals: &["AIza"], pattern: r"AIza[A-Za-z0-9_-]{35}", ..TOKEN },
    Rule { kind: "google-oauth-token", literals: &["ya29."], pattern: r"ya29\.[A-Za-z0-9_-]{30,}", ..TOKEN },
    Rule {
        kind: "google-oauth-token",
        literals: &["GOCSPX-"],
        pattern: r"GOCSPX-[A-Za-z0-9_-]{28}",
        ..TOKEN
    },
    Rule {
        kind: "slack-token",
        literals: &["xoxa-", "xoxb-", "xoxe-", "xoxp-", "xoxr-", "xoxs-", "xapp-"],
        pattern: r"(?:xox[abeprs]|xapp)-[0-9A-Za-z]+-[0-9A-Za-z-]{20,}",
        ..TOKEN
    },
    Rule {
        kind: "slack-webhook",
        literals: &["hooks.slack.com"],
        pattern: r"hooks\.slack\.com\\*/services\\*/(T[A-Z0-9]{6,}\\*/B[A-Z0-9]{6,}\\*/[A-Za-z0-9]{20,})",
        ..TOKEN
    },
    Rule {
        kind: "stripe-key",
        literals: &["sk_live_", "rk_live_"],
        pattern: r"[sr]k_live_[A-Za-z0-9]{20,}",
        ..TOKEN
    },
    Rule { kind: "npm-token", literals: &["npm_"], pattern: r"npm_[A-Za-z0-9]{36}", ..TOKEN },
    Rule { kind: "pypi-token", literals: &["pypi-AgE"], pattern: r"pypi-AgE[A-Za-z0-9_-]{50,}", ..TOKEN },
    Rule { kind: "huggingface-token", literals: &["hf_"], pattern: r"hf_[A-Za-z0-9]{34,40}", ..TOKEN },
    Rule {
        kind: "sendgrid-key",
        literals: &["SG."],
        pattern: r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}",
        ..TOKEN
    },
    Rule {
        kind: "twilio-key",
        literals: &[
            "SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7", "SK8", "SK9", "SKa", "SKb", "SKc", "SKd",
            "SKe", "SKf",
        ],
        pattern: r"SK[0-9a-f]{32}",
        ..TOKEN
    },
    Rule {
        kind: "telegram-token",
        literals: &[":AA"],
        pattern: r":(AA[A-Za-z0-9_-]{33})",
        fits: is_telegram_token,
        ..TOKEN
    },
    Rule {
        kind: "discord-webhook",
        literals: &["iscord.com", "iscordapp.com"],
        pattern: r"iscord(?:app)?\.com\\*/api\\*/webhooks\\*/[0-9]{17,20}\\*/([A-Za-z0-9_-]{60,})",
        fits: |_| true,
        ..TOKEN
    },
    // A bot's token begins with its number in base64, which leaves few letters for each place.
    Rule {
        kind: "discord-token",
        literals: &["iscord", "ISCORD"],
        pattern: r"(?:iscord|ISCORD)[^\r\n]{0,60}?((?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){5,6}[A-Za-z0-9]{2,6}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})",
        fits: |_| true,
        ..TOKEN
    },
    Rule {
        kind: "json-web-token",
        literals: &["eyJ"],
        pattern: r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{32,}",
        fits: |hit| starts_word(hit.before),
        is_made_up: is_known_web_token,
    },
    Rule {
        kind: "private-key",
        literals: &["BEGIN "],
        pattern: concat!(
            r"BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:",
            r#"(?:[A-Za-z0-9+/=\s\\"':,.>|()#-]|\xE2\x86\x92)*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?"#,
            r#"|(?:(?:[\s>|"+]|\\+[nrt"])*[A-Za-z0-9+/]{40,}={0,2})+)"#,
        ),
        fits: pem::holds_key,
        is_made_up: |_| false,
    },
];

fn is_placeholder_there(hit: &Hit) -> bool {
    is_placeholder(hit.secret)
}

fn is_aws_secret(hit: &Hit) -> bool {
    let goes_on = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-');
    let has_classes =
        hit.secret.iter().any(u8::is_ascii_uppercase) && hit.secret.iter().any(u8::is_ascii_lowercase);
    has_classes && !hit.after.is_some_and(goes_on)
}

/// The number of the bot stands before the colon, often after the word in `/bot123…`.
fn is_telegram_token(hit: &Hit) -> bool {
    let mut numbers =
        (8..=10).filter_map(|digits| hit.before.split_at_checked(hit.before.len().checked_sub(digits)?));
    let is_number = |(start, number): (&[u8], &[u8])| {
        number.iter().all(u8::is_ascii_digit) && (starts_word(start) || start.ends_with(b"bot"))
    };
    numbers.any(is_number) && !hit.after.is_some_and(is_word)
}

/// Claims that everybody copies from the manuals, in base64: John Doe's, some payload, a database's demonstration.
const KNOWN_CLAIMS: [&[u8]; 3] = [b"IkpvaG4gRG9lI", b"eyJzb21lIjoicGF5bG9hZCJ9", b"c3VwYWJhc2UtZGVtb"];

fn is_known_web_token(hit: &Hit) -> bool {
    let signature = hit.secret.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let is_known = KNOWN_CLAIMS.iter().any(|claim| memchr::memmem::find(hit.secret, claim).is_some());
    is_known || is_placeholder(signature)
}
