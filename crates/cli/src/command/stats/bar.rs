//! A share of the greatest value → a bar of so many columns, in eighths of one.

const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// Whatever is more than nothing is seen.
pub(super) fn bar(value: f64, greatest: f64, columns: usize) -> String {
    if value.is_nan() || value <= 0.0 || greatest <= 0.0 {
        return String::new();
    }
    let share = (value / greatest).clamp(0.0, 1.0);
    let eighths = ((share * columns as f64 * 8.0).round() as usize).max(1);
    let rest = EIGHTHS.get(eighths % 8).copied().unwrap_or_default();
    format!("{}{rest}", "█".repeat(eighths / 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_share() {
        assert_eq!(bar(10.0, 10.0, 4), "████");
        assert_eq!(bar(5.0, 10.0, 4), "██");
        assert_eq!(bar(3.0, 10.0, 4), "█▎");
        assert_eq!(bar(0.0001, 10.0, 4), "▏");
        assert_eq!((bar(0.0, 10.0, 4), bar(1.0, 0.0, 4)), (String::new(), String::new()));
    }
}
