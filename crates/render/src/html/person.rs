//! What the user said: prompts, commands, and the requests that the client makes in their name.

use maud::{Markup, html};
use steno_conversation::model::{BashCommand, Chunk, SlashCommand, UserChunk};

use super::fragment::{Depth, Fragments, anchor};
use super::highlight::Language;
use super::media;
use super::text::{Name, Plain, cut};
use super::turn::label;
use crate::clean::clean;

/// How much of a prompt a heading repeats for those who hear the page.
const LONGEST_HEADING: usize = 80;

impl<'a> Fragments<'a> {
    pub(super) fn user(&mut self, chunk: &Chunk, user: &UserChunk, depth: Depth) -> Markup {
        let plan = user.plan.and_then(|place| Some((place, self.conversation.plans.get(place)?)));
        match plan.filter(|_| !self.detail.all) {
            Some((place, plan)) => html! {
                div.request id=[anchor(chunk, depth)] {
                    @if plan.tool_id.is_none() {
                        (self.plan(place))
                    } @else {
                        p.earlier { "The plan above is carried out" }
                    }
                }
            },
            None => self.prompt(chunk, user, depth),
        }
    }

    fn prompt(&self, chunk: &Chunk, user: &UserChunk, depth: Depth) -> Markup {
        let member = user.from_team.as_ref().map(|from| from.member.as_deref().unwrap_or("team"));
        html! {
            article.user.team[member.is_some()] id=[anchor(chunk, depth)] {
                header {
                    (heading(member.unwrap_or("User"), user, depth))
                    @if user.queued { span.badge { "queued" } }
                    (self.time(chunk))
                    @if let Some(place) = anchor(chunk, depth) {
                        a.anchor href={ "#" (place) } aria-label="Link to this prompt" { "#" }
                    }
                }
                div.prose { (self.said(user)) }
                (media::all(&user.images))
            }
        }
    }

    fn said(&self, user: &UserChunk) -> Markup {
        html! {
            @if let Some(bash) = &user.bash {
                (self.shell(bash))
            } @else if let Some(command) = &user.command {
                (self.command(command))
            } @else {
                (self.prose(&user.text))
            }
        }
    }

    /// On one line, as it was typed, where it was.
    fn command(&self, command: &SlashCommand) -> Markup {
        let is_line = !command.args.trim().contains('\n');
        html! {
            p {
                code.command { (Name(&command.name)) }
                @if is_line { " " (Plain(command.args.trim())) }
            }
            @if !is_line { (self.prose(&command.args)) }
        }
    }

    fn shell(&self, bash: &BashCommand) -> Markup {
        let command = clean(&bash.command);
        let output = [&bash.stdout, &bash.stderr].into_iter().flatten().map(|text| text.trim_end());
        html! {
            pre { code { "! " (self.highlighter.code(&command, Language::named("sh"))) } }
            @for text in output.filter(|text| !text.is_empty()) { pre.output { (Plain(text)) } }
        }
    }
}

/// Prompts of the session are the headings of the page.
fn heading(speaker: &str, user: &UserChunk, depth: Depth) -> Markup {
    let label = label(user);
    html! {
        @if depth == Depth(0) && user.from_team.is_none() {
            h2.label { (Name(speaker)) span.unseen { ": " (cut(&label, LONGEST_HEADING).0) } }
        } @else {
            span.label { (Name(speaker)) }
        }
    }
}
