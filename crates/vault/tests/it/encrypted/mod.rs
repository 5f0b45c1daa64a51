//! Sealed stores: what is put is given back, to who has the key and to nobody else.

mod age_program;
mod former;
mod hostile;
mod identities;
mod mixed;
mod objects;
mod resealing;
mod speed;
mod stage;
mod stores;
