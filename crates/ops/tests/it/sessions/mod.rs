//! Homes on a real disk → what the operations answer.

mod agreement;
mod growth;
mod holdings;
mod library;
mod list;
mod name;
mod show;
