//! The user's name, standing alone anywhere: in columns of `ls`, before hosts, in encoded directories, in prose.
//!
//! A name that is also a word counts only where its surroundings say that it is a user's.

use std::ops::Range;

use aho_corasick::AhoCorasick;

use crate::find::{Find, Rank};
use crate::home::Home;
use crate::name::is_one_of;
use crate::path::separator_before;
use crate::pattern::Pattern;

/// Names that identify no person.
const ANYBODY: &str = "demo coder user users username user-name user_name name yourname your-name your_name you your me myself my someone \
    somebody public shared guest runner runneradmin ubuntu debian fedora centos alpine arch root node vscode app apps default \
    all dev developer test tests testuser tester admin administrator ec2-user azureuser vagrant docker git www www-data nobody \
    daemon bin sys system service services home jovyan gitpod codespace circleci travis jenkins builder build deploy worker \
    linuxbrew student staff operator postgres mysql redis nginx apache claude agent assistant sandbox foo bar baz example \
    placeholder xxx xxxx project projects workspace work data tmp temp local host desktop documents downloads";

/// First names and the like that sentences are made of, too.
const ORDINARY: &str = "will mark grace hope faith joy may june april august art bill bob chip dale dean drew earl frank gene \
    grant guy hunter jack john josh ken lance lily max miles miller nick norm page pat paul penny pierce ray reed rich rob robin \
    rod rose ruby rusty sandy scott sky stone summer sunny terry tony trace violet wade ward west young art basil clay cliff \
    colin crystal daisy dawn dusty eve forest ginger glen harry iris ivy jade jasmine jay jean jewel lane laurel lee leo melody \
    mason mercy olive opal patience pearl piper poppy prince rain raven river robin sage sky star stormy taylor temple terra \
    tuck victor wren alpha beta gamma delta main master super power master alias agent model coder code coding script shell \
    python rust java swift kotlin perl scala julia react angular vite next query sync async stack cloud server client token";

/// What pages, their addresses and the folders of projects are called.
const ROUTES: &str = "api apis web site sites www docs doc document wiki blog news feed post posts page pages index about contact help support \
    info status search settings setting profile profiles account accounts dashboard login logout signin signup register \
    billing pricing shop store cart checkout order orders product products catalog category tag tags list lists item items \
    event events calendar message messages inbox chat mail email notification notifications group groups team teams member \
    members friend friends photo photos video videos image images media music file files folder upload uploads download \
    report reports chart charts stats metrics analytics logs trace monitor config configs option options tool tools task \
    tasks todo todos note notes board boards view views edit editor create delete update detail details home hero banner \
    header footer sidebar menu nav layout theme style styles asset assets static public private internal external shared \
    core base util utils helper helpers common lib libs library vendor package packages module modules plugin plugins \
    component components widget widgets hook hooks route routes router screen screens feature features section welcome \
    frontend backend fullstack mobile desktop native flutter ionic rails django flask laravel spring express nest nuxt svelte \
    vue ember gatsby remix astro deno node npm yarn bash fish linux unix windows macos android docker podman helm kube vault \
    kafka spark flink hive hadoop elastic kibana grafana prometheus consul nomad ansible chef puppet terraform pulumi gitlab \
    github gitea bitbucket jira slack discord zoom teams notion linear figma stripe shopify amazon google apple microsoft \
    azure lambda edge proxy gateway cache queue stream batch cron jobs worker daemon kernel driver engine runtime compiler \
    parser lexer linter format formatter debug release prod production staging preview beta demo sample samples example \
    examples tutorial guide guides course lesson book books paper papers draft drafts archive backup backups old new latest \
    stable legacy vision image text audio voice speech bot bots human people person child world global local remote region \
    english french german green blue white black brown gray grey gold silver light dark night moon fire water earth wind \
    today week month year time date clock alarm timer count total number value values field fields form forms table tables \
    column row rows grid cell graph tree leaf branch merge commit push pull fetch clone fork issue issues release version";

const SHORTEST_DISTINCT: usize = 4;

/// All that is known about whose machine it is.
#[derive(Debug)]
pub(crate) struct People {
    homes: Vec<Home>,
    names: Vec<Name>,
    searcher: Option<AhoCorasick>,
}

#[derive(Debug)]
struct Name {
    spelled: String,
    /// No person, or many: only homes are looked for.
    is_anybody: bool,
    is_ordinary: bool,
}

impl Name {
    fn new(spelled: String) -> Self {
        let lower = spelled.to_ascii_lowercase();
        let is_ordinary =
            spelled.chars().count() < SHORTEST_DISTINCT || is_one_of(&lower, ORDINARY) || is_route(&lower);
        Self { is_anybody: is_anybody(&spelled), is_ordinary, spelled }
    }
}

/// Whether a page may be called so.
pub(crate) fn is_route(name: &str) -> bool {
    is_one_of(&name.to_ascii_lowercase(), ROUTES)
}

/// Whether a name identifies a person, and is no word.
pub(crate) fn is_distinct(name: &str) -> bool {
    let name = Name::new(name.to_owned());
    !name.is_anybody && !name.is_ordinary
}

/// Whether a name says nothing about whom it belongs to.
pub(crate) fn is_anybody(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    is_one_of(lower.trim_end_matches(|letter: char| letter.is_ascii_digit()), ANYBODY)
        || !lower.contains(|letter: char| letter.is_alphabetic())
}

impl People {
    pub(crate) fn new(homes: &[String], users: &[String]) -> Self {
        let homes: Vec<Home> = homes.iter().filter_map(|home| Home::new(home)).collect();
        let own = homes.iter().map(|home| home.name.clone());
        let mut spelled: Vec<String> =
            users.iter().cloned().chain(own).filter(|name| name.len() > 1).collect();
        // A project's directory is named by its path, with a dash for all that is no letter or digit.
        let encoded = |name: &String| name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
        spelled.extend(spelled.iter().map(encoded).collect::<Vec<_>>());
        spelled.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        spelled.dedup();
        let searcher = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(aho_corasick::MatchKind::LeftmostFirst)
            .build(&spelled)
            .ok()
            .filter(|_| !spelled.is_empty());
        Self { homes, names: spelled.into_iter().map(Name::new).collect(), searcher }
    }

    pub(crate) fn read(&self, text: &[u8], finds: &mut Vec<Find>) {
        let Some(searcher) = &self.searcher else { return };
        for found in searcher.find_iter(text) {
            let Some(name) = self.names.get(found.pattern().as_usize()) else { continue };
            let range = found.range();
            if let Some(range) = self.homes.iter().find_map(|home| home.around(text, &range)) {
                finds.push(Find { range, kind: "home", rank: Rank::Home });
            } else if !name.is_anybody && is_user(text, &range, name) {
                finds.push(Find { range, kind: "user", rank: Rank::User });
            }
        }
    }
}

fn is_user(text: &[u8], range: &Range<usize>, name: &Name) -> bool {
    let around = Around::new(text, range);
    let is_same = around.own == name.spelled.as_bytes();
    let is_spelled = is_same || around.is_below_users() || !name.is_ordinary && around.is_of_a_person();
    let is_apart = around.stands_alone() || !name.is_ordinary && around.names_a_machine();
    is_apart && is_spelled && (!name.is_ordinary || around.says_user())
}

/// A name, and the text on both sides of it.
struct Around<'a> {
    text: &'a [u8],
    range: &'a Range<usize>,
    own: &'a [u8],
    before: &'a [u8],
    after: &'a [u8],
}

impl<'a> Around<'a> {
    fn new(text: &'a [u8], range: &'a Range<usize>) -> Self {
        let own = text.get(range.clone()).unwrap_or_default();
        let before = text.get(range.start.saturating_sub(64)..range.start).unwrap_or_default();
        Self { text, range, own, before, after: text.get(range.end..).unwrap_or_default() }
    }

    fn stands_alone(&self) -> bool {
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80;
        let is_escaped = matches!(self.before, [.., b'\\', b'n' | b'r' | b't']);
        let is_encoded = matches!(self.before, [.., b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit());
        (is_escaped || is_encoded || !self.before.last().is_some_and(is_letter))
            && !self.after.first().is_some_and(is_letter)
    }

    /// In capitals it is a name where authors and machines stand.
    fn is_of_a_person(&self) -> bool {
        static AUTHOR: Pattern =
            Pattern::new(r"(?i)author:|commit:|committer:|-by:|tagger |name:|author =|name =");
        let line = self.before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        // The fifth field of `/etc/passwd`.
        let is_entry = line.ends_with(b":") && line.iter().filter(|byte| **byte == b':').count() == 4;
        AUTHOR.is_match(line) || is_entry || self.names_a_machine()
    }

    /// `ALICE-PC`, `alices-MacBook-Pro.local`
    fn names_a_machine(&self) -> bool {
        static MACHINE: Pattern = Pattern::new(
            r"(?i)\A(?:s|'s|\xE2\x80\x99s)?[ -](?:pc|macbook|mbp|imac|mac-|laptop|desktop|thinkpad|workstation|notebook|air|surface|iphone|ipad|dev-|vm)",
        );
        let before = self.before.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
        let near = self.after.get(..self.after.len().min(24)).unwrap_or_default();
        !before && MACHINE.is_match(near)
    }

    /// Windows does not mind the case.
    fn is_below_users(&self) -> bool {
        self.folder().is_some_and(|folder| folder.eq_ignore_ascii_case(b"users"))
    }

    fn folder(&self) -> Option<&'a [u8]> {
        let end = separator_before(self.text, self.range.start)?;
        self.text.get(..end)?.rsplit(|byte| !byte.is_ascii_alphanumeric()).next()
    }

    /// A path to a person's files, an account at a host, a field or a column for users.
    fn says_user(&self) -> bool {
        static FIELD: Pattern = Pattern::new(
            r#"(?i)(?:-home-|-users-|~|user=|user: ?|username=|username: |logname=|login:? |owner: |owner=|author: |-u |user":"|user": "|username":"|username": "|chown |su - |uid=1000\()\z"#,
        );
        let folders = [&b"home"[..], b"Users", b"users", b"mail", b"crontabs"];
        let is_account = matches!(self.after, [b'@', host, ..] if host.is_ascii_alphanumeric());
        let is_below = self.folder().is_some_and(|folder| folders.contains(&folder));
        is_below || is_account || FIELD.is_match(self.before) || self.is_column()
    }

    /// `2 will will 4096`, `will staff`: owner and group of a listing.
    fn is_column(&self) -> bool {
        let next = self.after.trim_ascii_start();
        let is_blank = self.after.starts_with(b" ");
        let groups = [self.own, b"staff", b"users", b"wheel", b"docker", b"root"];
        let has_group = groups.iter().any(|group| {
            next.strip_prefix(*group).is_some_and(|rest| rest.starts_with(b" ") || rest.is_empty())
        });
        let has_owner = self.before.trim_ascii_end().ends_with(self.own) && self.before.ends_with(b" ");
        let is_counted = self.before.trim_ascii_end().last().is_some_and(u8::is_ascii_digit);
        is_blank && ((has_group && is_counted) || (has_owner && next.first().is_some_and(u8::is_ascii_digit)))
    }
}
