//! Homes on a real disk → what the operations answer.

mod agreement;
mod claude_dirs;
mod growth;
mod holdings;
mod list;
mod name;
mod show;
