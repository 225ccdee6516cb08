//! Text that a user can see: a key and the values of its placeholders become text in the chosen language.
//!
//! The text is in `locales/<language>/<area>.ftl`. A key is written `area.thing.detail`; Fluent has no dots in its
//! identifiers, so the catalog says `area-thing-detail`. No identifier holds a hyphen of its own: words within a
//! part are joined by underscores.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

/// A language that the window speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    #[default]
    English,
    Japanese,
}

impl Language {
    /// In the order of the language menu.
    pub const ALL: [Self; 2] = [Self::English, Self::Japanese];

    /// Reads `ja`, `ja-JP`, `ja_JP.UTF-8` alike. `None` for a language that has no catalog.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split(['-', '_', '.', '@']).next()?.to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|language| language.tag() == primary)
    }

    /// The language to start in, given what the system says. English where we don't speak the system's.
    pub fn for_system(tag: Option<&str>) -> Self {
        tag.and_then(Self::from_tag).unwrap_or_default()
    }

    /// What stands in the settings file.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Japanese => "ja",
        }
    }

    /// The language's own name for itself, never translated, so that its speakers find it.
    pub fn native_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Japanese => "日本語",
        }
    }

    fn identifier(self) -> LanguageIdentifier {
        // The tags above are well-formed.
        self.tag().parse().unwrap_or_default()
    }

    fn catalogs(self) -> &'static [&'static str] {
        match self {
            Self::English => &[
                include_str!("../locales/en/app.ftl"),
                include_str!("../locales/en/backend.ftl"),
                include_str!("../locales/en/composer.ftl"),
                include_str!("../locales/en/error.ftl"),
                include_str!("../locales/en/find.ftl"),
                include_str!("../locales/en/level.ftl"),
                include_str!("../locales/en/mcp.ftl"),
                include_str!("../locales/en/permission.ftl"),
                include_str!("../locales/en/question.ftl"),
                include_str!("../locales/en/reason.ftl"),
                include_str!("../locales/en/record.ftl"),
                include_str!("../locales/en/rules.ftl"),
                include_str!("../locales/en/settings.ftl"),
                include_str!("../locales/en/protocol.ftl"),
                include_str!("../locales/en/status.ftl"),
                include_str!("../locales/en/transcript.ftl"),
            ],
            Self::Japanese => &[
                include_str!("../locales/ja/app.ftl"),
                include_str!("../locales/ja/backend.ftl"),
                include_str!("../locales/ja/composer.ftl"),
                include_str!("../locales/ja/error.ftl"),
                include_str!("../locales/ja/find.ftl"),
                include_str!("../locales/ja/level.ftl"),
                include_str!("../locales/ja/mcp.ftl"),
                include_str!("../locales/ja/permission.ftl"),
                include_str!("../locales/ja/question.ftl"),
                include_str!("../locales/ja/reason.ftl"),
                include_str!("../locales/ja/record.ftl"),
                include_str!("../locales/ja/rules.ftl"),
                include_str!("../locales/ja/settings.ftl"),
                include_str!("../locales/ja/protocol.ftl"),
                include_str!("../locales/ja/status.ftl"),
                include_str!("../locales/ja/transcript.ftl"),
            ],
        }
    }
}

/// The value of a placeholder. Made with `into()` from text and numbers.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg<'a> {
    Text(Cow<'a, str>),
    /// Chooses plurals as well. Shown without grouping; give text where it should look otherwise.
    Number(f64),
}

/// The catalog of one language. Another language is another value.
pub struct I18n {
    language: Language,
    bundle: FluentBundle<FluentResource>,
    messages: HashMap<String, Message>,
}

/// A message as the lookup finds it, under its key.
enum Message {
    /// No placeholders: formatted once, since a label asks for it in every UI frame.
    Plain(String),
    /// Has placeholders; its identifier in the bundle.
    Pattern(String),
}

impl I18n {
    pub fn new(language: Language) -> Self {
        Self::from_catalogs(language, language.catalogs())
    }

    pub fn language(&self) -> Language {
        self.language
    }

    /// The text of a message without placeholders; costs a map lookup.
    ///
    /// An unknown key comes back as it is, so that a mistake is seen and nothing else breaks.
    pub fn tr<'a>(&'a self, key: &'a str) -> &'a str {
        match self.messages.get(key) {
            Some(Message::Plain(text)) => text,
            Some(Message::Pattern(_)) | None => key,
        }
    }

    /// The text of a message with its placeholders filled in. An unknown key comes back as it is.
    pub fn tr_args(&self, key: &str, args: &[(&str, Arg<'_>)]) -> String {
        let id = match self.messages.get(key) {
            Some(Message::Pattern(id)) => id,
            Some(Message::Plain(text)) => return text.clone(),
            None => return key.to_owned(),
        };
        let args: FluentArgs<'_> = args.iter().map(|(name, arg)| (*name, value(arg))).collect();
        format(&self.bundle, id, Some(&args))
            .map_or_else(|| key.to_owned(), |formatted| formatted.text)
    }

    fn from_catalogs(language: Language, catalogs: &[&str]) -> Self {
        let mut bundle = FluentBundle::new_concurrent(vec![language.identifier()]);
        // Isolation marks would end up in copied text and in the fonts as missing glyphs.
        bundle.set_use_isolating(false);
        for catalog in catalogs {
            let resource = FluentResource::try_new((*catalog).to_owned());
            debug_assert!(
                resource.is_ok(),
                "a catalog does not parse: {:?}",
                resource.err().map(|(_, errors)| errors)
            );
            let resource = resource.unwrap_or_else(|(parsed_part, _)| parsed_part);
            let added = bundle.add_resource(resource);
            debug_assert!(added.is_ok(), "a message is there twice: {:?}", added.err());
        }
        let ids = catalogs
            .iter()
            .flat_map(|catalog| catalog.lines())
            .filter_map(message_id);
        let messages = ids
            .map(|id| (id.replace('-', "."), message(&bundle, id)))
            .collect();
        Self {
            language,
            bundle,
            messages,
        }
    }
}

impl fmt::Debug for I18n {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("I18n")
            .field("language", &self.language)
            .finish_non_exhaustive()
    }
}

impl<'a> From<&'a str> for Arg<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a String> for Arg<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Arg<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl From<f64> for Arg<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<i32> for Arg<'_> {
    fn from(number: i32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u32> for Arg<'_> {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u64> for Arg<'_> {
    fn from(number: u64) -> Self {
        Self::Number(number as f64)
    }
}

impl From<usize> for Arg<'_> {
    fn from(number: usize) -> Self {
        Self::Number(number as f64)
    }
}

struct Formatted {
    text: String,
    /// Whether every placeholder had a value.
    is_complete: bool,
}

fn message(bundle: &FluentBundle<FluentResource>, id: &str) -> Message {
    match format(bundle, id, None) {
        Some(Formatted {
            text,
            is_complete: true,
        }) => Message::Plain(text),
        Some(Formatted {
            is_complete: false, ..
        })
        | None => Message::Pattern(id.to_owned()),
    }
}

fn format(
    bundle: &FluentBundle<FluentResource>,
    id: &str,
    args: Option<&FluentArgs<'_>>,
) -> Option<Formatted> {
    let pattern = bundle.get_message(id)?.value()?;
    let mut errors = Vec::new();
    let text = bundle
        .format_pattern(pattern, args, &mut errors)
        .into_owned();
    Some(Formatted {
        text,
        is_complete: errors.is_empty(),
    })
}

/// The identifier of the message that starts in this line. Terms (`-name = …`) are not messages.
fn message_id(line: &str) -> Option<&str> {
    let id = line.split_once('=')?.0.trim_end();
    id.starts_with(|c: char| c.is_ascii_alphabetic())
        .then_some(id)
}

fn value<'a>(arg: &'a Arg<'_>) -> FluentValue<'a> {
    match arg {
        Arg::Text(text) => FluentValue::from(text.as_ref()),
        Arg::Number(number) => FluentValue::from(*number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english(catalog: &str) -> I18n {
        I18n::from_catalogs(Language::English, &[catalog])
    }

    #[test]
    fn system_tags_choose_the_language() {
        let cases = [
            ("ja", Some(Language::Japanese)),
            ("ja-JP", Some(Language::Japanese)),
            ("ja_JP.UTF-8", Some(Language::Japanese)),
            ("JA", Some(Language::Japanese)),
            ("en_US", Some(Language::English)),
            ("jam", None),
            ("fr-FR", None),
            ("C", None),
            ("", None),
        ];
        for (tag, expected) in cases {
            assert_eq!(Language::from_tag(tag), expected, "{tag}");
        }
        assert_eq!(Language::for_system(Some("fr-FR")), Language::English);
        assert_eq!(Language::for_system(None), Language::English);
    }

    #[test]
    fn a_tag_leads_back_to_its_language() {
        for language in Language::ALL {
            assert_eq!(Language::from_tag(language.tag()), Some(language));
        }
    }

    #[test]
    fn dots_of_a_key_are_hyphens_of_the_catalog() {
        let i18n = english("app-action-open_raw = Open raw");
        assert_eq!(i18n.tr("app.action.open_raw"), "Open raw");
        assert_eq!(i18n.tr("app-action-open_raw"), "app-action-open_raw");
    }

    #[test]
    fn an_unknown_key_comes_back_as_it_is() {
        let i18n = english("app-name = Agent Panel");
        assert_eq!(i18n.tr("app.missing"), "app.missing");
        assert_eq!(
            i18n.tr_args("app.missing", &[("count", 1.into())]),
            "app.missing"
        );
    }

    #[test]
    fn placeholders_are_filled_without_isolation_marks() {
        let i18n = english("app-folder = { $name } in { $path }");
        let args = [
            ("name", Arg::from("src")),
            ("path", Arg::from("/home/me".to_owned())),
        ];
        assert_eq!(i18n.tr_args("app.folder", &args), "src in /home/me");
    }

    #[test]
    fn a_message_with_placeholders_needs_them() {
        let i18n = english("app-folder = In { $path }");
        assert_eq!(i18n.tr("app.folder"), "app.folder");
        assert_eq!(i18n.tr_args("app.folder", &[]), "In {$path}");
    }

    #[test]
    fn numbers_choose_the_plural() {
        let english = I18n::new(Language::English);
        let japanese = I18n::new(Language::Japanese);
        let waiting = |i18n: &I18n, count: usize| {
            i18n.tr_args("permission.waiting", &[("count", count.into())])
        };
        assert_eq!(waiting(&english, 1), "1 more waiting");
        assert_eq!(waiting(&english, 12_345), "12345 more waiting");
        assert_eq!(waiting(&japanese, 1), "ほか 1 件が待機中");
    }

    #[test]
    fn a_plain_message_may_be_asked_for_with_arguments() {
        assert_eq!(
            I18n::new(Language::Japanese).tr_args("composer.send", &[]),
            "送信"
        );
    }

    #[test]
    fn terms_and_comments_are_not_messages() {
        let i18n = english("# a = b\n-brand = Panel\napp-name = Agent { -brand }\n");
        assert_eq!(i18n.messages.len(), 1);
        assert_eq!(i18n.tr("app.name"), "Agent Panel");
    }

    /// A missing catalog would show as keys on the screen in one language only.
    #[test]
    fn every_catalog_is_read_in_every_language() {
        for language in Language::ALL {
            let i18n = I18n::new(language);
            for key in [
                "app.menu",
                "backend.choose",
                "composer.message",
                "error.details",
                "find.label",
                "level.title",
                "mcp.copy",
                "permission.details.show",
                "protocol.title",
                "question.optional",
                "reason.needs_person",
                "record.title",
                "rules.title",
                "settings.open",
                "status.not_started",
                "transcript.you",
            ] {
                assert_ne!(i18n.tr(key), key, "{language:?}");
            }
        }
    }
}
