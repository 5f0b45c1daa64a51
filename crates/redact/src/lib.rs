//! Text to the secrets in it.
