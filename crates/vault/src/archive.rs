//! A folder of plain files ↔ one archive.
