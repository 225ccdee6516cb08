//! The thread that writes settings and drafts, so that the window does not wait for the disk.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc;
use std::thread::JoinHandle;

use crate::core::settings::Settings;
use crate::io::store::{DraftStore, SettingsStore, StoreError};

/// Called on the thread when something could not be written.
pub type OnError = Box<dyn Fn(&StoreError) + Send>;

/// The thread's handle. Dropping it writes what was given to it, and waits for that.
pub struct Saver {
    wanted: Option<mpsc::Sender<Wanted>>,
    thread: Option<JoinHandle<()>>,
}

enum Wanted {
    Settings(Box<Settings>),
    Draft { slot: u64, text: String },
}

/// What is to be written; of each thing only the last.
#[derive(Default)]
struct Batch {
    settings: Option<Box<Settings>>,
    drafts: BTreeMap<u64, String>,
}

impl Saver {
    /// Starts the thread.
    pub fn start(
        mut settings: SettingsStore,
        drafts: DraftStore,
        on_error: OnError,
    ) -> io::Result<Self> {
        let (sender, wanted) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("saver".to_owned())
            .spawn(move || {
                while let Ok(first) = wanted.recv() {
                    let mut batch = Batch::default();
                    batch.add(first);
                    for more in wanted.try_iter() {
                        batch.add(more);
                    }
                    batch.write(&mut settings, &drafts, &on_error);
                }
            })?;
        Ok(Self {
            wanted: Some(sender),
            thread: Some(thread),
        })
    }

    /// Writes the settings, soon. Never blocks.
    pub fn save_settings(&self, settings: Settings) {
        self.want(Wanted::Settings(Box::new(settings)));
    }

    /// Keeps the draft of a session slot, soon; an empty one is removed. Never blocks.
    pub fn save_draft(&self, slot: u64, text: String) {
        self.want(Wanted::Draft { slot, text });
    }

    fn want(&self, wanted: Wanted) {
        let is_lost = self
            .wanted
            .as_ref()
            .is_none_or(|sender| sender.send(wanted).is_err());
        if is_lost {
            tracing::error!("the thread that writes settings and drafts is gone");
        }
    }
}

impl Drop for Saver {
    fn drop(&mut self) {
        self.wanted = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread that writes settings and drafts has panicked");
        }
    }
}

impl Batch {
    fn add(&mut self, wanted: Wanted) {
        match wanted {
            Wanted::Settings(settings) => self.settings = Some(settings),
            Wanted::Draft { slot, text } => {
                self.drafts.insert(slot, text);
            }
        }
    }

    fn write(self, settings: &mut SettingsStore, drafts: &DraftStore, on_error: &OnError) {
        let of_settings = self.settings.map(|new| settings.save(&new));
        let of_drafts = self
            .drafts
            .iter()
            .map(|(slot, text)| drafts.save_draft(*slot, text));
        for result in of_settings.into_iter().chain(of_drafts) {
            if let Err(error) = result {
                tracing::error!(%error, "something could not be written");
                on_error(&error);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn all_is_written_when_it_ends_and_the_last_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("settings.toml");
        let drafts = DraftStore::new(folder.path().join("drafts"));
        let (store, mut settings, _) = SettingsStore::open(file.clone());
        let saver = Saver::start(store, drafts.clone(), Box::new(|_| {})).expect("a thread");
        for size in 11..=20 {
            settings.text_size = size;
            saver.save_settings(settings.clone());
            saver.save_draft(7, "x".repeat(size.into()));
        }
        drop(saver);
        let (_, written, _) = SettingsStore::open(file);
        assert_eq!(written, settings);
        assert_eq!(drafts.load_drafts(), [(7, "x".repeat(20))].into());
    }

    #[test]
    fn what_could_not_be_written_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let in_the_way = folder.path().join("file");
        std::fs::write(&in_the_way, "").expect("it can be written");
        let (store, settings, _) = SettingsStore::open(in_the_way.join("settings.toml"));
        let count = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&count);
        let on_error: OnError = Box::new(move |_| {
            counter.fetch_add(1, Ordering::SeqCst);
        });
        let saver = Saver::start(store, DraftStore::new(in_the_way), on_error).expect("a thread");
        saver.save_settings(settings);
        saver.save_draft(1, "text".to_owned());
        drop(saver);
        assert_eq!(count.load(Ordering::SeqCst), 2);
    }
}
