//! What only looks like a secret, and stays as it is to the last byte.

use crate::masked;
use crate::samples::{BASE62, draw};

const HEX: &str = "0123456789abcdef";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Each with the key of JSON that it stands under.
fn look_alikes() -> Vec<(Option<&'static str>, String)> {
    let plain = PLAIN.iter().map(|text| (None, (*text).to_owned()));
    let keyed = KEYED.iter().map(|(key, text)| (Some(*key), (*text).to_owned()));
    plain.chain(keyed).chain(drawn()).collect()
}

/// Random, and harmless.
fn drawn() -> Vec<(Option<&'static str>, String)> {
    let hex = |length, seed| draw(HEX, length, seed);
    let base64 = |length, seed| draw(BASE64, length, seed);
    let plain = [
        format!("commit {}", hex(40, 1)),
        format!("{} (HEAD -> main) fix: rotate", hex(7, 2)),
        format!("Merge {}..{}", hex(12, 3), hex(12, 4)),
        format!("index {}..{} 100644", hex(7, 5), hex(7, 6)),
        format!("sha256:{}", hex(64, 7)),
        format!("acme/app@sha256:{}", hex(64, 8)),
        format!("\"integrity\": \"sha512-{}==\"", base64(86, 9)),
        format!("github.com/pkg/errors v0.9.1 h1:{}=", base64(43, 10)),
        format!("checksum = \"{}\"", hex(64, 11)),
        format!("ETag: W/\"{}\"", hex(32, 12)),
        format!("<img src=\"data:image/png;base64,iVBORw0KGgo{}\">", base64(3000, 13)),
        format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{} key", base64(43, 14)),
        format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----", base64(64, 15)),
        format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----", base64(64, 16)),
        format!("msg_01{}", draw(BASE62, 22, 17)),
        format!("toolu_01{}", draw(BASE62, 22, 18)),
        format!("req_01{}", draw(BASE62, 22, 19)),
        format!("session_01{}", draw(BASE62, 22, 20)),
        format!("dist/assets/index-{}.js", draw(BASE62, 8, 21)),
        format!("class=\"css-{} sc-{}\"", hex(7, 22), draw(BASE62, 6, 23)),
        format!("CONTAINER ID\n{}   nginx", hex(12, 24)),
        format!("nonce-{}", base64(16, 25)),
    ];
    let keyed = [
        ("signature", base64(600, 26)),
        ("data", format!("iVBORw0KGgoAAAANSUhEUgAA{}", base64(9000, 27))),
        ("requestId", format!("req_{}", draw(BASE62, 24, 28))),
        ("integrity", format!("sha512-{}==", base64(86, 29))),
        ("commit", hex(40, 30)),
    ];
    plain.into_iter().map(|text| (None, text)).chain(keyed.map(|(key, text)| (Some(key), text))).collect()
}

const PLAIN: &[&str] = &[
    "0b6c2f0e-7d0f-4a4e-9a53-1f0f8c4f2d11",
    "getAccessTokenFromRefreshTokenOrThrow",
    "refresh_token_rotation_interval_seconds",
    "00:1A:2B:3C:4D:5E and fe80::1ff:fe23:4567:890a",
    "2026-11-15T12:00:00.000Z 1763208000000",
    "tokens: 12345",
    "max_tokens = 4096",
    "token_count: 98231",
    "\"input_tokens\": 5, \"cache_read_input_tokens\": 104857600",
    "password: string",
    "password?: string;",
    "secret: Option<String>",
    "pub token: Arc<Mutex<Token>>,",
    "const token = await getToken()",
    "const password = form.password.value;",
    "if (password.length < 8) throw new WeakPassword()",
    "passwordField.value = ''",
    "let secret = std::env::var(\"API_SECRET\")?;",
    "api_key = os.environ[\"OPENAI_API_KEY\"]",
    "apiKey: process.env.ANTHROPIC_API_KEY,",
    "def login(self, username: str, password: str) -> bool:",
    "login(username=username, password=password)",
    "password: z.string().min(8),",
    "PASSWORD_MIN_LENGTH=8",
    "SECRET_NAME=prod/db",
    "TOKEN_FILE=/run/secrets/token",
    "API_KEY=<your-key>",
    "API_KEY=${API_KEY}",
    "curl -H \"Authorization: Bearer $TOKEN\" https://api.acme.io",
    "Authorization: Bearer <token>",
    "password: ********",
    "token=xxxxxxxxxxxx",
    "password: \"Your password must have 8 letters\"",
    "<input type=\"password\" name=\"password\" autocomplete=\"current-password\">",
    "{ \"type\": \"object\", \"properties\": { \"password\": { \"type\": \"string\" } } }",
    "https://docs.acme.io/tokens/refresh?page=2#password",
    "git@github.com:acme/app.git",
    "ssh://git@github.com/acme/app.git",
    "npm install react@18.2.0 @types/node@20",
    "--- PASS: TestTokenRotationKeepsOldSecretUntilExpiry (0.00s)",
    "test auth::password::rejects_empty_password2 ... ok",
    "the token is invalid, so the password must be reset.",
    "docker run --name mysql -p 3306:3306 -d mysql:8",
    "mkdir -p src/secrets && cd src/secrets",
    "SELECT id, password_hash FROM users WHERE token = $1",
    "claude-opus-4-5-20251101 and gpt-4o-2024-08-06",
    "v1.0-rc.2+build.20261115",
    "task-management-and-risk-assessment-for-disk-usage-2024",
    "fn tokenize(source: &str) -> Vec<Token> { lexer::tokens(source) }",
    "token: Token::Identifier(name),",
    "case 'password': return <PasswordInput />;",
    "secretKeyRef:\n  name: db-credentials\n  key: password",
    "Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
    "background-position: 0 -120px; mask-image: url(mask.svg)",
    "/var/lib/docker/overlay2 and /home/user/project and /Users/runner/work",
    "src/home/page.tsx, app/users/list.ts, https://acme.io/home/news",
    "C:\\Users\\Public\\Documents",
    "x-request-id: 7f3b2a10-9d1e-4c55-8d7a-2f1f0c9a6b3e",
    "csrf protection uses a token per session: see auth/session.ts",
    "Enter password: ",
];

const KEYED: &[(&str, &str)] = &[
    ("password", "string"),
    ("password", "Password"),
    ("password", "Your password must have 8 letters"),
    ("token", "12345"),
    ("token", "Token"),
    ("tokenType", "bearer"),
    ("secret", "${{ secrets.DEPLOY_KEY }}"),
    ("apiKey", "process.env.API_KEY"),
    ("api_key", "YOUR_API_KEY"),
    ("auth", "none"),
    ("token_file", "/run/secrets/token"),
    ("password", "true"),
    ("accessToken", "getToken()"),
    ("tokenUrl", "https://auth.acme.io/oauth/token"),
    ("uuid", "0b6c2f0e-7d0f-4a4e-9a53-1f0f8c4f2d11"),
    ("sessionId", "0b6c2f0e-7d0f-4a4e-9a53-1f0f8c4f2d11"),
    ("next_page_token", "CAUQAA8aGgxk29sdWs8"),
    ("secret", "A sentence about a secret."),
];

#[test]
fn all_of_the_look_alikes_survive_whole() {
    let all = look_alikes();
    let mut changed = Vec::new();
    for (key, text) in &all {
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
