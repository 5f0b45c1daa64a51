//! Milliseconds since 1970 ↔ the timestamps of the client, `2026-11-15T07:52:53.085Z`.

const DAY: i64 = 86_400_000;

/// `millis` as the client writes it.
pub fn timestamp(millis: i64) -> String {
    let mut text = Vec::with_capacity(24);
    write_timestamp(millis, &mut text);
    String::from_utf8(text).unwrap()
}

/// Appends the 24 bytes of a timestamp.
pub fn write_timestamp(millis: i64, out: &mut Vec<u8>) {
    let (year, month, day) = civil(millis.div_euclid(DAY));
    let rest = millis.rem_euclid(DAY);
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
    for (number, width, end) in [
        (year, 4, b'-'),
        (month, 2, b'-'),
        (day, 2, b'T'),
        (hour, 2, b':'),
        (minute, 2, b':'),
        (second, 2, b'.'),
        (rest % 1000, 3, b'Z'),
    ] {
        write_digits(number, width, out);
        out.push(end);
    }
}

/// The inverse of [`timestamp`]; takes times without a fraction too.
pub fn millis(text: &str) -> i64 {
    let number = |range: std::ops::Range<usize>| text[range].parse::<i64>().expect("a number in a timestamp");
    let days = days(number(0..4), number(5..7), number(8..10));
    let fraction = if text.as_bytes().get(19) == Some(&b'.') { number(20..23) } else { 0 };
    days * DAY + number(11..13) * 3_600_000 + number(14..16) * 60_000 + number(17..19) * 1000 + fraction
}

fn write_digits(number: i64, width: u32, out: &mut Vec<u8>) {
    for place in (0..width).rev() {
        let digit = number / 10_i64.pow(place) % 10;
        out.push(b'0' + u8::try_from(digit).unwrap());
    }
}

/// Year, month and day of a day counted from 1970, after Howard Hinnant's `civil_from_days`.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let shifted_month = (month + 9) % 12;
    let of_year = (153 * shifted_month + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_round_trip() {
        for text in ["1970-01-01T00:00:00.000Z", "2024-02-29T23:59:59.999Z", "2026-11-15T07:52:53.085Z"] {
            assert_eq!(timestamp(millis(text)), text);
        }
        assert_eq!(millis("2026-11-15T07:52:53Z"), 1_794_729_173_000);
    }
}
