//! Dates and times of a rules file, without a clock.

use toml_edit::{Datetime, Offset};

use super::ProblemKind;
use crate::core::time::Timestamp;

/// A date and time with its offset, in milliseconds since 1970.
pub(super) fn timestamp(at: &Datetime) -> Result<Timestamp, ProblemKind> {
    let (Some(date), Some(time), Some(offset)) = (at.date, at.time, at.offset) else {
        return Err(ProblemKind::Expiry);
    };
    let minutes_east = match offset {
        Offset::Z => 0,
        Offset::Custom { minutes } => i64::from(minutes),
    };
    let days = days_since_1970(
        i64::from(date.year),
        i64::from(date.month),
        i64::from(date.day),
    );
    let minutes = i64::from(time.hour) * 60 + i64::from(time.minute) - minutes_east;
    let secs = days * 86_400 + minutes * 60 + i64::from(time.second.unwrap_or(0));
    u64::try_from(secs)
        .map(|secs| Timestamp(secs * 1_000))
        .map_err(|_too_early| ProblemKind::Expiry)
}

/// Days from 1 January 1970, in the calendar in use.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// A moment as a person writes it: a date with a time and an offset, or a date alone, which begins in UTC.
pub fn moment(text: &str) -> Option<Timestamp> {
    let at: Datetime = text.parse().ok()?;
    if at.time.is_some() {
        return timestamp(&at).ok();
    }
    at.date?;
    let at: Datetime = format!("{text}T00:00:00Z").parse().ok()?;
    timestamp(&at).ok()
}

/// The moment in UTC, to the second: `2026-11-30T12:00:00Z`.
pub fn text(at: Timestamp) -> String {
    datetime(at).to_string()
}

/// The moment as a date and time in UTC, to the second.
pub(super) fn datetime(at: Timestamp) -> Datetime {
    let secs = at.0 / 1_000;
    let days = i64::try_from(secs / 86_400).unwrap_or_default() + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let text = format!(
        "{year:04}-{month:02}-{:02}T{:02}:{:02}:{:02}Z",
        day_of_year - (153 * shifted + 2) / 5 + 1,
        secs / 3_600 % 24,
        secs / 60 % 60,
        secs % 60,
    );
    text.parse().unwrap_or(Datetime {
        date: None,
        time: None,
        offset: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_both_ways() {
        for secs in [0, 951_782_400, 1_709_164_800, 1_798_714_800, 4_107_542_399] {
            let at = Timestamp(secs * 1_000);
            assert_eq!(timestamp(&datetime(at)), Ok(at));
        }
    }
}
