//! Bytes → the short text that `du -h` has for them, which the original tool printed.

/// `512B`, `1.2M`, `47K`: rounded up, one decimal below ten.
pub fn size_text(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes}B");
    }
    let bytes = u128::from(bytes);
    let mut unit = 1024;
    for letter in ['K', 'M', 'G', 'T', 'P'] {
        let tenths = (bytes * 10).div_ceil(unit);
        if tenths < 100 {
            return format!("{}.{}{letter}", tenths / 10, tenths % 10);
        }
        let whole = bytes.div_ceil(unit);
        if whole < 1024 {
            return format!("{whole}{letter}");
        }
        unit *= 1024;
    }
    format!("{}E", bytes.div_ceil(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_as_du_prints_them() {
        let said =
            [0, 512, 1023, 1024, 1025, 10_137, 10_240, 48_123, 1_048_575, 1_258_291, u64::MAX].map(size_text);
        assert_eq!(
            said,
            ["0B", "512B", "1023B", "1.0K", "1.1K", "9.9K", "10K", "47K", "1.0M", "1.2M", "16E"]
        );
    }
}
