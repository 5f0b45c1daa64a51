//! The names that clients up to 2.1.325 write, one a line in the files below `known/`. Only the census compares with them.

pub(crate) fn is_subtype(name: &str) -> bool {
    include_str!("known/subtypes.txt").lines().any(|known| known == name)
}

pub(crate) fn is_block(name: &str) -> bool {
    let name = name.strip_prefix("tool_result/").unwrap_or(name);
    include_str!("known/blocks.txt").lines().any(|known| known == name)
}

pub(crate) fn is_field(name: &str) -> bool {
    include_str!("known/fields.txt").lines().any(|known| known == name)
}
