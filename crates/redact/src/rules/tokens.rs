//! Tokens whose form their service fixed.
//!
//! Prefixes, alphabets and lengths are what the services document and public rule sets agree on. Lengths are lower
//! bounds: a token that is a little longer than last year is still one.

use super::{Match, Rule};
use crate::entropy::{is_jumbled, is_random, is_surely_random};
use crate::example::is_example;
use crate::find::Rank;
use crate::text::{is_inside_base64, is_word, starts_word};

const fn token(kind: &'static str, keywords: &'static str, pattern: &'static str) -> Rule {
    Rule { kind, keywords, pattern, before: 0, accepts: is_token, rank: Rank::Form }
}

/// Its prefix is a word that people use too, so the rest must look random.
const fn random(kind: &'static str, keywords: &'static str, pattern: &'static str) -> Rule {
    Rule { accepts: is_random_token, ..token(kind, keywords, pattern) }
}

/// Its form is so unlike anything else that nothing around it matters.
const fn anywhere(kind: &'static str, keywords: &'static str, pattern: &'static str) -> Rule {
    Rule { accepts: |found| !is_example(found.secret()), ..token(kind, keywords, pattern) }
}

pub(crate) const TOKENS: &[Rule] = &[
    // Models.
    token("anthropic-key", "sk-ant-", r"sk-ant-[\w-]{16,}"),
    token("openrouter-key", "sk-or-", r"sk-or-(?:v1-)?[\w-]{24,}"),
    token("langfuse-key", "sk-lf-", r"sk-lf-[A-Za-z0-9-]{24,}"),
    token("openai-key", "sk-", r"sk-(?:(?:proj|svcacct|admin|None)-[\w-]{16,}|[A-Za-z0-9]{40,}|[Xx]{16,})"),
    random("openai-key", "sk-", r"sk-[\w-]{20,220}"),
    token("huggingface-token", "hf_|api_org_", r"(?:hf_|api_org_)[A-Za-z0-9]{30,}"),
    token("replicate-token", "r8_", r"r8_[A-Za-z0-9]{30,}"),
    token("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{40,}"),
    token("xai-key", "xai-", r"xai-[\w-]{60,}"),
    token("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{32,}"),
    token("cerebras-key", "csk-", r"csk-[a-z0-9]{32,}"),
    token("langsmith-key", "lsv2_", r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    token("pinecone-key", "pcsk_", r"pcsk_\w{40,}"),
    random("fireworks-key", "fw_", r"fw_[A-Za-z0-9]{20,}"),
    token("nvidia-key", "nvapi-", r"nvapi-[\w-]{40,}"),
    token("tavily-key", "tvly-", r"tvly-[A-Za-z0-9-]{24,}"),
    token("together-key", "tgp_v1_", r"tgp_v1_[\w-]{32,}"),
    token("wandb-key", "wandb_v1_", r"wandb_v1_\w{40,}"),
    token("cursor-key", "key_", r"key_(?:[0-9a-f]{28,}|(?:live|test)_[A-Za-z0-9]{32})"),
    token("coze-token", "pat_", r"pat_[A-Za-z0-9]{64}"),
    token("elevenlabs-key", "sk_", r"sk_(?:[0-9a-f]{48}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"),
    random("voyage-key", "pa-|al-", r"(?:pa|al)-[\w-]{43}"),
    // Code and packages.
    token(
        "github-token",
        "ghp_|gho_|ghu_|ghs_|ghr_",
        r"gh[pousr]_(?:[A-Za-z0-9]{20,}|[A-Za-z0-9]+_eyJ[\w.-]{20,})",
    ),
    token("github-token", "github_pat_", r"github_pat_\w{30,}"),
    token(
        "gitlab-token",
        "glpat-|gldt-|glrt-|glrtr-|glptt-|glcbt-|glft-|glsoat-|glimt-|glagent-|gloas-|glffct-",
        r"gl(?:pat|dt|rtr?|ptt|cbt|ft|soat|imt|agent|oas|ffct)-[\w.-]{16,}",
    ),
    token("gitlab-token", "GR1348941", r"GR1348941[\w-]{20,}"),
    token("gitlab-session", "_gitlab_session=", r"_gitlab_session=([0-9a-z]{32})"),
    token("atlassian-token", "ATATT3|ATCTT3|ATBB", r"(?:AT[AC]TT3[\w=-]{60,}|ATBB[A-Za-z0-9]{24,})"),
    token("npm-token", "npm_", r"npm_[A-Za-z0-9]{36,}"),
    token("pypi-token", "pypi-AgE", r"pypi-AgE[\w-]{40,}"),
    token("rubygems-key", "rubygems_", r"rubygems_[0-9a-f]{40,}"),
    token("crates-io-token", "cio", r"cio[A-Za-z0-9]{32}"),
    token("nuget-key", "oy2", r"oy2[a-z0-9]{43}"),
    token("docker-token", "dckr_pat_|dckr_oat_", r"dckr_[po]at_[\w-]{20,}"),
    token("jfrog-token", "AKCp|cmVmd", r"(?:AKCp[A-Za-z0-9]{60,}|cmVmd[A-Za-z0-9]{59})"),
    token("clojars-token", "CLOJARS_", r"CLOJARS_[0-9a-f]{60}"),
    token("sourcegraph-token", "sgp_", r"sgp_(?:[A-Za-z0-9]+_)?[0-9a-f]{40}"),
    token("sonar-token", "squ_|sqp_|sqa_", r"sq[upa]_[0-9a-f]{40}"),
    token("circleci-token", "CCIPAT_|CCIPRJ_", r"CCIP(?:AT|RJ)_[A-Za-z0-9]{10,}_[0-9a-f]{40}"),
    token("buildkite-token", "bkua_", r"bkua_[0-9a-f]{40}"),
    // Clouds and hosts.
    token("aws-access-key-id", "AKIA|ASIA|ABIA|ACCA", r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}"),
    token("aws-bedrock-key", "ABSK", r"ABSK[A-Za-z0-9+/]{100,}={0,2}"),
    token("google-api-key", "AIza", r"AIza[\w-]{30,}"),
    token("google-oauth-token", "ya29.|GOCSPX-|1//0", r"(?:(?:ya29\.|GOCSPX-)[\w.-]{20,}|1//0[\w-]{40,})"),
    token("alibaba-key-id", "LTAI|STS.", r"(?:LTAI[A-Za-z0-9]{16,20}|STS\.[A-Za-z0-9]{20,})"),
    token("databricks-token", "dapi", r"dapi[0-9a-f]{32}(?:-[0-9])?"),
    token("digitalocean-token", "dop_v1_|doo_v1_|dor_v1_", r"do[por]_v1_[0-9a-f]{64}"),
    token("heroku-key", "HRKU-", r"HRKU-[\w-]{30,}"),
    token("netlify-token", "nfp_|nfc_|nfo_", r"nf[pco]_[A-Za-z0-9]{32,}"),
    token(
        "vercel-token",
        "vcp_|vci_|vca_|vck_|vcr_|vercel_blob_rw_",
        r"(?:vc[piakr]_|vercel_blob_rw_)[A-Za-z0-9_]{24,}",
    ),
    token("fly-token", "fo1_|fm1|fm2_|FlyV1 ", r"(?:FlyV1 )?f(?:o1|m1[ar]|m2)_[\w+/=,-]{40,}"),
    token("supabase-key", "sbp_|sb_secret_", r"(?:sbp_(?:oauth_)?[0-9a-z]{40}|sb_secret_[\w-]{20,})"),
    token("planetscale-token", "pscale_", r"pscale_(?:tkn|oauth|pw)_[\w.=-]{32,}"),
    token("neon-key", "napi_", r"napi_[a-z0-9]{50,}"),
    token("cloudflare-key", "v1.0-", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
    token("tailscale-key", "tskey-", r"tskey-[a-z]+-[A-Za-z0-9]+-[A-Za-z0-9]{16,}"),
    token("vault-token", "hvs.|hvb.|hvr.", r"hv[sbr]\.[\w-]{24,}"),
    token("pulumi-token", "pul-", r"pul-[0-9a-f]{40}"),
    token("infracost-key", "ico-", r"ico-[A-Za-z0-9]{32}"),
    token(
        "doppler-token",
        "dp.pt.|dp.st.|dp.ct.|dp.sa.|dp.scim.|dp.audit.",
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]+\.)?[A-Za-z0-9]{40,44}",
    ),
    token("onepassword-token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9+/]{60,}={0,3}"),
    token(
        "onepassword-key",
        "A3-",
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    ),
    token("age-key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{50,}"),
    token("apify-token", "apify_api_", r"apify_api_[A-Za-z0-9]{30,}"),
    token("cockroach-key", "CCDB1_", r"CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}"),
    token("mongodb-secret", "mdb_sa_sk_", r"mdb_sa_sk_[\w-]{32,}"),
    token("docker-swarm-key", "SWMKEY-1-|SWMTKN-1-", r"SWM(?:KEY|TKN)-1-[A-Za-z0-9+/-]{40,}"),
    token("scalingo-token", "tk-us-", r"tk-us-[\w-]{40,}"),
    token("prefect-key", "pnu_", r"pnu_[a-z0-9]{36}"),
    // Work and money.
    token(
        "slack-token",
        "xoxa-|xoxb-|xoxc-|xoxd-|xoxe-|xoxe.|xoxp-|xoxr-|xoxs-|xapp-",
        r"(?:xoxe\.)?(?:xox[abcdeprs]|xapp)-[0-9A-Za-z%+/=-]{16,}",
    ),
    token(
        "slack-webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com\\*/(?:services|workflows|triggers)\\*/([A-Za-z0-9]+(?:\\*/[A-Za-z0-9]+){2,})",
    ),
    token("teams-webhook", "webhook.office.com", r"webhook\.office\.com\\*/webhookb2\\*/([\w@\\/-]{60,})"),
    anywhere(
        "discord-webhook",
        "discord.com|discordapp.com",
        r"discord(?:app)?\.com\\*/api\\*/(?:v[0-9]{1,2}\\*/)?webhooks\\*/[0-9]{17,20}\\*/([\w-]{60,})",
    ),
    // A bot's token begins with its number in base64, which leaves few letters for each place.
    anywhere(
        "discord-token",
        "discord",
        r"(?i-u:discord)[^\r\n]{0,60}?((?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){5,6}[A-Za-z0-9]{2,6}\.[\w-]{6}\.[\w-]{27,40})",
    ),
    Rule {
        accepts: is_telegram_token,
        before: 11,
        ..token("telegram-token", ":AA", r"[0-9]{8,10}:(AA[\w-]{33})")
    },
    token("twitch-token", "oauth:", r"oauth:([a-z0-9]{30})"),
    token("asana-token", "1/1|2/1", r"[12]/1[0-9]{12,}(?:/[0-9]{13,})?:[0-9a-f]{32}"),
    token("linear-key", "lin_api_|lin_oauth_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    token("notion-token", "secret_|ntn_", r"(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,})"),
    token("figma-token", "figd_|figo_|figu_", r"fig[dou]_[\w-]{32,}"),
    token("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    token("hubspot-token", "pat-", r"pat-[a-z]{2}[0-9]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    token("postman-key", "PMAK-|PMAT-", r"PMA[KT]-[A-Za-z0-9]{20,}(?:-[0-9a-f]{34})?"),
    token("sentry-token", "sntrys_|sntryu_", r"sntry[su]_[\w+/=-]{40,}"),
    token("grafana-token", "glsa_", r"glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}"),
    token("grafana-token", "glc_e|eyJrIjoi", r"(?:glc_e|eyJrIjoi)[A-Za-z0-9+/]{40,}={0,3}"),
    token("newrelic-key", "NRAK-|NRII-|NRAA-|NRIQ-|NRRA-|NRJS-", r"NR(?:AK|II|AA|IQ|RA|JS)-[\w-]{19,}"),
    token("dynatrace-token", "dt0", r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    token(
        "stripe-key",
        "sk_live_|sk_test_|rk_live_|rk_test_|sk_prod_",
        r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}",
    ),
    token("stripe-webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/]{24,}={0,2}"),
    token("square-token", "sq0atp-|sq0csp-|sq0idp-|EAAA", r"(?:sq0(?:atp|csp|idp)-[\w-]{22,}|EAAA[\w-]{60})"),
    token("facebook-token", "EAA", r"EAA[A-Z][A-Za-z0-9]{60,}"),
    token("shopify-token", "shpat_|shpca_|shppa_|shpss_|shpua_", r"shp(?:at|ca|pa|ss|ua)_[A-Fa-f0-9]{32}"),
    token(
        "paypal-token",
        "access_token$",
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    token("razorpay-key", "rzp_live_|rzp_test_", r"rzp_(?:live|test)_[A-Za-z0-9]{14,}"),
    token("flutterwave-key", "FLWSECK", r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?"),
    token("sendgrid-key", "SG.", r"SG\.[\w-]{16,}\.[\w-]{32,}"),
    token("brevo-key", "xkeysib-|xsmtpsib-", r"x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    token("mailgun-key", "key-", r"key-[0-9a-f]{32}"),
    random("resend-key", "re_", r"re_[A-Za-z0-9]{6,}_[A-Za-z0-9]{16,}"),
    token("twilio-key", TWILIO, r"(?:AC|SK)[0-9a-f]{32}"),
    token("mapbox-token", "sk.eyJ|tk.eyJ", r"[st]k\.eyJ[\w-]{40,}\.[\w-]{20,}"),
    token("twitter-token", "AAAAAAAAAAAAAAAAAAAAA", r"A{21,24}[A-Za-z0-9]{1,40}%[A-Za-z0-9%]{30,}"),
    token("yandex-key", "AQVN", r"AQVN[\w-]{35,38}"),
    token("typeform-token", "tfp_", r"tfp_[\w.=-]{40,}"),
    token("readme-key", "rdme_", r"rdme_[a-z0-9]{70}"),
    token(
        "plaid-token",
        "access-sandbox-|access-development-|access-production-",
        r"access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    ),
    token("contentful-token", "CFPAT-", r"CFPAT-[\w-]{40,}"),
    token("posthog-key", "phx_|phs_|pha_|phr_", r"ph[xsar]_[A-Za-z0-9]{40,}"),
    token("dropbox-token", "sl.", r"sl\.(?:u\.)?[\w-]{100,}"),
    token("easypost-key", "EZAK|EZTK", r"EZ[AT]K[A-Za-z0-9]{50,}"),
    token("riot-key", "RGAPI-", r"RGAPI-[0-9a-z]{8}(?:-[0-9a-z]{4}){3}-[0-9a-z]{12}"),
    token("salesforce-token", "00D", r"00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{60,}"),
    token("mercadopago-token", "APP_USR-", r"APP_USR-[0-9]+-[0-9]+-[0-9a-f]{32}-[0-9]+"),
    token("segment-token", "sgp_", r"sgp_[A-Za-z0-9]{60,}"),
    token("statsig-secret", "secret-", r"secret-[A-Za-z0-9]{36,}"),
    token("stytch-secret", "secret-", r"secret-(?:test|live)-[\w=-]{30,}"),
    token("zuplo-key", "zpka_", r"zpka_[0-9a-f]{32}_[0-9a-f]{8}"),
    token("shippo-token", "shippo_", r"shippo_(?:live|test)_[0-9a-f]{40}"),
    token("paseto-token", "v2.local.|v3.local.|v4.local.", r"v[234]\.local\.[\w-]{40,}"),
    random("bitcoin-key", "5H|5J|5K", r"5[HJK][1-9A-HJ-NP-Za-km-z]{49}"),
    // Formats of no service. A web token has three parts, or five where it is encrypted.
    Rule {
        accepts: is_web_token,
        ..token(
            "json-web-token",
            "eyJ",
            r"eyJ[\w-]{8,}\.(?:eyJ[\w-]{2,}\.[\w-]{4,}|[\w-]*\.[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})",
        )
    },
    anywhere("password-hash", "$2a$|$2b$|$2x$|$2y$", r"\$2[abxy]\$[0-9]{2}\$[A-Za-z0-9./]{50,53}"),
    anywhere(
        "password-hash",
        "$1$|$5$|$6$|$8$|$9$|$y$|$apr1$",
        r"\$(?:1|5|6|8|9|y|apr1)\$(?:[A-Za-z0-9./=]{1,32}\$){1,2}[A-Za-z0-9./]{22,86}",
    ),
    anywhere(
        "password-hash",
        "$argon2|$scrypt$|$pbkdf2",
        r"\$(?:argon2(?:id|i|d)|scrypt|pbkdf2(?:-[a-z0-9]+)?)\$[A-Za-z0-9+/=,$.-]{30,}",
    ),
    token(
        "password-hash",
        "pbkdf2_sha256$",
        r"pbkdf2_sha256\$[0-9]+\$[A-Za-z0-9]+\$[A-Za-z0-9+/]{30,}={0,2}",
    ),
    anywhere("password-hash", "{SSHA|{SHA}|{SMD5}", r"\{S(?:SHA[0-9]*|HA|MD5)\}[A-Za-z0-9+/]{24,}={0,2}"),
];

const TWILIO: &str = "AC0|AC1|AC2|AC3|AC4|AC5|AC6|AC7|AC8|AC9|ACa|ACb|ACc|ACd|ACe|ACf|\
    SK0|SK1|SK2|SK3|SK4|SK5|SK6|SK7|SK8|SK9|SKa|SKb|SKc|SKd|SKe|SKf";

fn is_token(found: &Match) -> bool {
    (stands_alone(found) || is_glued(found)) && !is_example(found.secret())
}

/// Between underlines, too, as in the name of a tool or a file.
fn stands_alone(found: &Match) -> bool {
    let begins = starts_word(found.before()) || found.before().ends_with(b"_");
    begins
        && !found.after().first().is_some_and(u8::is_ascii_alphanumeric)
        && !is_inside_base64(found.before())
}

fn is_random_token(found: &Match) -> bool {
    let is_apart = starts_word(found.before()) && !found.after().first().is_some_and(|byte| is_word(*byte));
    // The word before the dash is part of the same name.
    let goes_on = matches!(found.before(), [.., before, b'-'] if before.is_ascii_alphanumeric());
    let is_random = is_apart && !goes_on && !is_inside_base64(found.before()) && is_random(found.secret());
    (is_random || is_glued(found)) && !is_example(found.secret())
}

/// The bot's number often follows the word in `/bot123…`.
fn is_telegram_token(found: &Match) -> bool {
    let begins = starts_word(found.before()) || found.before().ends_with(b"bot");
    begins && !found.after().first().is_some_and(|byte| is_word(*byte)) && !is_example(found.secret())
}

/// Claims that all manuals have, in base64: John Doe's, some payload, a database's demonstration.
const KNOWN_CLAIMS: [&[u8]; 3] = [b"IkpvaG4gRG9lI", b"eyJzb21lIjoicGF5bG9hZCJ9", b"c3VwYWJhc2UtZGVtb"];

fn is_web_token(found: &Match) -> bool {
    let signature = found.secret().rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let is_known = KNOWN_CLAIMS.iter().any(|claim| memchr::memmem::find(found.secret(), claim).is_some());
    !is_known && !is_example(signature) && (stands_alone(found) || is_glued(found))
}

/// More letters before a token are base64.
const MOST_GLUED: usize = 32;
/// So many random letters need no prefix.
const LONG: usize = 24;

/// A token that touches the letters before it or behind it: only a prefix that no word has, or a rest that only a
/// machine draws, is one all the same.
fn is_glued(found: &Match) -> bool {
    let begins = |prefix: &&str| found.secret().starts_with(prefix.as_bytes());
    let prefix = found.rule.keywords.split('|').find(begins).unwrap_or_default();
    let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let before = found.before().iter().rev().take_while(is_letter).count();
    let letters = found.before().get(found.before().len() - before..).unwrap_or_default();
    let parts = found.secret().split(|byte| !byte.is_ascii_alphanumeric());
    let body = parts.max_by_key(|part| part.len()).unwrap_or_default();
    // The name of a type may end in a digit.
    let has_digit = body.iter().rev().skip(1).any(u8::is_ascii_digit);
    let is_constant = prefix.len() == 4 && prefix.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_telling = match prefix.bytes().next_back() {
        Some(b'_' | b'$') => prefix.len() >= 4,
        Some(b'-' | b'.') => prefix.len() >= 5,
        _ => is_constant || prefix == "AIza" || prefix == "eyJ" || prefix.len() > 5,
    };
    let rest = found.secret().get(prefix.len()..).unwrap_or_default();
    let is_random = is_telling && (is_jumbled(body) && has_digit || is_constant)
        || rest.len() >= LONG && is_surely_random(rest);
    before <= MOST_GLUED && !is_surely_random(letters) && is_random && !is_inside_base64(found.before())
}
