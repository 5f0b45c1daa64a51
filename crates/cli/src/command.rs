//! One file per verb: its arguments, its request, its human face.

pub(crate) mod doctor;
pub(crate) mod list;
pub(crate) mod show;
