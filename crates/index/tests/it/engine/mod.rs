//! What is fed to the engine is found again, and only that.

mod asking;
mod changing;
mod damage;
mod ground;
mod passages;
