//! Tokens whose form their service fixed: a table, beside the one that holds back a push.
//!
//! Prefixes, alphabets and lengths are what the services document and public rule sets agree on. Lengths are lower
//! bounds, since a token that is a little different is still one; examples are masked like the real ones.

use crate::hit::{Hit, starts_word};
use crate::rule::{Rule, TOKEN};

use super::blob::is_inside_blob;
use super::value::is_drawn;

const fn token(kind: &'static str, literals: &'static [&'static str], pattern: &'static str) -> Rule {
    Rule { kind, literals, pattern, fits: stands_alone, ..TOKEN }
}

/// Its beginning is a word that people use too, so the rest must look drawn.
const fn varied(kind: &'static str, literals: &'static [&'static str], pattern: &'static str) -> Rule {
    Rule { kind, literals, pattern, fits: stands_alone_and_varies, ..TOKEN }
}

/// Between underlines, too, as in the name of a tool or a file.
fn stands_alone(hit: &Hit) -> bool {
    let is_joined = |byte: u8| byte.is_ascii_alphanumeric();
    let begins = starts_word(hit.before) || hit.before.ends_with(b"_");
    begins && !hit.after.is_some_and(is_joined) && !is_inside_blob(hit.before)
}

fn stands_alone_and_varies(hit: &Hit) -> bool {
    hit.is_a_word() && !is_inside_blob(hit.before) && !goes_on(hit.before) && is_drawn(hit.secret)
}

/// The word before it is part of the same.
fn goes_on(before: &[u8]) -> bool {
    matches!(before, [.., before, b'-'] if before.is_ascii_alphanumeric())
}

pub(crate) const SERVICES: &[Rule] = &[
    // Models.
    token("anthropic-key", &["sk-ant-"], r"sk-ant-[A-Za-z0-9_-]{16,}"),
    token("openrouter-key", &["sk-or-"], r"sk-or-(?:v1-)?[A-Za-z0-9_-]{24,}"),
    token("langfuse-key", &["sk-lf-"], r"sk-lf-[A-Za-z0-9-]{24,}"),
    token("openai-key", &["sk-"], r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{16,}"),
    token(
        "openai-key",
        &["sk-"],
        r"sk-(?:[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|[Xx]{16,}|[A-Za-z0-9]{40,})",
    ),
    varied("openai-key", &["sk-"], r"sk-[A-Za-z0-9_-]{20,220}"),
    token("huggingface-token", &["hf_", "api_org_"], r"(?:hf_|api_org_)[A-Za-z0-9]{30,}"),
    token("replicate-token", &["r8_"], r"r8_[A-Za-z0-9]{30,}"),
    token("groq-key", &["gsk_"], r"gsk_[A-Za-z0-9]{40,}"),
    token("xai-key", &["xai-"], r"xai-[A-Za-z0-9_-]{60,}"),
    token("perplexity-key", &["pplx-"], r"pplx-[A-Za-z0-9]{32,}"),
    token("cerebras-key", &["csk-"], r"csk-[a-z0-9]{32,}"),
    token("langsmith-key", &["lsv2_"], r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    token("pinecone-key", &["pcsk_"], r"pcsk_[A-Za-z0-9_]{40,}"),
    varied("fireworks-key", &["fw_"], r"fw_[A-Za-z0-9]{20,}"),
    token("nvidia-key", &["nvapi-"], r"nvapi-[A-Za-z0-9_-]{40,}"),
    token("tavily-key", &["tvly-"], r"tvly-[A-Za-z0-9-]{24,}"),
    token("together-key", &["tgp_v1_"], r"tgp_v1_[A-Za-z0-9_-]{32,}"),
    token("wandb-key", &["wandb_v1_"], r"wandb_v1_[A-Za-z0-9_]{40,}"),
    token("cursor-key", &["key_"], r"key_(?:[0-9a-f]{28,}|(?:live|test)_[A-Za-z0-9]{32})"),
    token("coze-token", &["pat_"], r"pat_[A-Za-z0-9]{64}"),
    token("elevenlabs-key", &["sk_"], r"sk_(?:[0-9a-f]{48}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"),
    varied("voyage-key", &["pa-", "al-"], r"(?:pa|al)-[A-Za-z0-9_-]{43}"),
    // Code and packages.
    token(
        "github-token",
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        r"gh[pousr]_(?:[A-Za-z0-9]{20,}|[A-Za-z0-9]+_eyJ[A-Za-z0-9_.-]{20,})",
    ),
    token("github-token", &["github_pat_"], r"github_pat_[A-Za-z0-9_]{30,}"),
    token(
        "gitlab-token",
        &[
            "glpat-", "gldt-", "glrt-", "glrtr-", "glptt-", "glcbt-", "glft-", "glsoat-", "glimt-",
            "glagent-", "gloas-", "glffct-",
        ],
        r"gl(?:pat|dt|rtr?|ptt|cbt|ft|soat|imt|agent|oas|ffct)-[A-Za-z0-9_.-]{16,}",
    ),
    token("gitlab-token", &["GR1348941"], r"GR1348941[A-Za-z0-9_-]{20,}"),
    token("gitlab-session", &["_gitlab_session="], r"_gitlab_session=([0-9a-z]{32})"),
    token(
        "atlassian-token",
        &["ATATT3", "ATCTT3", "ATBB"],
        r"(?:ATATT3[A-Za-z0-9_=-]{60,}|ATCTT3[A-Za-z0-9_=-]{60,}|ATBB[A-Za-z0-9]{24,})",
    ),
    token("npm-token", &["npm_"], r"npm_[A-Za-z0-9]{36,}"),
    token("pypi-token", &["pypi-AgE"], r"pypi-AgE[A-Za-z0-9_-]{40,}"),
    token("rubygems-key", &["rubygems_"], r"rubygems_[0-9a-f]{40,}"),
    token("crates-io-token", &["cio"], r"cio[A-Za-z0-9]{32}"),
    token("nuget-key", &["oy2"], r"oy2[a-z0-9]{43}"),
    token("docker-token", &["dckr_pat_", "dckr_oat_"], r"dckr_[po]at_[A-Za-z0-9_-]{20,}"),
    token("jfrog-token", &["AKCp"], r"AKCp[A-Za-z0-9]{60,}"),
    token("jfrog-token", &["cmVmd"], r"cmVmd[A-Za-z0-9]{59}"),
    token("clojars-token", &["CLOJARS_"], r"CLOJARS_[0-9a-f]{60}"),
    token("sourcegraph-token", &["sgp_"], r"sgp_(?:[A-Za-z0-9]+_)?[0-9a-f]{40}"),
    token("sonar-token", &["squ_", "sqp_", "sqa_"], r"sq[upa]_[0-9a-f]{40}"),
    token("circleci-token", &["CCIPAT_", "CCIPRJ_"], r"CCIP(?:AT|RJ)_[A-Za-z0-9]{10,}_[0-9a-f]{40}"),
    token("buildkite-token", &["bkua_"], r"bkua_[0-9a-f]{40}"),
    // Clouds and hosts.
    token("aws-access-key-id", &["AKIA", "ASIA", "ABIA", "ACCA"], r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}"),
    token("aws-bedrock-key", &["ABSK"], r"ABSK[A-Za-z0-9+/]{100,}={0,2}"),
    token("google-api-key", &["AIza"], r"AIza[A-Za-z0-9_-]{30,}"),
    token("google-oauth-token", &["ya29.", "GOCSPX-"], r"(?:ya29\.|GOCSPX-)[A-Za-z0-9_.-]{20,}"),
    token("google-oauth-token", &["1//0"], r"1//0[A-Za-z0-9_-]{40,}"),
    token("alibaba-key-id", &["LTAI"], r"LTAI[A-Za-z0-9]{16,20}"),
    token("databricks-token", &["dapi"], r"dapi[0-9a-f]{32}(?:-[0-9])?"),
    token("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], r"do[por]_v1_[0-9a-f]{64}"),
    token("heroku-key", &["HRKU-"], r"HRKU-[A-Za-z0-9_-]{30,}"),
    token("netlify-token", &["nfp_", "nfc_", "nfo_"], r"nf[pco]_[A-Za-z0-9]{32,}"),
    token(
        "vercel-token",
        &["vcp_", "vci_", "vca_", "vck_", "vcr_", "vercel_blob_rw_"],
        r"(?:vc[piakr]_|vercel_blob_rw_)[A-Za-z0-9_]{24,}",
    ),
    token(
        "fly-token",
        &["fo1_", "fm1", "fm2_", "FlyV1 "],
        r"(?:FlyV1 )?f(?:o1|m1[ar]|m2)_[A-Za-z0-9+/=_,-]{40,}",
    ),
    token(
        "supabase-key",
        &["sbp_", "sb_secret_"],
        r"(?:sbp_(?:oauth_)?[0-9a-z]{40}|sb_secret_[A-Za-z0-9_-]{20,})",
    ),
    token("planetscale-token", &["pscale_"], r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.=-]{32,}"),
    token("neon-key", &["napi_"], r"napi_[a-z0-9]{50,}"),
    token("cloudflare-key", &["v1.0-"], r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
    token("tailscale-key", &["tskey-"], r"tskey-[a-z]+-[A-Za-z0-9]+-[A-Za-z0-9]{16,}"),
    token("vault-token", &["hvs.", "hvb.", "hvr."], r"hv[sbr]\.[A-Za-z0-9_-]{24,}"),
    token("pulumi-token", &["pul-"], r"pul-[0-9a-f]{40}"),
    token("infracost-key", &["ico-"], r"ico-[A-Za-z0-9]{32}"),
    token(
        "doppler-token",
        &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]+\.)?[A-Za-z0-9]{40,44}",
    ),
    token("onepassword-token", &["ops_eyJ"], r"ops_eyJ[A-Za-z0-9+/]{60,}={0,3}"),
    token("age-key", &["AGE-SECRET-KEY-"], r"AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{50,}"),
    token("apify-token", &["apify_api_"], r"apify_api_[A-Za-z0-9]{30,}"),
    token("cockroach-key", &["CCDB1_"], r"CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}"),
    token("mongodb-secret", &["mdb_sa_sk_"], r"mdb_sa_sk_[A-Za-z0-9_-]{32,}"),
    token("docker-swarm-key", &["SWMKEY-1-", "SWMTKN-1-"], r"SWM(?:KEY|TKN)-1-[A-Za-z0-9+/-]{40,}"),
    token("alibaba-key-id", &["STS."], r"STS\.[A-Za-z0-9]{20,}"),
    token("scalingo-token", &["tk-us-"], r"tk-us-[A-Za-z0-9_-]{40,}"),
    token("prefect-key", &["pnu_"], r"pnu_[a-z0-9]{36}"),
    token(
        "onepassword-key",
        &["A3-"],
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    ),
    // Work and money.
    token(
        "slack-token",
        &["xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xoxp-", "xoxr-", "xoxs-", "xapp-"],
        r"(?:xoxe\.)?(?:xox[abcdeprs]|xapp)-[0-9A-Za-z%+/=-]{16,}",
    ),
    token(
        "slack-webhook",
        &["hooks.slack.com"],
        r"hooks\.slack\.com\\*/(?:services|workflows|triggers)\\*/([A-Za-z0-9]+(?:\\*/[A-Za-z0-9]+){2,})",
    ),
    token(
        "teams-webhook",
        &["webhook.office.com"],
        r"webhook\.office\.com\\*/webhookb2\\*/([A-Za-z0-9@\\/-]{60,})",
    ),
    token("twitch-token", &["oauth:"], r"oauth:([a-z0-9]{30})"),
    token("linear-key", &["lin_api_", "lin_oauth_"], r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    token("notion-token", &["secret_"], r"secret_[A-Za-z0-9]{43}"),
    token("notion-token", &["ntn_"], r"ntn_[A-Za-z0-9]{40,}"),
    token("figma-token", &["figd_", "figo_", "figu_"], r"fig[dou]_[A-Za-z0-9_-]{32,}"),
    token("airtable-token", &["pat"], r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    token("hubspot-token", &["pat-"], r"pat-[a-z]{2}[0-9]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    token("postman-key", &["PMAK-", "PMAT-"], r"PMA[KT]-[A-Za-z0-9]{20,}(?:-[0-9a-f]{34})?"),
    token("sentry-token", &["sntrys_", "sntryu_"], r"sntry[su]_[A-Za-z0-9+/=_-]{40,}"),
    token("grafana-token", &["glsa_"], r"glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}"),
    token("grafana-token", &["glc_e", "eyJrIjoi"], r"(?:glc_e|eyJrIjoi)[A-Za-z0-9+/]{40,}={0,3}"),
    token(
        "newrelic-key",
        &["NRAK-", "NRII-", "NRAA-", "NRIQ-", "NRRA-", "NRJS-"],
        r"NR(?:AK|II|AA|IQ|RA|JS)-[A-Za-z0-9_-]{19,}",
    ),
    token("dynatrace-token", &["dt0"], r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    token(
        "stripe-key",
        &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_"],
        r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}",
    ),
    token("stripe-webhook-secret", &["whsec_"], r"whsec_[A-Za-z0-9+/]{24,}={0,2}"),
    token("square-token", &["sq0atp-", "sq0csp-", "sq0idp-"], r"sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}"),
    token("square-token", &["EAAA"], r"EAAA[A-Za-z0-9_-]{60}"),
    token("facebook-token", &["EAA"], r"EAA[A-Z][A-Za-z0-9]{60,}"),
    token(
        "shopify-token",
        &["shpat_", "shpca_", "shppa_", "shpss_", "shpua_"],
        r"shp(?:at|ca|pa|ss|ua)_[A-Fa-f0-9]{32}",
    ),
    token(
        "paypal-token",
        &["access_token$"],
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    token("razorpay-key", &["rzp_live_", "rzp_test_"], r"rzp_(?:live|test)_[A-Za-z0-9]{14,}"),
    token("flutterwave-key", &["FLWSECK"], r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?"),
    token("sendgrid-key", &["SG."], r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{32,}"),
    token("brevo-key", &["xkeysib-", "xsmtpsib-"], r"x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    token("mailgun-key", &["key-"], r"key-[0-9a-f]{32}"),
    varied("resend-key", &["re_"], r"re_[A-Za-z0-9]{6,}_[A-Za-z0-9]{16,}"),
    token(
        "twilio-key",
        &[
            "AC0", "AC1", "AC2", "AC3", "AC4", "AC5", "AC6", "AC7", "AC8", "AC9", "ACa", "ACb", "ACc", "ACd",
            "ACe", "ACf",
        ],
        r"AC[0-9a-f]{32}",
    ),
    token("mapbox-token", &["sk.eyJ", "tk.eyJ"], r"[st]k\.eyJ[A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{20,}"),
    token("twitter-token", &["AAAAAAAAAAAAAAAAAAAAA"], r"A{21,24}[A-Za-z0-9]{1,40}%[A-Za-z0-9%]{30,}"),
    token("yandex-key", &["AQVN"], r"AQVN[A-Za-z0-9_-]{35,38}"),
    token("typeform-token", &["tfp_"], r"tfp_[A-Za-z0-9_.=-]{40,}"),
    token("readme-key", &["rdme_"], r"rdme_[a-z0-9]{70}"),
    token(
        "plaid-token",
        &["access-sandbox-", "access-development-", "access-production-"],
        r"access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    ),
    token("contentful-token", &["CFPAT-"], r"CFPAT-[A-Za-z0-9_-]{40,}"),
    token("posthog-key", &["phx_", "phs_", "pha_", "phr_"], r"ph[xsar]_[A-Za-z0-9]{40,}"),
    token("dropbox-token", &["sl."], r"sl\.(?:u\.)?[A-Za-z0-9_-]{100,}"),
    token("easypost-key", &["EZAK", "EZTK"], r"EZ[AT]K[A-Za-z0-9]{50,}"),
    token("riot-key", &["RGAPI-"], r"RGAPI-[0-9a-z]{8}(?:-[0-9a-z]{4}){3}-[0-9a-z]{12}"),
    token("salesforce-token", &["00D"], r"00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{60,}"),
    token("mercadopago-token", &["APP_USR-"], r"APP_USR-[0-9]+-[0-9]+-[0-9a-f]{32}-[0-9]+"),
    token("segment-token", &["sgp_"], r"sgp_[A-Za-z0-9]{60,}"),
    token("statsig-secret", &["secret-"], r"secret-[A-Za-z0-9]{36,}"),
    token("stytch-secret", &["secret-"], r"secret-(?:test|live)-[A-Za-z0-9_=-]{30,}"),
    token("zuplo-key", &["zpka_"], r"zpka_[0-9a-f]{32}_[0-9a-f]{8}"),
    token("shippo-token", &["shippo_"], r"shippo_(?:live|test)_[0-9a-f]{40}"),
    Rule {
        fits: |_| true,
        ..token(
            "discord-webhook",
            &["iscord.com", "iscordapp.com"],
            r"iscord(?:app)?\.com\\*/api\\*/(?:v[0-9]{1,2}\\*/)?webhooks\\*/[0-9]{17,20}\\*/([A-Za-z0-9_-]{60,})",
        )
    },
    token("paseto-token", &["v2.local.", "v3.local.", "v4.local."], r"v[234]\.local\.[A-Za-z0-9_-]{40,}"),
    varied("bitcoin-key", &["5H", "5J", "5K"], r"5[HJK][1-9A-HJ-NP-Za-km-z]{49}"),
    // Formats of no service.
    Rule {
        kind: "json-web-token",
        literals: &["eyJ"],
        pattern: r"eyJ[A-Za-z0-9_-]{8,}\.(?:eyJ[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]{4,}|[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})",
        ..token("", &[], "")
    },
    Rule {
        fits: |_| true,
        ..token(
            "password-hash",
            &["$2a$", "$2b$", "$2x$", "$2y$"],
            r"\$2[abxy]\$[0-9]{2}\$[A-Za-z0-9./]{50,53}",
        )
    },
    Rule {
        fits: |_| true,
        ..token(
            "password-hash",
            &["$1$", "$5$", "$6$", "$8$", "$9$", "$y$", "$apr1$"],
            r"\$(?:1|5|6|8|9|y|apr1)\$(?:[A-Za-z0-9./=]{1,32}\$){1,2}[A-Za-z0-9./]{22,86}",
        )
    },
    Rule {
        fits: |_| true,
        ..token(
            "password-hash",
            &["$argon2", "$scrypt$", "$pbkdf2"],
            r"\$(?:argon2(?:id|i|d)|scrypt|pbkdf2(?:-[a-z0-9]+)?)\$[A-Za-z0-9+/=,$.-]{30,}",
        )
    },
    token(
        "password-hash",
        &["pbkdf2_sha256$"],
        r"pbkdf2_sha256\$[0-9]+\$[A-Za-z0-9]+\$[A-Za-z0-9+/]{30,}={0,2}",
    ),
    Rule {
        fits: |_| true,
        ..token(
            "password-hash",
            &["{SSHA", "{SHA}", "{SMD5}"],
            r"\{S(?:SHA[0-9]*|HA|MD5)\}[A-Za-z0-9+/]{24,}={0,2}",
        )
    },
];
