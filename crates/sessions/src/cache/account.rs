//! Files → what each of their messages used.

use std::io;
use std::ops::ControlFlow;

use steno_conversation::{Account, Accountant, Warnings};
use steno_transcript::read_types;

use super::database::Table;
use super::fact::Fact;
use crate::file::Lines;
use crate::reading;
use crate::sessions::ListedFile;

#[derive(Debug)]
pub struct Accounts;

impl Fact for Accounts {
    const TABLE: Table = Table::Accounts;
    type Learner = Accountant;
    type Value = Account;

    fn resume(_: &[u8], body: &[u8]) -> Option<Accountant> {
        Self::decode(body).map(Accountant::resume)
    }

    fn state(_: &Accountant) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn read(accountant: &mut Accountant, lines: &mut Lines<'_>, warnings: &mut Warnings) -> io::Result<()> {
        read_types(lines, &reading::ANSWERS, |piece| {
            accountant.observe(&piece, warnings);
            ControlFlow::Continue(())
        })
    }

    fn finish(accountant: Accountant, _: &ListedFile<'_>) -> Account {
        accountant.finish()
    }

    fn encode(account: &Account) -> Option<Vec<u8>> {
        postcard::to_stdvec(account).ok()
    }

    fn decode(body: &[u8]) -> Option<Account> {
        postcard::from_bytes(body).ok()
    }
}
