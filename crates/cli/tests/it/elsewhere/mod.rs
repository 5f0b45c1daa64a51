//! A vault that leaves its machine: what a remote and a key give back, and what a remote learns without the key.

#![cfg(unix)]
mod another;
mod back;
mod disputed;
mod documents_lost;
mod each_change;
mod failed;
mod fault;
mod guarded;
mod half_sealed;
mod held;
mod hostile;
mod killed;
mod locked;
mod mixed;
mod odd;
mod opened_later;
mod planted;
mod protected;
mod purge_killed;
mod purged;
mod quiet;
mod reach;
mod read_in_place;
mod readable;
mod recipient;
mod shut_out;
mod stage;
mod tail;
mod together;
mod waiting;
