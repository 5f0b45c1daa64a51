//! Vaults that exchange through a store: whatever fails, whoever comes at once, whatever the store says.

mod across;
mod encrypted;
mod faults;
mod hostile;
mod moved;
mod purge;
mod returned;
mod s3;
mod together;
mod world;
