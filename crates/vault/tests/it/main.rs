//! The tests of `vault` from outside, in one program, so that they are linked once.

mod archive;
mod depot;
mod desk;
mod exchange;
mod faults;
mod git;
mod headers;
mod keeping;
mod ledger;
mod locking;
mod original;
mod other;
mod part;
mod promise;
mod repair;
mod sealed;
mod stores;
