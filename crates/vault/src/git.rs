//! The vault as a git repository.
