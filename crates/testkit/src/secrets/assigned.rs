//! Passwords as people and machines choose them, beside the name that gives them away: with signs, without digits, with
//! blanks, in listings, tables and pairs.

use super::{HEX, Planted, draw, inside};

pub(super) fn assigned() -> Vec<Planted> {
    [signs(), addresses(), lines(), words(), blanks(), tables(), pairs()].concat()
}

/// Signs that mean something to shells, programs and pages.
fn signs() -> Vec<Planted> {
    vec![
        inside("bracket", "DB_PASSWORD=", "Kx9(3kdQp2", "\n"),
        inside("square bracket", "export DB_PASSWORD=", "Wq7[8mdRt4", "\n"),
        inside("semicolon", "DB_PASSWORD=", "Jx93;pdQv2mZ", "\n"),
        inside("leading sign", "DB_PASSWORD=", "&Lx93kdWp2mZ", "\n"),
        inside("leading bracket", "DB_PASSWORD=", "{Hx93kdWp2mQ", "\n"),
        inside("leading slash", "DB_PASSWORD=", "/Fx93kdWp2mV", "\n"),
        inside("dot", "{\"password\":\"", "Ab3.dkfjQm", "\"}"),
        inside("yaml signs", "db:\n  password: ", "Vx9(3;dQ|p2", "\n  port: 5432\n"),
        inside("xml signs", "<password>", "Rx9;b&amp;c7D", "</password>"),
        inside("flag signs", "tool --password=", "Dx9(3k,Qp2", " run"),
    ]
}

fn addresses() -> Vec<Planted> {
    let token = draw(HEX, 40, 210);
    vec![
        inside("url slash", "postgres://app:", "aB/9xQw7", "@db/app"),
        inside("url signs", "https://u:", "Kx9#kd(Qv2", "@h.acme.io/x"),
        inside("url braces", "redis://u:", "a?b{c}d^e|f9", "@cache:6379/0"),
        inside("url name", "https://", &token, ":x-oauth-basic@git.acme.io/x.git"),
        inside("url name alone", "https://", &draw(HEX, 40, 211), ":@git.acme.io/x.git"),
        inside("curl name", "curl -u ", &draw(HEX, 40, 212), ": https://api.acme.io"),
    ]
}

/// What listings, diffs and searches write before a line.
fn lines() -> Vec<Planted> {
    vec![
        inside("numbered", "     4→      POSTGRES_PASSWORD: ", "wombatfish", "\n     5→  x: y\n"),
        inside("diff", "@@ -1,2 +1,2 @@\n+  password: ", "narwhalfish", "\n"),
        inside("search", "config/app.yml:12:  password: ", "pelicanfish", "\n"),
        inside("comment behind", "db:\n  password: ", "walrusfish", " # the old one\n"),
        inside("humps", "db:\n  password: ", "BlueWhaleSky", "\n"),
    ]
}

/// Words, where no digit helps.
fn words() -> Vec<Planted> {
    vec![
        inside("flag word", "tool --password ", "ottershark", " run"),
        inside("ini", "# my.cnf\n[client]\nuser = bob\npassword = ", "badgershark", "\n"),
        inside("terraform variable", "TF_VAR_db_password=", "lemurshark", " terraform plan"),
        inside("helm", "helm install x y --set db.password=", "gibbonshark", "\n"),
        inside("property", "db.user=app\ndb.password=", "tapirshark", "\n"),
        inside("prompt", "$ passwd\nNew password: ", "heronshark", "\n"),
    ]
}

fn blanks() -> Vec<Planted> {
    vec![
        inside("passphrase", "{\"passphrase\":\"", "correct horse battery 9", "\"}"),
        inside("phrase of an environment", "JWT_SECRET='", "my super secret phrase 42", "'\n"),
        inside("mail", "MAIL_PASSWORD=", "qbcd wfgh rjkl vnop", "\n"),
        inside("three quotes", "password = \"\"\"", "Zx93kdQp2mK", "\"\"\"\n"),
    ]
}

fn tables() -> Vec<Planted> {
    vec![
        inside("columns", "Key         Value\n---         -----\npassword    ", "Nx93kdQp2mZ", "\n"),
        inside("csv", "$ cat users.csv\nname,password,role\nbob,", "Bx93kdQp2mZ", ",admin\n"),
        inside("markdown table", "Users:\n\n| user | password |\n|---|---|\n| bob | ", "Mx93kdQp2mZ", " |\n"),
        inside(
            "psql",
            "shop=> table users;\n id | password \n----+----------\n  1 | ",
            "Px93kdQp2mZ",
            "\n(1 row)\n",
        ),
        inside("insert", "INSERT INTO users (name, password) VALUES ('bob', '", "Ix93kdQp2mZ", "');"),
    ]
}

fn pairs() -> Vec<Planted> {
    vec![
        inside("value first", "{\"value\":\"", "Cx93kdQp2mZ", "\",\"name\":\"DB_PASSWORD\"}"),
        inside("parameter", "{\"ParameterKey\":\"DBPassword\",\"ParameterValue\":\"", "quollray", "\"}"),
        inside("plist", "<key>password</key>\n\t<string>", "dingoray", "</string>"),
        inside("gradle", "    storePassword \"", "koalaray", "\"\n"),
        inside("arguments", "[\"tool\",\"--password\",\"", "emuray-x", "\"]"),
        inside("otherwise", "POSTGRES_PASSWORD: ${DB_PASSWORD:-", "bilbyray", "}\n"),
        inside("next line", "password:\n  ", "Gx93kdQp2mZ", "\n"),
        inside("block", "password: >-\n  ", "possumray", "\nother: x\n"),
        inside("plan", "~ password = \"x\" -> \"", "numbatray", "\"\n"),
    ]
}
