//! Secrets of every kind that the guard of the vault knows.

use super::{BASE32, BASE62, BASE64, DIGITS, HEX, URL64, draw, key_block};

/// A text in the place of a secret, and the secrets to be found in it.
#[derive(Debug, Clone)]
pub struct Sample {
    pub kind: &'static str,
    pub before: String,
    pub secret: String,
    pub after: String,
}

impl Sample {
    fn new(kind: &'static str, secret: String) -> Self {
        Self { kind, before: String::new(), secret, after: String::new() }
    }

    fn around(self, before: &str, after: &str) -> Self {
        Self { before: before.to_owned(), after: after.to_owned(), ..self }
    }

    pub fn text(&self) -> String {
        format!("{}{}{}", self.before, self.secret, self.after)
    }
}

fn web_token() -> String {
    format!("eyJ{}.eyJ{}.{}", draw(URL64, 33, 71), draw(URL64, 80, 72), draw(URL64, 43, 73))
}

/// The number of a bot in base64 has a letter of its own set at each place.
fn discord_token() -> String {
    let four = |seed| {
        let sets = ["MNO", "DTjz", "AEIMQUYcgk", "wxyz012345"];
        sets.iter().zip(seed..).map(|(set, seed)| draw(set, 1, seed)).collect::<String>()
    };
    let number: String = (0..6).map(|place| four(500 + place * 7)).collect();
    format!("{number}.{}.{}", draw(URL64, 6, 81), draw(URL64, 38, 82))
}

/// What a guard finds for sure, by the kind that it gives them.
pub fn samples() -> Vec<Sample> {
    let plain = |kind, prefix: &str, alphabet, length, seed| {
        Sample::new(kind, format!("{prefix}{}", draw(alphabet, length, seed)))
    };
    let slack = format!("{}-{}-{}", draw(DIGITS, 12, 11), draw(DIGITS, 13, 12), draw(BASE62, 24, 13));
    let hook = format!("T{}/B{}/{}", draw(BASE32, 9, 14), draw(BASE32, 10, 15), draw(BASE62, 24, 16));
    let sendgrid = format!("SG.{}.{}", draw(URL64, 22, 17), draw(URL64, 43, 18));
    vec![
        plain("anthropic-key", "sk-ant-api03-", URL64, 95, 1),
        plain("anthropic-key", "sk-ant-oat01-", URL64, 95, 2),
        plain("openai-key", "sk-proj-", URL64, 156, 3),
        plain("openai-key", "sk-svcacct-", URL64, 156, 4),
        plain("openai-key", "sk-", BASE62, 48, 5),
        plain("github-token", "ghp_", BASE62, 36, 6),
        plain("github-token", "gho_", BASE62, 36, 7),
        plain("github-token", "ghu_", BASE62, 36, 8),
        plain("github-token", "ghs_", BASE62, 36, 9),
        plain("github-token", "ghr_", BASE62, 76, 10),
        Sample::new("github-token", format!("github_pat_{}_{}", draw(BASE62, 22, 21), draw(BASE62, 59, 22))),
        plain("gitlab-token", "glpat-", URL64, 20, 23),
        plain("aws-access-key-id", "AKIA", BASE32, 16, 24),
        plain("aws-access-key-id", "ASIA", BASE32, 16, 25),
        plain("aws-secret-key", "", BASE64, 40, 26).around("aws_secret_access_key = ", "\n"),
        plain("aws-secret-key", "", BASE64, 40, 27).around("AWS_SECRET_ACCESS_KEY=", ""),
        plain("aws-secret-key", "", BASE64, 40, 28).around(r#"{"SecretAccessKey": ""#, "\"}"),
        plain("google-api-key", "AIza", URL64, 35, 29),
        plain("google-oauth-token", "ya29.", URL64, 120, 30),
        plain("google-oauth-token", "GOCSPX-", URL64, 28, 31),
        Sample::new("slack-token", format!("xoxb-{slack}")),
        Sample::new("slack-token", format!("xoxp-{slack}")),
        Sample::new("slack-webhook", hook).around("https://hooks.slack.com/services/", ""),
        plain("stripe-key", "sk_live_", BASE62, 24, 32),
        plain("stripe-key", "rk_live_", BASE62, 99, 33),
        plain("npm-token", "npm_", BASE62, 36, 34),
        plain("pypi-token", "pypi-AgEIcHlwaS5vcmc", URL64, 150, 35),
        plain("huggingface-token", "hf_", BASE62, 34, 36),
        Sample::new("sendgrid-key", sendgrid),
        plain("twilio-key", "SK", HEX, 32, 37),
        plain("telegram-token", "AA", URL64, 33, 38).around("7041928365:", ""),
        plain("telegram-token", "AA", URL64, 33, 39)
            .around("https://api.telegram.org/bot7041928365:", "/getMe"),
        plain("discord-webhook", "", URL64, 68, 40)
            .around("https://discord.com/api/webhooks/1098237465019283746/", ""),
        Sample::new("discord-token", discord_token()).around("DISCORD_TOKEN=", ""),
        Sample::new("json-web-token", web_token()).around("Authorization: Bearer ", ""),
        Sample::new("private-key", key_block("\n")).around("-----", "-----\n"),
        Sample::new("private-key", key_block(r"\n")).around("\"-----", "-----\\n\""),
        Sample::new("private-key", key_block(r"\\n")).around("-----", "-----"),
        Sample::new("private-key", key_block("\n    12→")).around("-----", "-----"),
        plain("url-password", "", BASE62, 14, 41).around("postgres://app:", "@db.acme.io:5432/app"),
        plain("url-password", "", BASE62, 14, 42).around("redis://:", "@cache:6379"),
        plain("url-password", "", BASE62, 14, 43).around(r"https:\/\/deploy:", r"@git.acme.io\/x.git"),
        plain("generic-secret", "", BASE62, 32, 44).around("API_KEY=", "\n"),
        plain("generic-secret", "", BASE62, 32, 45).around("client_secret: '", "'"),
        plain("generic-secret", "", BASE62, 24, 46).around(r#""authToken":""#, "\""),
        plain("generic-secret", "", HEX, 64, 47).around(r#"{\"password\":\""#, "\\\"}"),
    ]
}
