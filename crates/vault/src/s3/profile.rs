//! The text of the files in `~/.aws` → what one profile says.
//!
//! Sections with keys; lines indented below an empty value belong to that key. Reading the files is the caller's.

use super::Credentials;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    pub credentials: Option<Credentials>,
    pub region: Option<String>,
    pub endpoint: Option<String>,
}

/// None where neither file knows the profile. Of a key in both files, the value in the credentials file counts.
pub fn credentials(
    credentials_file: Option<&str>,
    config_file: Option<&str>,
    profile: &str,
) -> Option<Profile> {
    let config = config_file.unwrap_or_default();
    let in_credentials = Section::find(credentials_file.unwrap_or_default(), |title| title == profile);
    let in_config = Section::find(config, |title| {
        words(title) == ("profile", profile) || (profile == "default" && title == "default")
    });
    if in_credentials.is_none() && in_config.is_none() {
        return None;
    }
    let sections = [in_credentials.unwrap_or_default(), in_config.unwrap_or_default()];
    let value = |key: &str| sections.iter().find_map(|section| section.value(key)).map(str::to_owned);
    let services = value("services").and_then(|services| {
        Section::find(config, |title| words(title) == ("services", &services))?
            .value("s3.endpoint_url")
            .map(str::to_owned)
    });
    Some(Profile {
        credentials: sections.iter().find_map(Section::credentials),
        region: value("region"),
        endpoint: services.or_else(|| value("endpoint_url")),
    })
}

/// Keys and values; `key.inner` for a line that is indented below a key.
#[derive(Debug, Default)]
struct Section<'a> {
    values: Vec<(String, &'a str)>,
}

impl<'a> Section<'a> {
    fn find(text: &'a str, is_wanted: impl Fn(&str) -> bool) -> Option<Self> {
        let mut found: Option<Self> = None;
        let mut is_inside = false;
        let mut outer = String::new();
        for line in text.trim_start_matches('\u{feff}').lines() {
            let content = without_comment(line);
            if let Some(title) = content.strip_prefix('[').and_then(|title| title.split(']').next()) {
                is_inside = is_wanted(title.trim());
                outer.clear();
                if is_inside {
                    found.get_or_insert_default();
                }
            } else if let Some(section) = found.as_mut().filter(|_| is_inside) {
                section.take(line, content, &mut outer);
            }
        }
        found
    }

    fn take(&mut self, line: &str, content: &'a str, outer: &mut String) {
        let Some((key, value)) = content.split_once('=') else { return };
        let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
        let is_inner = line.starts_with([' ', '\t']) && !outer.is_empty();
        if is_inner {
            self.values.push((format!("{outer}.{key}"), value));
            return;
        }
        *outer = if value.is_empty() { key.clone() } else { String::new() };
        self.values.push((key, value));
    }

    /// The last value counts.
    fn value(&self, key: &str) -> Option<&'a str> {
        let mut values = self.values.iter().rev();
        values.find(|(own, value)| own == key && !value.is_empty()).map(|(_, value)| *value)
    }

    /// From one file: half of one pair and half of another are no pair.
    fn credentials(&self) -> Option<Credentials> {
        Some(Credentials {
            key_id: self.value("aws_access_key_id")?.to_owned(),
            secret: self.value("aws_secret_access_key")?.to_owned(),
            token: self.value("aws_session_token").map(str::to_owned),
        })
    }
}

/// Before a `#` or `;` that follows a blank or comes first; a secret may have them inside.
fn without_comment(line: &str) -> &str {
    let mut before = ' ';
    let is_comment = |(_, letter): &(usize, char)| {
        let begins = before.is_whitespace() && matches!(letter, '#' | ';');
        before = *letter;
        begins
    };
    let end = line.char_indices().find(is_comment).map_or(line.len(), |(at, _)| at);
    line.get(..end).unwrap_or(line).trim()
}

/// `profile "my name"` → its two words.
fn words(title: &str) -> (&str, &str) {
    let (kind, name) = title.split_once([' ', '\t']).unwrap_or((title, ""));
    (kind, name.trim().trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CREDENTIALS: &str = "\
# of the default
[default]
aws_access_key_id = ONE
aws_secret_access_key=se#cr;et/+=   ; said once
[ other ]
  AWS_ACCESS_KEY_ID   =  TWO
aws_secret_access_key = two
aws_session_token = three
region = eu-west-3

[half]
aws_access_key_id = FOUR
";
    const CONFIG: &str = "\u{feff}\
[default]
region = us-west-2
[profile other]
region = us-east-2
endpoint_url = http://127.0.0.1:9000
s3 =
  endpoint_url = http://inner
  region = nowhere
[profile \"my name\"]
aws_access_key_id = FIVE
aws_secret_access_key = five
services = mine ; below
endpoint_url = http://general
[half]
region = not a profile
[services mine]
dynamodb =
  endpoint_url = http://database
s3 =
  endpoint_url = http://objects
[profile half]
aws_secret_access_key = of another pair
";

    fn of(profile: &str) -> Option<Profile> {
        credentials(Some(CREDENTIALS), Some(CONFIG), profile)
    }

    fn pair(key_id: &str, secret: &str, token: Option<&str>) -> Option<Credentials> {
        let token = token.map(str::to_owned);
        Some(Credentials { key_id: key_id.to_owned(), secret: secret.to_owned(), token })
    }

    #[test]
    fn both_files_are_one_profile() {
        let default = of("default").unwrap();
        assert_eq!(default.credentials, pair("ONE", "se#cr;et/+=", None));
        assert_eq!((default.region.as_deref(), default.endpoint), (Some("us-west-2"), None));
    }

    #[test]
    fn the_file_of_credentials_comes_first() {
        let other = of("other").unwrap();
        assert_eq!(other.credentials, pair("TWO", "two", Some("three")));
        assert_eq!(other.region.as_deref(), Some("eu-west-3"));
        assert_eq!(other.endpoint.as_deref(), Some("http://127.0.0.1:9000"));
    }

    #[test]
    fn a_profile_may_name_its_services() {
        let named = of("my name").unwrap();
        assert_eq!(named.credentials, pair("FIVE", "five", None));
        assert_eq!(named.endpoint.as_deref(), Some("http://objects"));
    }

    #[test]
    fn half_a_pair_is_none() {
        assert_eq!(of("half"), Some(Profile::default()));
    }

    #[test]
    fn what_is_missing_is_missing() {
        assert_eq!(of("nobody"), None);
        assert_eq!(of(""), None);
        assert_eq!(of("services mine"), None);
        assert_eq!(credentials(None, None, "default"), None);
        assert!(credentials(None, Some(CONFIG), "default").unwrap().credentials.is_none());
        assert!(credentials(Some(CREDENTIALS), None, "default").unwrap().credentials.is_some());
        assert_eq!(credentials(Some("[default\nkey\n=\n[]\n= x"), Some("garbage ["), "x"), None);
    }
}
