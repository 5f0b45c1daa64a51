//! Pages of `steno share` and `steno dump --format html` in a real browser, when `STENO_BROWSER` names one (`cargo xtask
//! check` does). `STENO_SCREENSHOTS` names a directory for pictures of them, for people to look at.

mod contrast;
mod hostile;
mod locked;
mod reading;
mod sessions;
mod stage;
