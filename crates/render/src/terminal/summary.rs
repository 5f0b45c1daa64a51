//! A tool call in one line, the same as everywhere.

pub(crate) use crate::call::summary as call;
