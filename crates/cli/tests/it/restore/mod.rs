//! `steno restore`: what was kept is listed, and comes back as it was.

#![cfg(unix)]
mod all;
mod bytes;
mod damage;
mod desk;
mod force;
mod hostile;
mod list;
mod machine;
mod movement;
mod one;
mod overwrite;
mod partial;
