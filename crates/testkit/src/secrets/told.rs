//! Secrets in sentences, programs, tables or terminal output: no name is right before them.

use super::{BASE32, BASE62, BASE64, HEX, LOWER, Planted, URL64, draw, inside, key_block};

const PASSWORD: &str = "Kx93kdQp2mZ";

pub(super) fn told() -> Vec<Planted> {
    [on_terminals(), in_prose(), in_commands(), in_sessions(), in_files(), beside()].concat()
}

/// Colours, overwriting, and invisible letters.
fn on_terminals() -> Vec<Planted> {
    let colour = |text: &str| format!("\x1b[33m{text}\x1b[0m");
    let key = colour(&key_block("\x1b[0m\n\x1b[33m"));
    vec![
        inside("grep colour", "config.py:\x1b[01;31m\x1b[Kpassword\x1b[m\x1b[K = \"", PASSWORD, "\""),
        inside("inspect colour", "{ password: \x1b[32m'", PASSWORD, "'\x1b[39m }"),
        inside(
            "jq colour",
            "\x1b[34;1m\"password\"\x1b[0m\x1b[1;39m:\x1b[0m \x1b[0;32m\"",
            PASSWORD,
            "\"\x1b[0m",
        ),
        inside(
            "bat colour",
            "\x1b[38;5;231mDB_PASSWORD\x1b[0m\x1b[38;5;203m=\x1b[0m\x1b[38;5;186m",
            PASSWORD,
            "\x1b[0m",
        ),
        inside("token colour", concat!("\x1b[31mgh", "p_\x1b[0m"), &draw(BASE62, 36, 201), "\n"),
        inside("key colour", "-----", &key, "-----\n"),
        inside("spelled colour", r"DB_PASSWORD=\u001b[32m", PASSWORD, r"\u001b[0m"),
        inside("link", "\x1b]8;;https://bob:", PASSWORD, "@acme.io/\x1b\\link\x1b]8;;\x1b\\"),
        inside("carriage", "DB_PASSWORD=\r", PASSWORD, "\n"),
        inside("backspace", "DB_PASSWORD=K\x08", PASSWORD, "\n"),
        inside("no width", "DB_PASSWORD=\u{200b}", PASSWORD, "\n"),
    ]
}

fn in_prose() -> Vec<Planted> {
    let sentences = [
        ("the password is ", ", please use it"),
        ("The password for the admin user is \"", "\"."),
        ("the db pw's ", "\n"),
        ("set the password to ", " then"),
        ("use ", " as the pw"),
        ("log in with admin / ", "\n"),
        ("creds are bob@acme.io and ", "\n"),
        ("log in as bob with password ", "\n"),
        ("The new password is ", "."),
        ("my passphrase is ", "\n"),
        ("pw: ", "\n"),
        ("{\"pw\": \"", "\"}"),
        ("sign in with bob and ", "\n"),
        ("the root password was ", "\n"),
        ("the passcode is ", "\n"),
        ("password for staging is now ", "\n"),
        ("change the password to ", "\n"),
        ("the wifi password will be ", "\n"),
        ("credentials: bob / ", "\n"),
        ("test account: qa@acme.io / ", "\n"),
        ("choose ", " as password"),
        ("type ", " as the password"),
        ("I used ", " as my password"),
        ("**Password**: ", "\n"),
        ("the password = ", "\n"),
    ];
    let passwords =
        sentences.iter().map(|(before, after)| inside(&format!("said: {before}"), before, PASSWORD, after));
    let token = draw(BASE62, 32, 202);
    let tokens = [
        inside("key said", "my api key is ", &token, "\n"),
        inside("key below", "Here is my API key:\n\n", &token, "\n\nuse it"),
        inside("new token", "Your new API token is ", &token, "\n"),
    ];
    passwords.chain(tokens).collect()
}

/// What programs read from their arguments and from each other.
fn in_commands() -> Vec<Planted> {
    let commands = [
        ("echo ", " | sudo -S apt update"),
        ("printf '%s\\n' '", "' | sudo -S ls"),
        ("sudo -S ls <<< '", "'"),
        ("echo \"", "\" | docker login ghcr.io -u x --password-stdin"),
        ("echo -n \"", "\" | gh secret set DEPLOY"),
        ("echo \"bob:", "\" | chpasswd"),
        ("gh secret set DEPLOY --body \"", "\""),
        ("aws secretsmanager create-secret --name x --secret-string \"", "\""),
        ("aws ssm put-parameter --name /x --type SecureString --value \"", "\""),
        ("vault kv put secret/app value=", " ttl=1h"),
        ("kubectl create secret generic s --from-literal=foo=", ""),
        ("sqlcmd -S x -U sa -P ", " -Q go"),
        ("twine upload -u bot -p ", " dist/*"),
        ("supabase db push -p ", ""),
        ("htpasswd -bc .htpasswd bob ", ""),
        ("keytool -genkey -storepass ", " -alias a"),
        ("security unlock-keychain -p ", " login.keychain"),
        ("security add-generic-password -a bob -s x -w ", ""),
        ("openssl enc -aes-256-cbc -k ", " -in x"),
        ("openssl enc -d -aes-256-cbc -pass pass:", ""),
        ("ssh-keygen -t ed25519 -N \"", "\" -f k"),
        ("set -gx DB_PASSWORD ", "\n"),
        ("user.set_password(\"", "\")"),
        ("page.getByLabel('Password').fill('", "')"),
    ];
    commands
        .iter()
        .map(|(before, after)| inside(&format!("run: {before}"), before, PASSWORD, after))
        .collect()
}

fn in_sessions() -> Vec<Planted> {
    let session = draw(LOWER, 32, 203);
    let token = draw(BASE62, 24, 204);
    vec![
        inside("curl cookie", "curl -b \"session=", &session, "\" https://acme.io"),
        inside(
            "archive cookie",
            "\"cookies\":[{\"name\":\"session\",\"value\":\"",
            &session,
            "\",\"path\":\"/\"}]",
        ),
        inside("cookies.txt", ".acme.io\tTRUE\t/\tTRUE\t1735689600\tuser_session\t", &session, "\n"),
        inside("php session", "PHPSESSID=", &session, "; path=/"),
        inside("session id", "session_id=", &draw(HEX, 32, 205), "\n"),
        inside("query key", "https://maps.acme.io/?key=", &token, "\n"),
        inside("query code", "https://acme.io/cb?code=", &token, "&state=x"),
        inside("query auth", "wss://acme.io/?auth=", &token, "\n"),
        inside("query session", "https://acme.io/?session=", &token, "&page=2"),
    ]
}

/// Manifests and keys, encoded or not.
fn in_files() -> Vec<Planted> {
    let url = "cG9zdGdyZXM6Ly9hcHA6SHVudGVyMjJAZGIvYXBw";
    let environment = "REJfUEFTU1dPUkQ9S3g5M2tkUXAybVoKQT1iCg==";
    let begin = concat!("LS0tLS1CRUdJTiBSU0EgUFJJ", "VkFURSBLRVktLS0tLQpN");
    let lines = |seed: u64| (0..6).map(|line| draw(BASE64, 64, seed + line)).collect::<Vec<_>>().join("\n");
    let prefixed = key_block("\n[app-1] ");
    vec![
        inside("manifest", "apiVersion: v1\nkind: Secret\ndata:\n  DATABASE_URL: ", url, "\n"),
        inside(
            "manifest sorted",
            "apiVersion: v1\ndata:\n  smtp: ",
            url,
            "\nkind: Secret\nmetadata:\n  name: app\n",
        ),
        inside(
            "manifest json",
            "{\"apiVersion\":\"v1\",\"data\":{\"smtp\":\"",
            "TWFpbGVyOTkheHl6dw==",
            "\"},\"kind\":\"Secret\"}",
        ),
        inside("manifest plain", "kind: Secret\nstringData:\n  smtp: ", "mailer-and-more", "\n"),
        inside("encoded environment", "$ base64 -w0 .env\n", environment, "\n"),
        inside("encoded key", "SSH_KEY_B64=", &encoded_key(begin), "\n"),
        inside("putty key", "Private-Lines: 6\n", &lines(210), "\n"),
        inside("web key", "{\"kty\":\"EC\",\"crv\":\"P-256\",\"d\":\"", &draw(URL64, 43, 206), "\"}"),
        inside("basic alone", "send Basic ", "Ym9iOmh1bnRlcjIyeA==", " along"),
        inside("key in a log", "[app-1] -----", &prefixed, "-----\n"),
        inside(
            "wallet",
            "5K",
            &draw("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", 49, 207),
            "\n",
        ),
        inside("yescrypt", "", &format!("$y$j9T${}${}", draw(BASE62, 22, 208), draw(BASE62, 43, 209)), ":"),
    ]
}

/// A key whose beginning is this, with lines of letters and digits behind.
fn encoded_key(begin: &str) -> String {
    format!("{begin}{}", "MTIzNDU2Nzg5QWJDZEVmR2hJ".repeat(6))
}

/// Secrets in a row of a table, or beside underlines.
fn beside() -> Vec<Planted> {
    let secret = draw(BASE64, 40, 230);
    let id = format!("{}{}", concat!("AK", "IA"), draw(BASE32, 16, 231));
    let signature = draw(HEX, 64, 232);
    let token = format!("{}{}", concat!("gh", "p_"), draw(BASE62, 36, 233));
    let webhook = draw(BASE62, 68, 234);
    vec![
        inside("aws prompt", "AWS Secret Access Key [None]: ", &secret, "\n"),
        inside(
            "aws table",
            &format!("User name,Access key ID,Secret access key\ndeploy,{id},"),
            &secret,
            "\n",
        ),
        inside("aws text", &format!("ACCESSKEY\t{id}\t2026-01-01T00:00:00+00:00\t"), &secret, "\tActive\n"),
        inside("aws header", "SignedHeaders=host;x-amz-date, Signature=", &signature, "\n"),
        inside("wrapped", "API_KEY=q8Rk2fYwoP0vLs7Z\n", "mN4tXcJJ31kqWb9s", "\n"),
        inside("underlines", "mcp__", &token, "__x"),
        inside("underline behind", "", &token, "_old.txt"),
        inside(
            "discord version",
            "https://discord.com/api/v10/webhooks/1102938475610293847/",
            &webhook,
            "\n",
        ),
    ]
}
