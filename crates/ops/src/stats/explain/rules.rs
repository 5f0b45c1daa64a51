//! The rules of counting, in sentences that have the numbers of this run.

use steno_conversation::model::Tokens;
use steno_render::{dollars, many};

use super::super::client::{ClientCount, ClientPart};
use super::super::prices::Prices;
use super::super::{Request, period};
use super::{Alternative, BesideMessages, Explain};

pub(super) fn of(
    explain: &Explain,
    request: &Request,
    client: Option<&ClientCount>,
    prices: &Prices,
) -> Vec<String> {
    let mut rules = counting(explain);
    rules.push(beside(explain));
    rules.extend(pricing(explain, prices));
    rules.push(format!(
        "A day begins at midnight in {}; weeks are those of ISO 8601. A message counts on the day of its first record.",
        period::zone_name(&request.zone)
    ));
    rules.extend(client.map(of_client));
    rules.extend(others(explain));
    rules
}

fn counting(explain: &Explain) -> Vec<String> {
    let Explain { files, repeated, .. } = explain;
    vec![
        format!(
            "Read: {}, {} of subagents; {} only the vault still has.",
            many(files.read, "transcript"),
            files.agents,
            files.kept
        ),
        format!(
            "A message is all records with one message.id and requestId, in whatever file. It counts once, with the \
             most that any of its records has of each kind of token. Who keeps only the \
             record with the most tokens misses what another one has more of, and may count it on another day. Here: \
             {}, {}.",
            many(explain.records, "record"),
            many(explain.messages, "message")
        ),
        format!(
            "Left out: more records of a message in its own file ({}), messages that another session has too, as forks \
             and resumes do ({}), and messages that another file of the same session has ({}).",
            repeated.same_file, repeated.other_session, repeated.subagent
        ),
        "A message in files of several sessions belongs to the session that began first; of two that began at once, \
         to the lesser id. A subagent's messages belong to its session, warm-ups included."
            .to_owned(),
        format!(
            "Records without message.id count by themselves ({}), but not their copies in other files ({}), which \
             other ways of counting cannot tell. The client's own (<synthetic>) are no model's and count nowhere ({}).",
            explain.without_id, repeated.without_id, explain.synthetic
        ),
        format!(
            "Where no record of a message tells the final usage ({}), its output is what was written down last: a \
             lower bound, marked with ≥. Messages of no known time: {}.",
            explain.without_final_usage, explain.without_time
        ),
    ]
}

/// What no total of a message has.
fn beside(explain: &Explain) -> String {
    let rule = "Tokens of an advisor (another model that is asked meanwhile), of a compaction by the API and of a model that \
                declined in the middle of its answer are in no total of their message; they count under their own model";
    let of = |one: &BesideMessages| {
        let cost = one.cost_usd.map_or_else(|| "no price".to_owned(), dollars);
        let Tokens { input, output, cache_read, cache_write_5m, cache_write_1h, .. } = one.tokens;
        let read =
            input.saturating_add(cache_read).saturating_add(cache_write_5m).saturating_add(cache_write_1h);
        format!(
            "{} of {}: {}, {read} read, {output} written, {cost}",
            one.kind,
            one.model,
            many(one.times, "time")
        )
    };
    match explain.beside.iter().map(of).collect::<Vec<_>>().join("; ") {
        found if found.is_empty() => format!("{rule}. Here: none."),
        found => format!("{rule}. Here: {found}."),
    }
}

fn pricing(explain: &Explain, prices: &Prices) -> Vec<String> {
    let origin = &prices.origin;
    let unsaid = || "an unknown source".to_owned();
    let file = origin.file.as_ref().map(|file| format!(", after those of {file}")).unwrap_or_default();
    let mut rules = vec![
        format!(
            "Prices are the API's list prices of {} ({}){file}; a subscription is paid otherwise.",
            origin.date.as_deref().unwrap_or("an unknown day"),
            origin.source.clone().unwrap_or_else(unsaid),
        ),
        format!(
            "Cache writes for five minutes and for an hour are priced apart; writes of unsaid lifetime lived for five \
             minutes. Each token costs more where input, cache reads and cache writes together are beyond the model's \
             limit ({}). Searches by the API, fast mode and the US region cost more where a price for \
             that is listed.",
            many(explain.long_context, "message")
        ),
    ];
    if !explain.unpriced.is_empty() {
        let models =
            explain.unpriced.iter().map(|unpriced| format!("{} ({})", unpriced.model, unpriced.messages));
        rules.push(format!(
            "Without a price, and in no cost, are messages of {}; --prices FILE can name one.",
            models.collect::<Vec<_>>().join(", ")
        ));
    }
    rules
}

/// The client's own sum, and why it is another one.
fn of_client(client: &ClientCount) -> String {
    let part = |part: &ClientPart| format!("{} tokens, {}", part.tokens.context(), dollars(part.cost_usd));
    format!(
        "Claude Code's own sum of {}: {}. Ours, until it was written: {}. Unrecorded, and in no row: {}, which \
         it asked models for without writing a record, as for compactions and titles. Beyond its sum: {}, which records \
         have and it does not count. The rest of the difference is its prices. A fork goes on from the sum of its session, \
         so of sessions that share messages one sum counts ({} left out).",
        many(client.sessions, "session"),
        part(&client.total),
        part(&client.recorded),
        part(&client.unrecorded),
        part(&client.beyond),
        client.forks
    )
}

/// Where other programs come to other numbers.
fn others(explain: &Explain) -> Vec<String> {
    vec![
        format!("The sum over all records would be {}.", said(&explain.every_record)),
        format!(
            "Who counts a message once, but with its first record, gets {}: that one was written before the answer \
             was whole.",
            said(&explain.first_record)
        ),
        format!(
            "By requestId alone it would be {}, by message.id alone {}.",
            said(&explain.by_request),
            said(&explain.by_message)
        ),
        "Programs that expect no space after a colon, or no more than milliseconds in a time, miss records of other \
         writers; those that read live files only miss what Claude Code has deleted; those that price all cache writes \
         alike miss the hour's higher price. Copies of subagents' messages in progress records are not read: where a \
         subagent's own file is missing, programs that read them count more."
            .to_owned(),
    ]
}

fn said(alternative: &Alternative) -> String {
    let cost = alternative.cost_usd.map_or_else(|| "no price".to_owned(), dollars);
    let tokens = &alternative.tokens;
    format!(
        "{}, {} input, {} output, {} cache read, {} cache written, {cost}",
        many(alternative.messages, "message"),
        tokens.input,
        tokens.output,
        tokens.cache_read,
        tokens.cache_write_5m.saturating_add(tokens.cache_write_1h)
    )
}
