//! The vault directory ⇄ a git repository, and through it other machines, by the `git` executable.
//!
//! The work tree is the vault itself: readers run beside us and we may be killed at any instant. So nothing here
//! merges, rebases or checks out the way a person would. Commits are made from trees put together by name (our
//! own directory is ours, every other one is as the remote has it), and only files that are not ours are written.

mod address;
mod altered;
mod blobs;
mod call;
mod checkout;
mod commit;
mod embedded;
mod error;
mod foreign;
mod github;
mod index;
mod integrate;
mod leaving;
mod lock;
mod maintain;
mod network;
mod process;
mod program;
mod readable;
mod record;
mod remote;
mod reply;
mod repository;
mod rewrite;
mod root_file;
mod sync;
mod tree;
mod version;

pub use address::{check as check_address, display_url};
pub use altered::Altered;
pub use commit::ObjectId;
pub use error::Error;
pub use github::{GitHub, SignIn};
pub use program::Git;
pub use remote::{answers, remote_vault};
pub use repository::Repository;
pub use sync::Request;
