//! What looks like a secret to a machine and not to a person.

use crate::samples::{BASE62, draw, found};

#[track_caller]
fn assert_clean(texts: &[&str]) {
    for text in texts {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn examples_and_placeholders_are_no_findings() {
    assert_clean(&[
        concat!("AKIA", "IOSFODNN7EXAMPLE"),
        concat!("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYEXAMPLEKEY"),
        "sk-ant-api03-...",
        "sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "sk-ant-api03-your-key-goes-here-and-nowhere-else-0123",
        "sk-proj-****************************************",
        concat!("ghp_", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
        concat!("ghp_", "abcdefghijklmnopqrstuvwxyz0123456789"),
        concat!("ghp_", "1234567890abcdef1234567890abcdef1234"),
        concat!("npm_", "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"),
        concat!("xoxb-", "123456789012-123456789012-abcdefghijklmnopqrstuvwx"),
        concat!("AIza", "00000000000000000000000000000000000"),
        concat!("SK", "deadbeefdeadbeefdeadbeefdeadbeef"),
        "ANTHROPIC_API_KEY=<your-key>",
        concat!("https://hooks.slack.com/services/", "T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"),
    ]);
}

#[test]
fn a_prefix_inside_a_word_or_a_wrong_length_is_no_token() {
    let long = draw(BASE62, 48, 1);
    assert_clean(&[
        &format!("task-{long}"),
        &format!("sk-{}", &long[..20]),
        &format!("npm_{}", &long[..35]),
        &format!("npm_{}", &long[..37]),
        &format!("xAIza{}", &long[..35]),
        "npm_config_registry npm_lifecycle_event hf_hub_download ghs_something",
        "risk-proj-management-and-other-long-words-of-this-kind",
    ]);
}

#[test]
fn passwords_of_manuals_and_of_the_own_machine_open_nothing() {
    assert_clean(&[
        "postgresql://user:pass@db.acme.io/app",
        "postgres://user:password@db.acme.io/app",
        "postgres://${USER}:${PASSWORD}@db.acme.io/app",
        "postgres://app:$PGPASS@db.acme.io/app",
        "postgres://app:********@db.acme.io/app",
        "postgres://app:<hidden>@db.acme.io/app",
        "postgres://app:{pw}@db.acme.io/app",
        "postgres://app:kX82hQz91mPw@localhost:5432/app",
        "https://deploy:kX82hQz91mPw@example.com/x",
        "postgres://postgres:postgres@db:5432",
        "https://user:he%2F%2Fo@pypi.acme.io/simple",
        "postgres://app:summer@db.internal/app",
        "http://127.0.0.1:3000/@fs/index.ts",
        "https://host.acme.io:8443@elsewhere",
        "see http://a.io:80 or mail me@b.io",
        "git clone ssh://git@github.com:22/acme/x.git",
    ]);
}

#[test]
fn assignments_of_names_paths_ids_and_numbers_are_no_secrets() {
    let random = draw(BASE62, 32, 7);
    assert_clean(&[
        r#""input_tokens":1763208000000000,"output_tokens":22"#,
        "const token = request.cookies.get(name)",
        "secret: process.env.SESSION_SECRET_V2_NAME",
        r#"apiKey: "phc_development_key""#,
        r#"password: "correct-horse-battery-staple""#,
        r#""token":"0b6c2f0e-7d0f-4a4e-9a53-1f0f8c4f2d11""#,
        "token = getAccessTokenForUser2(session)",
        "SECRET_KEY=change-me-in-production-1",
        concat!(r#""access_token":""#, "2YotnFZFEjr1zCsicMWpAA\""),
        "password = \"Test1234Test1234Xy\"",
        &format!(r#""nextPageToken":"{random}""#),
        &format!(r#""csrf_token":"{random}""#),
        &format!("token = {random}(1)"),
        &format!("tokenizer: \"{random}\""),
    ]);
}

#[test]
fn lines_around_a_key_without_the_key_are_no_key() {
    let public = format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----", draw(BASE62, 64, 3));
    assert_clean(&[
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\\nMIIE...\\n-----END RSA PRIVATE KEY-----",
        "starts with -----BEGIN OPENSSH PRIVATE KEY----- and so on",
        "grep -r 'BEGIN PRIVATE KEY' /home/somebody/projects/with/a/very/long/path/of/words",
        &public,
    ]);
}

#[test]
fn web_tokens_of_the_manuals_are_known() {
    let signature = draw(BASE62, 43, 9);
    let john = concat!("eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6", "IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ");
    assert_clean(&[
        &format!("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.{john}.{signature}"),
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.signature",
        &format!("eyJhbGciOiJIUzI1NiJ9.eyJzb21lIjoicGF5bG9hZCJ9.{signature}"),
        "eyJhbGci...",
    ]);
}
