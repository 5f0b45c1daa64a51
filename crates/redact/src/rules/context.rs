//! Values that have no form of their own: the command, header, address or sentence around them gives them away.
//!
//! Words in capitals stand for the parts that many patterns share, see [`PARTS`].

use super::{Match, Rule};
use crate::entropy::{Classes, is_random, is_uuid};
use crate::find::Rank;
use crate::mark::is_marked;
use crate::name::{NameKind, is_one_of};
use crate::pattern::Parts;
use crate::text::{holds_login, is_word, starts_word};
use crate::value::{Setting, is_reference, is_secret};

type Accepts = fn(&Match) -> bool;

const fn rule(kind: &'static str, keywords: &'static str, pattern: &'static str, accepts: Accepts) -> Rule {
    Rule { kind, keywords, pattern, before: 0, accepts, rank: Rank::Context }
}

/// The match may begin so far before its keyword.
const fn around(before: usize, rule: Rule) -> Rule {
    Rule { before, ..rule }
}

const fn password(keywords: &'static str, pattern: &'static str, accepts: Accepts) -> Rule {
    rule("password", keywords, pattern, accepts)
}

/// The expansion of a word in capitals in a pattern. A value never begins like a mark: what is masked is no value.
pub(crate) const PARTS: Parts = &[
    // The arguments between a program and the flag that matters.
    ("ARGS", r#"\s(?:[^\n;|"'\\]|"[^"\n]*"|'[^'\n]*'|\\\n)*?"#),
    ("LOGIN", r#"(?:"[^":\n]*:([^"\n\[][^"\n]*)"|'[^':\n]*:([^'\n\[][^'\n]*)'|[^\s:"'`$\\]*:BARE)"#),
    ("VALUE", r"(?:QUOTED|BARE)"),
    ("QUOTED", r#"(?:"([^"\n\[][^"\n]*)"|'([^'\n\[][^'\n]*)')"#),
    ("BARE", r#"([^\s"'`;|&<>\\\[][^\s"'`;|&<>\\]*)"#),
    // A program that reads a secret from its input.
    (
        "READER",
        r"[^\n|;]*?(?:sudo (?:-\w+ )*-\w*S|--password-stdin|--with-token|--passphrase-fd|gh secret set|vercel env add|secret (?:put|create)|gcloud secrets|passwd|cryptsetup|-pass(?:in)? stdin|wrangler secret|htpasswd -i|su -c)",
    ),
    // `… for the admin user is`, `'s`, `: ` at the end of a line.
    ("SAYS", r#"["'`*]{0,3}(?:'s|(?: [\w'-]+){0,5}? (?:is now|is still|is|was|will be|to|-|=)|:[ *]*\n)\s+"#),
    ("SAID", r#"["'`*]{0,3}([^\s"'`<>|*\[][^\s"'`<>|]*[^\s"'`<>|.,;:)?*\\])"#),
];

pub(crate) const CONTEXT: &[Rule] = &[
    // Headers and addresses.
    rule("authorization", "bearer ", r#"(?i:bearer) +([^\s"'`<>,;|&)}\]\\]+)"#, is_bearer),
    rule("authorization", "basic ", r"(?i:basic) +([A-Za-z0-9+/]{8,}={0,2})", is_basic),
    around(24, rule("azure-signature", "sig=", r"[?&;][\w-]{0,20}sig=([\w%+/.~-]{20,}={0,2})", looks_random)),
    around(
        24,
        rule(
            "url-signature",
            "signature=",
            r"(?:[?&;][\w-]{0,20}(?i:signature)=([\w%+/.~-]{20,}={0,2})|[ ,]Signature=([0-9a-f]{64}))",
            looks_random,
        ),
    ),
    rule(
        "cookie",
        "?key=|&key=|?code=|&code=|?auth=|&auth=|?sid=|&sid=|?session=|&session=",
        r"[?&](?:key|code|auth|sid|session)=([\w%+/=~:.-]{16,})",
        is_session,
    ),
    around(
        24,
        rule(
            "cookie",
            r#"session|sessid|connect.sid|"sid|'sid|_sid|_gh_sess"#,
            r#"(?i:[\w.-]*session(?:[_-]?(?:id|token|key|cookie))?|\w*sessid|connect\.sid|\w*sid|_gh_sess)["']?\s{0,3}(?:[=:]|,\s{0,3}["']value["']\s{0,3}:)\s{0,3}["']?([\w%+/=~:.-]{16,})"#,
            is_session,
        ),
    ),
    // A line of `cookies.txt`.
    rule(
        "cookie",
        "\tTRUE\t/|\tFALSE\t/",
        r"\t(?:TRUE|FALSE)\t/[^\t\n]*\t(?:TRUE|FALSE)\t[0-9]+\t[^\t\n]+\t([^\s\\]{6,})",
        |_| true,
    ),
    // Tokens with their sign in the midst.
    around(4, rule("azure-client-secret", "Q~", r"[\w~.-]{3}[0-9]Q~[\w~.-]{31,34}", ends_word)),
    around(
        20,
        rule("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{10,20}\.atlasv1\.[\w=-]{40,120}", |_| true),
    ),
    around(
        32,
        rule("mailchimp-key", "-us", r"[0-9a-f]{32}-us[0-9]{1,2}", |found| {
            starts_word(found.before()) && ends_word(found)
        }),
    ),
    // The secret in a row with the key's id, or behind its title.
    rule(
        "aws-secret-key",
        "AKIA|ASIA|secret access key",
        r"(?:A[KS]IA[A-Z0-9]{16}|(?i:secret access key))(?s:.){0,160}?[^A-Za-z0-9+/=]([A-Za-z0-9+/]{40})(?:[^A-Za-z0-9+/=]|$)",
        |found| {
            let classes = Classes::of(found.secret());
            classes.upper > 2 && classes.lower > 2 && classes.digits > 0
        },
    ),
    rule(
        "private-key",
        r#""d"|"p"|"q"|"dp"|"dq"|"qi"|"k""#,
        r#""(?:d|p|q|dp|dq|qi|k)"\s*:\s*"([\w-]{16,})""#,
        is_of_web_key,
    ),
    rule(
        "seed-phrase",
        "mnemonic|seed phrase|seed_phrase|seedphrase|recovery phrase|recovery_phrase|secret phrase",
        r#"[\w ]{8,48}["']?\s*[:=]\s*["']?((?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){3}){0,4}[a-z]{3,8})(?:[^a-z ]|$)"#,
        |_| true,
    ),
    // Files of passwords, databases, programs.
    around(
        100,
        password(
            ":5432:|:*:",
            r#"[\w.*-]+:(?:5432|\*):[\w.*$-]{1,64}:[\w.*$-]{1,64}:([^\s"'`<>\\]{3,})"#,
            is_password,
        ),
    ),
    password("identified by", r"(?i:identified by)\s+QUOTED", is_password),
    password("password(", r"(?i:password)\(\s*QUOTED", is_password),
    password("convertto-securestring ", r"(?i:convertto-securestring +(?:-string +)?)QUOTED", is_password),
    password(".login(", r#"\.login\(\s*(?:"[^"\n]*"|'[^'\n]*'),\s*QUOTED"#, is_password),
    rule("discord-token", ".login(", r#"\.login\(\s*["']([^"'\n]{41,})["']"#, |found| {
        is_secret(found.secret(), NameKind::Token, Setting::Quoted)
    }),
    around(
        80,
        password(
            ".fill(|.type(|.send_keys(|.sendKeys(",
            r"(?i:passw|pwd|passphrase|secret)[^\n;]*\.(?:fill|type|send_keys|sendKeys)\(\s*QUOTED",
            is_password,
        ),
    ),
    password("set -", r"set -[\w-]+ +\w*(?i:password|passwd|pwd|token|secret|key) +VALUE", is_password),
    // Arguments of commands, of which one-letter flags mean other things elsewhere.
    password("curl", r"curlARGS(?:-u|--user|-U|--proxy-user)[ =]?LOGIN", is_sure_argument),
    rule("token", "curl", r#"curlARGS-u[ =]?["']?([\w-]{20,}):(?:x-oauth-basic)?["'\s]"#, looks_random),
    password("wget |http ", r"(?:wget|http)ARGS(?:-a|--auth)[ =]LOGIN", is_sure_argument),
    password("smbclient", r#"smbclientARGS(?:-U|--user)[ =]["']?[\w\\.-]+%BARE"#, is_sure_argument),
    password("lftp", r#"lftpARGS-u ["']?[\w.-]+,BARE"#, is_sure_argument),
    password(
        "mysql|mariadb|7z |unzip |zip ",
        r"(?:mysql\w*|mariadb\w*|7z|unzip|zip)ARGS-[pP]VALUE",
        is_argument,
    ),
    password(
        "unzip |zip |sqlcmd|bcp |security import",
        r"(?:unzip|zip|sqlcmd|bcp|security import)ARGS-P ?VALUE",
        is_argument,
    ),
    password(
        "sshpass|docker login|podman login|registry login|az login|mongosh|mongo |mongodump|twine |supabase |security unlock|security create|useradd|rdesktop|psexec",
        r"(?:sshpass|\w+ login|mongo\w*|twine|supabase|security|useradd|rdesktop|psexec)ARGS-p[ =]?VALUE",
        is_argument,
    ),
    password("redis-cli", r"redis-cliARGS(?:-a|--pass) VALUE", is_argument),
    password("ldapsearch|ldapmodify|security add", r"(?:ldap\w+|security add\S*)ARGS-w ?VALUE", is_argument),
    password("security set-key|openssl enc", r"(?:security set-key\S*|openssl enc)ARGS-k VALUE", is_argument),
    password("gh secret set", r"gh secret setARGS(?:--body|-b)[ =]?VALUE", is_argument),
    password("ssh-keygen", r"ssh-keygenARGS-[NP] ?VALUE", is_argument),
    password("htpasswd", r"htpasswd (?:-\w+ )*-\w*b\w* \S+ \S+ VALUE", is_argument),
    password(
        "vault login|bw unlock|bw login|cargo login|add-authtoken",
        r"(?:login|unlock|add-authtoken) (?:-\S+ )*VALUE",
        is_argument,
    ),
    password("net user|add_user ", r"(?:net user|add_user) \S+ VALUE", is_argument),
    password("rclone config create", r"rclone config createARGSpass[ =]VALUE", is_argument),
    password("secretsmanager ", r"secretsmanagerARGS--secret-string[ =]VALUE", is_sure_argument),
    password("ssm put-parameter", r"ssm put-parameterARGS--value[ =]VALUE", is_sure_argument),
    password("create secret ", r"create secretARGS--from-literal[ =][\w.-]+=VALUE", is_sure_argument),
    password(
        "vault kv put|vault kv patch|vault write|secrets set",
        r"(?:vault \w+|secrets set)ARGS[\w.-]+=VALUE",
        is_sure_argument,
    ),
    password(
        "keytool|jarsigner",
        r"(?:keytool|jarsigner)ARGS-(?:src|dest)?(?:store|key)pass[ =]VALUE",
        is_sure_argument,
    ),
    password("-pass pass:|-passin pass:|-passout pass:", r"-pass(?:in|out)? pass:VALUE", is_password),
    // What one program writes and another one reads.
    password(
        "echo |printf |print ",
        r#"(?:echo|printf|print)(?: -\w+)* LOGIN *\|\s*chpasswd"#,
        is_sure_argument,
    ),
    password(
        "echo |printf |print ",
        r#"(?:echo|printf|print)(?: -\w+)*(?: "[^"\n]*%[^"\n]*"| '[^'\n]*%[^'\n]*')? VALUE *\|READER"#,
        is_sure_argument,
    ),
    password("sudo -|passwd|cryptsetup|secret", r"READER[^\n]*?<<< *VALUE", is_sure_argument),
    // Sentences.
    password(
        "password|passphrase|passcode| pw",
        r"(?i: ?(?:password|passphrase|passcode|pw))SAYSSAID",
        is_said_password,
    ),
    password("password |passphrase ", r"(?i:password|passphrase) SAID", |found| {
        is_said_password(found) && Classes::of(found.secret()).upper > 0
    }),
    around(
        130,
        password(
            " as the pw| as pw| as my pw| as the password| as password| as my password",
            r#"["'`]?([^\s"'`<>\[]{6,128})["'`]? as (?:the |my )?(?:pw|password)(?:[^\w ]|$| (?:for|to|in|and|on|of|when)\b)"#,
            is_said_password,
        ),
    ),
    password(
        "log in with|login with|sign in with|logged in with|credentials|creds|test account|login:|user/pass|username/password",
        r#"(?i:(?:log|sign|logged) ?in with|credentials|creds|test account|login:|user(?:name)?/pass(?:word)?)(?: are| is|:)* *["']?[\w.+@-]+["']? *(?:/|:|and|\||with) *SAID"#,
        is_said_password,
    ),
    rule(
        "token",
        "api key|api-key|api token|access token|access key|auth token|bearer token|secret key|client secret|api secret|the token|my token|new token|the secret| pat ",
        r"[\w -]+?(?i:key|token|secret|pat)SAYSSAID",
        is_said_token,
    ),
];

fn value_of(found: &Match, name_kind: NameKind) -> bool {
    let before = found.secret.start.checked_sub(1).and_then(|at| found.text.get(at));
    let is_quoted = before.is_some_and(|byte| b"\"'".contains(byte));
    is_secret(found.secret(), name_kind, if is_quoted { Setting::Quoted } else { Setting::Bare })
}

fn is_password(found: &Match) -> bool {
    let is_prose = found.secret().iter().any(u8::is_ascii_whitespace) || found.secret().len() > 128;
    !is_prose && value_of(found, NameKind::Password)
}

fn is_bearer(found: &Match) -> bool {
    starts_word(found.before()) && is_secret(found.secret(), NameKind::Token, Setting::Bare)
}

fn is_basic(found: &Match) -> bool {
    starts_word(found.before()) && holds_login(found.secret())
}

fn looks_random(found: &Match) -> bool {
    is_random(found.secret()) && !is_marked(found.secret())
}

fn ends_word(found: &Match) -> bool {
    !found.after().first().is_some_and(|byte| is_word(*byte) || b"~.-".contains(byte))
}

/// Random, and no number of a thing: every log has the ids of sessions that open nothing.
fn is_session(found: &Match) -> bool {
    let value = found.secret();
    let classes = Classes::of(value);
    let is_thing = memchr::memmem::find(value, b"_01").is_some();
    let is_id = value.get(..36).is_some_and(is_uuid);
    classes.digits > 1 && classes.letters() > 3 && !is_id && !is_thing && looks_random(found)
}

/// How far the fields of one key are apart.
const LONGEST_KEY: usize = 4096;

fn is_of_web_key(found: &Match) -> bool {
    let near =
        found.whole.start.saturating_sub(LONGEST_KEY)..found.text.len().min(found.whole.end + LONGEST_KEY);
    memchr::memmem::find(found.text.get(near).unwrap_or_default(), b"\"kty\"").is_some()
}

/// Behind a flag that has one meaning only.
fn is_sure_argument(found: &Match) -> bool {
    let value = found.secret();
    let is_program = starts_word(found.before()) && !found.before().ends_with(b"-");
    let is_said = [&b"password"[..], b"pass", b"secret", b"token"].contains(&value);
    is_program && value.len() >= 3 && !is_said && !is_reference(value) && !is_marked(value)
}

/// Behind a flag that may mean something else: then a port or a word follows.
fn is_argument(found: &Match) -> bool {
    let value = found.secret();
    let is_port = value.iter().all(|byte| byte.is_ascii_digit() || b":./".contains(byte));
    let is_value = value.contains(&b' ') || is_secret(value, NameKind::Password, Setting::Bare);
    is_sure_argument(found) && !is_port && is_value
}

/// What sentences about passwords end in.
const ALGORITHMS: &str = "sha1 sha2 sha3 sha224 sha256 sha384 sha512 base32 base58 base64 base85 argon2 argon2i argon2d argon2id \
    bcrypt2 pbkdf2 aes128 aes192 aes256 rsa2048 rsa4096 ed25519 x25519 secp256k1 hs256 hs512 rs256 rs512 es256 oauth2 \
    http2 utf8 x509 pkcs1 pkcs7 pkcs8 pkcs12 1password p256 python3 node18 node20 b64enc kerberos5 ntlmv2";

/// Letters and digits, and neither an algorithm nor a number with its unit.
fn is_said_password(found: &Match) -> bool {
    let value = found.secret();
    let classes = Classes::of(value);
    let lower = String::from_utf8_lossy(value).to_ascii_lowercase().replace(['-', '_'], "");
    let unit = value.iter().position(|byte| !byte.is_ascii_digit()).and_then(|at| value.get(at..));
    let is_count = unit.is_some_and(|unit| {
        unit.len() < value.len() && unit.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'-')
    });
    value.len() >= 6
        && classes.digits > 0
        && !is_count
        && !is_one_of(&lower, ALGORITHMS)
        && !is_reference(value)
        && is_secret(value, NameKind::Password, Setting::Near)
}

fn is_said_token(found: &Match) -> bool {
    let value = found.secret();
    value.len() >= 10 && !is_reference(value) && is_secret(value, NameKind::Token, Setting::Near)
}
