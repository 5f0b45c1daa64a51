//! What the user was asked, and decided: a card that is always open.

use maud::{Markup, html};
use steno_conversation::model::ToolStep;

use super::fragment::Fragments;
use super::text::{Name, Plain};
use crate::answer::{Answer, answers, has_notes};
use crate::call::{Choice, Question};

impl Fragments<'_> {
    pub(super) fn asked(&self, tool: &ToolStep, questions: &[Question<'_>]) -> Markup {
        let answers = answers(tool, questions);
        let is_told = answers.iter().all(Option::is_some) && !has_notes(tool) && !self.detail.full_results;
        html! {
            section.asked {
                header {
                    span.label { @if questions.len() == 1 { "Question" } @else { "Questions" } }
                    " " (self.badge(tool))
                }
                @for (question, answer) in questions.iter().zip(&answers) { (one(question, answer.as_ref())) }
                @if !is_told { (self.outcome(tool)) }
                (self.feedback(tool))
            }
        }
    }
}

pub(super) fn one(question: &Question<'_>, answer: Option<&Answer>) -> Markup {
    let taken = answer.map(|answer| answer.taken.as_slice()).unwrap_or_default();
    let taken = taken.iter().copied().chain(std::iter::repeat(false));
    html! {
        div.question {
            p dir="auto" { @if let Some(header) = question.header { strong { (Name(header)) } " " } (Plain(question.text)) }
            ul dir="auto" {
                @for (option, is_taken) in question.choices.iter().zip(taken) { (choice(option, is_taken)) }
            }
            @if let Some(words) = answer.and_then(|answer| answer.words.as_ref()) {
                p.answer dir="auto" { span.label { "Answer" } " " (Plain(words)) }
            }
        }
    }
}

fn choice(choice: &Choice<'_>, is_taken: bool) -> Markup {
    html! {
        li.taken[is_taken] {
            span aria-hidden="true" { @if is_taken { "☑ " } @else { "☐ " } }
            @if is_taken { span.unseen { "chosen: " } }
            (Plain(choice.label))
            @if let Some(description) = choice.description { span.to { " " (Plain(description)) } }
        }
    }
}
