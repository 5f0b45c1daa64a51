//! Vaults that exchange through a store: whatever fails, whoever comes at once, whatever the store says.

mod across;
mod depot;
mod faults;
mod hostile;
mod moved;
mod purge;
mod returned;
mod sealed;
mod together;
mod world;
