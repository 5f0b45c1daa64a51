//! Secrets of every kind in all surroundings: none survives.

use crate::masked;
use crate::samples::{BASE62, draw, key_block, samples};

const HEX: &str = "0123456789abcdef";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A text with the secret in it, and the secret. No literal here is a whole token.
pub(crate) struct Planted {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) secret: String,
}

fn token(name: &str, prefix: &str, alphabet: &str, length: usize) -> Planted {
    let seed = name.bytes().map(u64::from).sum::<u64>() + length as u64;
    let secret = format!("{prefix}{}", draw(alphabet, length, seed));
    Planted { name: name.to_owned(), text: secret.clone(), secret }
}

fn inside(name: &str, before: &str, secret: &str, after: &str) -> Planted {
    Planted { name: name.to_owned(), text: format!("{before}{secret}{after}"), secret: secret.to_owned() }
}

fn services() -> Vec<Planted> {
    vec![
        token("openai plain", "sk-", BASE62, 48),
        token("openrouter", concat!("sk-or", "-v1-"), HEX, 64),
        token("gitlab deploy", "gldt-", BASE62, 20),
        token("gitlab runner", "glrt-", BASE62, 20),
        token("gitlab trigger", "glptt-", HEX, 40),
        token("atlassian", concat!("ATA", "TT3"), BASE62, 186),
        token("bitbucket", "ATBB", BASE62, 32),
        token("rubygems", "rubygems_", HEX, 48),
        token("crates.io", "cio", BASE62, 32),
        token("nuget", "oy2", LOWER, 43),
        token("docker hub", "dckr_pat_", BASE62, 27),
        token("replicate", "r8_", BASE62, 37),
        token("groq", "gsk_", BASE62, 52),
        token("xai", "xai-", BASE62, 80),
        token("perplexity", "pplx-", HEX, 48),
        token("databricks", "dapi", HEX, 32),
        token("digitalocean", "dop_v1_", HEX, 64),
        token("heroku", "HRKU-AA", BASE62, 58),
        token("netlify", "nfp_", BASE62, 36),
        token("fly.io", "fo1_", BASE62, 43),
        token("supabase", "sbp_", HEX, 40),
        token("planetscale", concat!("pscale", "_tkn_"), BASE62, 43),
        token("doppler", concat!("dp.", "pt."), BASE62, 43),
        token("linear", "lin_api_", BASE62, 40),
        token("notion", "ntn_", BASE62, 46),
        token("notion old", "secret_", BASE62, 43),
        token("figma", "figd_", BASE62, 40),
        inside("airtable", "", &format!("pat{}.{}", draw(BASE62, 14, 3), draw(HEX, 64, 4)), ""),
        inside("postman", "", &format!("PMAK-{}-{}", draw(HEX, 24, 5), draw(HEX, 34, 6)), ""),
        token("sentry", "sntryu_", HEX, 64),
        inside("grafana", "", &format!("glsa_{}_{}", draw(BASE62, 32, 7), draw(HEX, 8, 8)), ""),
        token("new relic", "NRAK-", UPPER, 27),
        token("vault", "hvs.", BASE62, 90),
        inside("terraform", "", &format!("{}.atlasv1.{}", draw(BASE62, 14, 9), draw(BASE62, 67, 10)), ""),
        token("pulumi", "pul-", HEX, 40),
        token("age", concat!("AGE-SECRET", "-KEY-1"), UPPER, 58),
        token("jfrog", "AKCp", BASE62, 69),
        inside("dynatrace", "", &format!("dt0c01.{}.{}", draw(UPPER, 24, 11), draw(UPPER, 64, 12)), ""),
        inside("cloudflare", "", &format!("v1.0-{}-{}", draw(HEX, 24, 13), draw(HEX, 146, 14)), ""),
        token("stripe test", concat!("sk_", "test_"), BASE62, 24),
        token("stripe webhook", "whsec_", BASE62, 32),
        token("shopify", "shpat_", HEX, 32),
        token("square", "sq0csp-", BASE62, 43),
        token("mailgun", "key-", HEX, 32),
        inside("mailchimp", "", &format!("{}-us12", draw(HEX, 32, 15)), ""),
        token("twilio account", "AC", HEX, 32),
        token("facebook", "EAAC", BASE62, 120),
        inside("mapbox", "", &format!("sk.eyJ{}.{}", draw(BASE62, 60, 16), draw(BASE62, 22, 17)), ""),
        token("langsmith", "lsv2_pt_", HEX, 32).and("_", &draw(HEX, 10, 18)),
        inside("azure client", "", &format!("{}8Q~{}", draw(BASE62, 3, 19), draw(BASE62, 34, 20)), ""),
        inside("bcrypt", "", &format!("$2y$10${}", draw(BASE62, 53, 21)), ""),
        inside("sha crypt", "", &format!("$6${}${}", draw(BASE62, 12, 22), draw(BASE62, 86, 23)), ""),
        inside("example id", "", concat!("AKIA", "IOSFODNN7EXAMPLE"), ""),
        token("github of x", concat!("gh", "p_"), "x", 36),
    ]
}

impl Planted {
    fn and(self, between: &str, rest: &str) -> Self {
        let secret = format!("{}{between}{rest}", self.secret);
        Self { text: secret.clone(), secret, ..self }
    }
}

fn in_context() -> Vec<Planted> {
    let drawn = |length, seed| draw(BASE62, length, seed);
    let aws = draw(BASE64, 40, 61);
    let account_key = format!("{}==", draw(BASE64, 86, 62));
    let wireguard = format!("{}=", draw(BASE64, 43, 63));
    vec![
        inside("assignment", "password = \"", "hunter2", "\""),
        inside("environment", "export DB_PASSWORD=", "correcthorse", "\n"),
        inside("environment of windows", "set API_TOKEN=", &drawn(24, 70), "\r\n"),
        inside("yaml", "db:\n  password: ", "swordfish", "\n  port: 5432\n"),
        inside("json", "{\"clientSecret\": \"", &drawn(30, 71), "\"}"),
        inside("json twice", r#"{\"apiKey\":\""#, &drawn(30, 72), r#"\"}"#),
        inside("xml", "<password>", "S3same!open", "</password>"),
        inside("property", "java -Dspring.datasource.password=", "trustno1", " -jar x.jar"),
        inside("flag", "deploy --token=", &drawn(22, 73), " --dry-run"),
        inside("flag apart", "tool --password ", "Tr0ub4dor&3", " run"),
        inside("mysql", "mysql -u root -p", "s3cr3tpw", " shop"),
        inside("mysql quoted", "mysqldump -uroot -p'", "pa ss-w0rd", "' shop"),
        inside("sshpass", "sshpass -p ", "Winter2026", " ssh box"),
        inside("curl", "curl -s -u deploy:", "opensesame", " https://ci.acme.io"),
        inside("postgres", "PGPASSWORD=", "letmein", " psql -h db"),
        inside("netrc", "machine ci.acme.io login bot password ", "plover99", "\n"),
        inside("pgpass", "db.acme.io:5432:shop:app:", "xyzzy-42", "\n"),
        inside("npmrc", "//registry.npmjs.org/:_authToken=", &drawn(36, 74), "\n"),
        inside("docker config", "{\"auths\":{\"x\":{\"auth\": \"", "YWxpY2U6aHVudGVyMg==", "\"}}}"),
        inside("kubeconfig", "    client-key-data: ", &draw(BASE64, 400, 75), "\n"),
        inside("kubernetes", "- name: DB_PASSWORD\n  value: ", "plugh-7", "\n"),
        inside("bearer", "Authorization: Bearer ", &drawn(40, 76), "\r\n"),
        inside("bearer alone", "send Bearer ", &drawn(32, 77), " along"),
        inside("basic", "Authorization: Basic ", "dXNlcjpwYXNz", "\n"),
        inside("api key header", "X-Api-Key: ", &drawn(32, 78), "\n"),
        inside("cookie", "Cookie: theme=dark-blue; sid=", &drawn(26, 79), "; lang=en\n"),
        inside("set-cookie", "Set-Cookie: session=", &drawn(40, 80), "; Path=/; HttpOnly\n"),
        inside("url", "postgres://app:", "devpass", "@localhost:5432/app"),
        inside("url escaped", r"https:\/\/ci:", "q1w2e3", r"@git.acme.io\/x.git"),
        inside("url token", "https://", &drawn(40, 81), "@git.acme.io/x.git"),
        inside("query", "https://acme.io/hook?access_token=", &drawn(32, 82), "&page=2"),
        inside(
            "azure account",
            "AccountName=acme;AccountKey=",
            &account_key,
            ";EndpointSuffix=core.windows.net",
        ),
        inside("azure bus", "SharedAccessKeyName=Root;SharedAccessKey=", &account_key, ""),
        inside("azure signature", "?sv=2024&sr=b&sig=", &format!("{}%3D", drawn(43, 83)), "&se=2027"),
        inside("sql server", "Server=db;User Id=sa;Password=", "Pa55phrase", ";Encrypt=true"),
        inside("aws secret", "aws_secret_access_key = ", &aws, "\n"),
        inside("aws session", "AWS_SESSION_TOKEN=", &draw(BASE64, 200, 84), "\n"),
        inside("wireguard", "[Interface]\nPrivateKey = ", &wireguard, "\n"),
        inside("datadog", "DD_APPLICATION_KEY=", &draw(HEX, 40, 85), "\n"),
        inside("typed", "const apiKey: string = '", &drawn(32, 86), "';"),
        inside("fallback", "const token = process.env.TOKEN || \"", &drawn(32, 87), "\";"),
        inside("subscript", "os.environ['STRIPE_SECRET'] = '", &drawn(32, 88), "'"),
        inside("sql", "CREATE USER app IDENTIFIED BY '", "m3llon!", "';"),
        inside("markdown", "**Password:** `", "Gandalf-77", "`"),
        inside("private key", "-----", &key_block("\n"), "-----\n"),
        inside("private key escaped", r#"{"key":"-----"#, &key_block(r"\n"), r#"-----\n"}"#),
        inside("private key cut off", "-----", &key_block("\n")[..600], ""),
        inside("private key's end", "", &key_block("\n")[300..], "-----\n"),
    ]
}

pub(crate) fn planted() -> Vec<Planted> {
    let of_scanner = samples().into_iter().map(|sample| {
        let text = sample.text();
        Planted { name: sample.kind.to_owned(), text, secret: sample.secret }
    });
    of_scanner.chain(services()).chain(in_context()).collect()
}

fn escaped(text: &str) -> String {
    text.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n").replace('\r', r"\r")
}

/// The text as it stands in a note, a tool's output, a shell, JSON, and JSON in JSON.
fn surroundings(text: &str) -> Vec<(&'static str, String)> {
    let json = escaped(&format!("{{\"output\":\"{}\"}}", escaped(text)));
    vec![
        ("alone", text.to_owned()),
        ("a note", format!("I found this in the old notes:\n{text}\nplease rotate it")),
        ("output", format!("$ cat notes\n{text}\n$ ")),
        ("json", format!("{{\"output\":\"{}\"}}", escaped(text))),
        ("json in json", json),
    ]
}

/// No long part of it is left either.
fn survives(secret: &str, masked: &str) -> bool {
    let body = &secret[secret.len() / 3..];
    let piece = &body[..body.len().min(24)];
    masked.contains(secret) || (piece.len() > 6 && masked.contains(piece))
}

#[test]
fn none_of_the_planted_secrets_survives() {
    let all = planted();
    let mut kinds: Vec<&str> = all.iter().map(|planted| planted.name.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut count = 0;
    let mut left = Vec::new();
    for planted in &all {
        for (place, text) in surroundings(&planted.text) {
            let shown = masked(&text, None);
            let secret =
                if place.starts_with("json") { escaped(&planted.secret) } else { planted.secret.clone() };
            count += 1;
            if survives(&planted.secret, &shown) || survives(&secret, &shown) {
                left.push(format!("{} in {place}: {shown}", planted.name));
            }
        }
    }
    println!("{} secrets of {} forms in {count} places, {} survive", all.len(), kinds.len(), left.len());
    assert!(left.is_empty(), "{}", left.join("\n"));
    assert!(kinds.len() >= 60);
}

#[test]
fn a_key_of_json_tells_about_its_value() {
    let cases = [
        ("password", "hunter2"),
        ("password", " hunter2\n"),
        ("DB_PASSWORD", "correcthorse"),
        ("clientSecret", "f8Kq2mPx91LsVbQz"),
        ("Authorization", "Bearer 93jf02kf92kd02lslw9"),
        ("x-api-key", "a8s7df6a8s7d6f8a7sd6"),
        ("token", "9f8e7d6c5b4a39281706"),
        ("HEROKU_API_KEY", "1b9e4c5a-7d0f-4a4e-9a53-1f0f8c4f2d11"),
        ("Cookie", "theme=dark-mode; sid=8f7a6s5d4f"),
        ("auth", "YWxpY2U6aHVudGVyMg=="),
    ];
    for (key, value) in cases {
        let shown = masked(value, Some(key));
        assert!(
            shown.contains('[') && !shown.contains(&value.trim()[value.trim().len() - 6..]),
            "{key}: {shown}"
        );
    }
}

#[test]
fn a_name_and_its_value_may_be_neighbours_in_json() {
    let mut redactor = crate::redactor();
    assert_eq!(redactor.masked(&crate::spot("DB_PASSWORD", Some("name"))), None);
    let shown = redactor.masked(&crate::spot("correcthorse", Some("value")));
    assert_eq!(shown.as_deref(), Some("[password-1]"));
    assert_eq!(redactor.masked(&crate::spot("correct", Some("value"))), None);
}
