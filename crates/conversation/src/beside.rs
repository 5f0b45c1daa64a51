//! The samplings of a message that are billed, and are in no total of its usage.
//!
//! `usage.iterations` lists what a message is made of. Its totals are of the answer alone: an advisor, which is another
//! model, and the API's own compaction are beside it. Where a fallback model answered, so is what the first one wrote
//! before it declined.

use steno_transcript::wire::{Iteration, Message, Usage as Totals};

use crate::usage::{Usage, counts};

/// The types that are always beside the totals.
const APART: [&str; 2] = ["advisor_message", "compaction"];
const ANSWER: &str = "message";
const FALLBACK: &str = "fallback_message";

/// A sampling beside the totals of its message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Beside {
    /// Its place among the samplings: the same in every record of the message.
    pub(crate) number: usize,
    pub(crate) kind: String,
    /// None: the model of the message.
    pub(crate) model: Option<String>,
    pub(crate) usage: Usage,
}

pub(crate) fn of_message(message: &Message<'_>) -> Vec<Beside> {
    let Some(totals) = &message.usage else { return Vec::new() };
    let all = totals.iterations();
    if all.is_empty() {
        return Vec::new();
    }
    let of_answer = crate::usage::of_message(message);
    let outside = all.iter().enumerate().filter(|(_, one)| is_beside(one, &all, totals));
    outside
        .map(|(number, one)| {
            let is_other = one.model.is_some();
            let usage = Usage {
                counts: counts(one.counts()),
                is_final: true,
                // The mode is the answer's; another model has its own.
                is_fast: of_answer.is_fast && !is_other,
                is_regional: of_answer.is_regional,
                web_searches: 0,
            };
            let model = one.model.as_deref().map(str::to_owned);
            Beside { number, kind: kind(one).to_owned(), model, usage }
        })
        .collect()
}

fn is_beside(one: &Iteration<'_>, all: &[Iteration<'_>], totals: &Totals<'_>) -> bool {
    let make_up = |is: fn(&str) -> bool| {
        let sum = |count: fn(&Iteration<'_>) -> u64| {
            all.iter().filter(|one| is(kind(one))).map(count).fold(0, u64::saturating_add)
        };
        (sum(|one| one.input.0), sum(|one| one.output.0)) == (totals.input.0, totals.output.0)
    };
    match kind(one) {
        FALLBACK => false,
        // A model that declines before it wrote anything is not billed.
        ANSWER => one.output.0 > 0 && make_up(|kind| kind == FALLBACK),
        kind if APART.contains(&kind) => true,
        // A type of later clients: beside the totals if these are whole without it.
        _ => make_up(|kind| kind == ANSWER || kind == FALLBACK),
    }
}

fn kind<'a>(one: &'a Iteration<'_>) -> &'a str {
    one.kind.as_deref().unwrap_or(ANSWER)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use steno_transcript::Troubles;

    use super::*;

    fn beside(usage: Value) -> Vec<(String, Option<String>, u64, u64)> {
        let message = json!({"id": "m", "model": "claude", "usage": usage}).to_string();
        let message =
            steno_transcript::wire::read::<Message<'_>>(&message, &mut Troubles::default()).unwrap();
        let of = |one: Beside| {
            let tokens = one.usage.tokens();
            (one.kind, one.model, tokens.input, tokens.output)
        };
        of_message(&message).into_iter().map(of).collect()
    }

    fn one(kind: &str, model: Option<&str>, input: u64, output: u64) -> Value {
        json!({"type": kind, "model": model, "input_tokens": input, "output_tokens": output})
    }

    #[test]
    fn an_advisor_and_a_compaction_are_in_no_total() {
        let found = beside(json!({"input_tokens": 3, "output_tokens": 9, "iterations": [
            one("message", None, 1, 4), one("advisor_message", Some("opus"), 67_421, 812),
            one("compaction", None, 180_000, 3500), one("message", None, 2, 5),
        ]}));
        let expected = [
            ("advisor_message".to_owned(), Some("opus".to_owned()), 67_421, 812),
            ("compaction".to_owned(), None, 180_000, 3500),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_a_model_wrote_before_it_declined_is_beside_the_answer_of_another() {
        let declined = |output| {
            beside(json!({"input_tokens": 12, "output_tokens": 7, "iterations": [
                one("message", Some("fable"), 100, output), one("fallback_message", Some("opus"), 12, 7),
            ]}))
        };
        assert_eq!(declined(5), [("message".to_owned(), Some("fable".to_owned()), 100, 5)]);
        assert_eq!(declined(0), [], "not billed");
    }

    #[test]
    fn an_unknown_type_is_beside_only_where_the_totals_are_whole_without_it() {
        let totals = |input| {
            beside(json!({"input_tokens": input, "output_tokens": 2, "iterations": [
                one("message", None, 1, 1), one("dream", None, 5, 1),
            ]}))
        };
        assert_eq!(totals(6), []);
        let whole = beside(json!({"input_tokens": 1, "output_tokens": 1, "iterations": [
            one("message", None, 1, 1), one("dream", None, 5, 1),
        ]}));
        assert_eq!(whole, [("dream".to_owned(), None, 5, 1)]);
    }

    #[test]
    fn strange_iterations_are_none() {
        for strange in [json!(null), json!([]), json!("x"), json!([1, null, "y", []]), json!({})] {
            assert_eq!(beside(json!({"input_tokens": 1, "output_tokens": 1, "iterations": strange})), []);
        }
    }
}
