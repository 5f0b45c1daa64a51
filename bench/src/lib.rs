//! Seeds → homes of any size, and homes → a table of how long everything takes beside the physical limit and the
//! peers that the machine has.

mod append;
mod elsewhere;
mod error;
mod extreme;
mod files;
mod find;
mod generate;
mod huge;
mod keep;
mod measure;
mod peers;
mod pool;
mod read;
mod report;
mod rows;
mod run;
mod scan;
mod shapes;
mod size;
mod template;

pub use append::append;
pub use error::Error;
pub use extreme::Extreme;
pub use generate::{Order, Summary, generate};
pub use huge::huge;
pub use read::run_read;
pub use report::{Growth, Measured, Report};
pub use run::{Plan, read_extreme, read_huge, run, run_elsewhere, run_find, run_keep};
pub use scan::{Scan, Walk, scan, walk};
pub use size::parse_size;
