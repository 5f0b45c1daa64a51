//! A secret → the texts that it stands in, as settings, programs, headers, addresses, commands and people have it.

use crate::planted::kinds::{Kind, Sign};

/// A text, the key of JSON it stands under, and the secret in it.
pub(crate) struct Plant {
    pub(crate) name: String,
    pub(crate) key: Option<String>,
    pub(crate) text: String,
    pub(crate) secret: String,
}

type Place = (&'static str, fn(&str, &str) -> String);

/// Where a name stands before the value.
const NAMED: &[Place] = &[
    ("environment", |name, value| format!("export {name}={value}\n")),
    ("quoted environment", |name, value| format!("PORT=3000\n{name}=\"{value}\"\nDEBUG=1\n")),
    ("yaml", |name, value| format!("app:\n  {name}: {value}\n  port: 8080\n")),
    ("json", |name, value| format!("{{\n  \"port\": 1,\n  \"{name}\": \"{value}\"\n}}")),
    ("json in json", |name, value| format!(r#"{{"out":"{{\"{name}\":\"{value}\"}}"}}"#)),
    ("code", |name, value| format!("const {name} = '{value}';\n")),
    ("python", |name, value| format!("os.environ[\"{name}\"] = \"{value}\"")),
    ("docker", |name, value| format!("docker run -e {name}={value} -p 80:80 app")),
    ("listing", |name, value| format!("     1→PORT=1\n     2→{name}={value}\n     3→DEBUG=\n")),
    ("diff", |name, value| format!("@@ -1 +1 @@\n-PORT=1\n+{name}={value}\n")),
    ("toml", |name, value| format!("[app]\n{name} = \"{value}\"\n")),
];

/// Where nothing says what it is.
const BARE: &[Place] = &[
    ("alone", |_, value| value.to_owned()),
    ("said", |_, value| format!("I pasted {value} into the form, is that fine?")),
    ("listed", |_, value| format!("- {value}\n- something else\n")),
    ("ticks", |_, value| format!("it was `{value}` before")),
    ("argument", |_, value| format!("client(\"https://api.acme.io\", \"{value}\")")),
    ("query", |_, value| format!("GET https://api.acme.io/v1/x?page=2&k={value}\n")),
    ("header", |_, value| format!("X-Acme: {value}\r\nAccept: */*\r\n")),
];

pub(crate) fn planted(kind: &Kind, form: &str) -> Vec<Plant> {
    let plant = |place: &str, key: Option<&str>, text: String, secret: &str| Plant {
        name: format!("{} ({place})", kind.name),
        key: key.map(str::to_owned),
        text,
        secret: secret.to_owned(),
    };
    if kind.sign == Sign::Around {
        return around(form).map(|(place, text, secret)| plant(place, None, text, &secret)).collect();
    }
    let named = NAMED.iter().map(|(place, put)| plant(place, None, put(kind.label, form), form));
    let mut all: Vec<Plant> = named.collect();
    all.push(plant("key", Some(kind.label), form.to_owned(), form));
    if kind.sign == Sign::Form {
        all.extend(BARE.iter().map(|(place, put)| plant(place, None, put(kind.label, form), form)));
    }
    all
}

fn around(form: &str) -> impl Iterator<Item = (&'static str, String, String)> {
    let (before, rest) = form.split_once('«').unwrap();
    let (secret, after) = rest.split_once('»').unwrap();
    let (text, secret) = (format!("{before}{secret}{after}"), secret.to_owned());
    let json = |text: &str| serde_json::to_string(text).unwrap().trim_matches('"').to_owned();
    let inside = (format!("{{\"output\":\"{}\"}}", json(&text)), json(&secret));
    let said = format!("I found this:\n{text}\nand rotated it");
    [("alone", text, secret.clone()), ("found", said, secret), ("json", inside.0, inside.1)].into_iter()
}
