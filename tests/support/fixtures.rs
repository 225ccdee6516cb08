//! The recordings in `fixtures/`.

use std::fs;
use std::path::{Path, PathBuf};

use agent_panel::bridge::script::Recording;

/// A recording.
#[derive(Clone)]
pub(crate) struct Fixture {
    /// `agent/case`.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

impl Fixture {
    /// Its frames.
    pub(crate) fn recording(&self) -> Recording {
        let text = fs::read_to_string(&self.path).expect("fixtures are readable");
        Recording::parse(&text).expect("fixtures are recordings")
    }
}

/// All recordings, in the order of their names.
pub(crate) fn fixtures() -> Vec<Fixture> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut fixtures = Vec::new();
    for agent in entries(&root).into_iter().filter(|path| path.is_dir()) {
        let agent_name = name(&agent);
        for path in entries(&agent) {
            let file = name(&path);
            if let Some(case) = file.strip_suffix(".jsonl") {
                fixtures.push(Fixture {
                    name: format!("{agent_name}/{case}"),
                    path,
                });
            }
        }
    }
    fixtures
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("fixtures are there");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("fixtures are readable").path())
        .collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
