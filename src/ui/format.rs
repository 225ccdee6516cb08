//! Numbers as a person can use them: durations, counts, sizes, money.

use crate::i18n::I18n;

/// A duration in words: `0.8 s`, `12 s`, `2 min 5 s`, `1 h 3 min`.
pub fn duration(i18n: &I18n, millis: u64) -> String {
    let secs = millis / 1000;
    if millis < 9_950 {
        let tenths = (millis + 50) / 100;
        let seconds = format!("{}.{}", tenths / 10, tenths % 10);
        return i18n.tr_args("app.duration.seconds", &[("seconds", seconds.into())]);
    }
    match secs {
        0..60 => i18n.tr_args("app.duration.seconds", &[("seconds", secs.max(10).into())]),
        60..3600 => i18n.tr_args(
            "app.duration.minutes",
            &[
                ("minutes", (secs / 60).into()),
                ("seconds", (secs % 60).into()),
            ],
        ),
        _ => i18n.tr_args(
            "app.duration.hours",
            &[
                ("hours", (secs / 3600).into()),
                ("minutes", (secs / 60 % 60).into()),
            ],
        ),
    }
}

/// A count with three digits at most: `999`, `1.2k`, `12.4k`, `124k`, `1.2M`.
pub fn count(number: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    // A number that rounds to 1000 of a unit belongs to the next one: 999 950 is 1M.
    let unit = UNITS.iter().find(|(size, _)| number >= size - size / 2_000);
    match unit {
        Some((size, letter)) if number >= 1_000 => {
            format!("{}{letter}", short(number as f64 / *size as f64))
        }
        Some(_) | None => number.to_string(),
    }
}

/// A number with its digits in groups of three: `12,345`. For tooltips.
pub fn exact(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A size in bytes: `12 B`, `3.4 kB`, `64 MB`.
pub fn bytes(size: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    match UNITS.iter().find(|(unit, _)| size >= *unit) {
        Some((unit, name)) => format!("{} {name}", short(size as f64 / *unit as f64)),
        None => format!("{size} B"),
    }
}

/// An amount of money: `$0.12`, `€3.40`, `¥120`, `0.12 CHF`. Less than a hundredth shows as such.
pub fn money(amount: f64, currency: &str) -> String {
    let decimals = if currency == "JPY" { 0 } else { 2 };
    let least = 10_f64.powi(-decimals);
    let (sign, amount) = if amount > 0.0 && amount < least {
        ("<", least)
    } else {
        ("", amount)
    };
    let number = format!(
        "{amount:.0$}",
        usize::try_from(decimals).unwrap_or_default()
    );
    match currency {
        "USD" => format!("{sign}${number}"),
        "EUR" => format!("{sign}€{number}"),
        "GBP" => format!("{sign}£{number}"),
        "JPY" => format!("{sign}¥{number}"),
        other => format!("{sign}{number} {other}"),
    }
}

/// One decimal below 100, none above, and no `.0`.
fn short(number: f64) -> String {
    let text = if number < 99.95 {
        format!("{number:.1}")
    } else {
        format!("{number:.0}")
    };
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;

    #[test]
    fn durations() {
        let i18n = I18n::new(Language::English);
        let cases = [
            (0, "0.0 s"),
            (40, "0.0 s"),
            (840, "0.8 s"),
            (999, "1.0 s"),
            (9_940, "9.9 s"),
            (9_960, "10 s"),
            (12_400, "12 s"),
            (59_999, "59 s"),
            (60_000, "1 min 0 s"),
            (125_000, "2 min 5 s"),
            (3_780_000, "1 h 3 min"),
        ];
        for (millis, expected) in cases {
            assert_eq!(duration(&i18n, millis), expected, "{millis}");
        }
    }

    #[test]
    fn counts() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1_000, "1k"),
            (1_240, "1.2k"),
            (12_449, "12.4k"),
            (99_960, "100k"),
            (123_456, "123k"),
            (999_960, "1M"),
            (1_240_000, "1.2M"),
            (3_000_000_000, "3G"),
        ];
        for (number, expected) in cases {
            assert_eq!(count(number), expected, "{number}");
        }
    }

    #[test]
    fn exact_numbers() {
        assert_eq!(exact(0), "0");
        assert_eq!(exact(999), "999");
        assert_eq!(exact(1_000), "1,000");
        assert_eq!(exact(1_234_567), "1,234,567");
    }

    #[test]
    fn sizes() {
        assert_eq!(bytes(12), "12 B");
        assert_eq!(bytes(3_400), "3.4 kB");
        assert_eq!(bytes(64_000_000), "64 MB");
    }

    #[test]
    fn amounts_of_money() {
        assert_eq!(money(0.123, "USD"), "$0.12");
        assert_eq!(money(0.001, "USD"), "<$0.01");
        assert_eq!(money(0.0, "USD"), "$0.00");
        assert_eq!(money(120.4, "JPY"), "¥120");
        assert_eq!(money(1.5, "CHF"), "1.50 CHF");
    }
}
