//! Secrets that only their surroundings tell: assignments, command lines, headers, URLs, files of settings.

use super::{BASE62, BASE64, HEX, Planted, draw, inside, key_block};

pub(super) fn in_context() -> Vec<Planted> {
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
