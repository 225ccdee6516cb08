//! `agent-panel audit`: the record of decisions about tool calls, filtered.

use std::io::{self, Write};
use std::path::PathBuf;

use super::args::{Audit, Format};
use super::exit::{Exit, after_writing, complain};
use super::words::printable;
use crate::core::decisions::DecisionFilter;
use crate::core::policy::rules::date;
use crate::core::time::Timestamp;
use crate::io::audit::{self, AuditEntry, Found};
use crate::io::clock;
use crate::io::store::Folders;

/// Prints the decisions that are looked for, oldest first.
pub(super) fn run(args: &Audit, data: Option<String>) -> Exit {
    let Some(file) = file(args, data) else {
        complain("this system has no place for the record; name its file with --file");
        return Exit::Usage;
    };
    let since = match args.since.as_deref().map(|text| since(text, clock::now())) {
        Some(None) => {
            complain("--since takes a time span (30m, 12h, 7d) or a date (2026-11-30)");
            return Exit::Usage;
        }
        Some(since) => since,
        None => None,
    };
    let filter = DecisionFilter {
        backend: args.backend.clone(),
        session: args.session.clone(),
        decision: args.decision.clone(),
        since,
        text: String::new(),
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    let found = audit::each(&file, |entry| {
        if filter.takes(&entry.logged()) {
            print(&mut out, args.format, &entry)?;
        }
        Ok(())
    });
    let ended = found.and_then(|found| out.flush().map(|()| found));
    match ended {
        Ok(Found::Missing) => {
            complain(&format!("nothing is on record yet: {}", file.display()));
        }
        Ok(Found::Read { broken }) if broken > 0 => {
            complain(&format!("{broken} lines can't be read and are left out"));
        }
        Ok(Found::Read { .. }) => {}
        Err(error) => return after_writing(Err(error)),
    }
    Exit::Success
}

fn file(args: &Audit, data: Option<String>) -> Option<PathBuf> {
    let folders = || match &data {
        Some(folder) => Some(Folders::below(folder.as_ref())),
        None => Folders::of_this_user(),
    };
    args.file.clone().or_else(|| Some(folders()?.audit_file))
}

fn print(out: &mut impl Write, format: Format, entry: &AuditEntry) -> io::Result<()> {
    match format {
        Format::Jsonl => writeln!(out, "{}", serde_json::to_string(entry)?),
        Format::Text => writeln!(out, "{}", printable(&line(entry)).replace('\n', " ")),
    }
}

/// One decision in one line: when, what, which tool, whose, and why.
fn line(entry: &AuditEntry) -> String {
    let mut parts = vec![date::text(Timestamp(entry.at_ms)), entry.decision.clone()];
    parts.extend(entry.answer.clone());
    let doubt = if entry.unsure { " (unsure)" } else { "" };
    parts.push(format!("{}{doubt}", entry.tool));
    parts.push(entry.backend.clone());
    parts.push(entry.folder.display().to_string());
    match (&entry.because, &entry.rule) {
        (Some(because), Some(rule)) => parts.push(format!("{because}: {rule}")),
        (Some(because), None) => parts.push(because.clone()),
        (None, _) => {}
    }
    parts.join("  ")
}

/// A span before now, or a moment.
fn since(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    let split = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(split)?;
    let millis = match unit {
        "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        "w" => 604_800_000,
        _ => return date::moment(text),
    };
    let span = number.parse::<u64>().ok()?.checked_mul(millis)?;
    Some(Timestamp(now.0.saturating_sub(span)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn since_is_a_span_or_a_moment() {
        let now = Timestamp(1_798_714_800_000);
        for (text, expected) in [
            ("30m", Some(now.0 - 1_800_000)),
            ("2d", Some(now.0 - 172_800_000)),
            ("2026-12-31", Some(1_798_675_200_000)),
            ("2026-12-31T12:00:00+01:00", Some(1_798_714_800_000)),
            ("soon", None),
            ("12", None),
            ("h", None),
            ("", None),
        ] {
            assert_eq!(since(text, now).map(|at| at.0), expected, "{text}");
        }
    }
}
