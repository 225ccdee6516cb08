//! Model, mode, level and the other options of a session, as chips; in one chip where there is little room.

use egui::Ui;

use crate::core::command::Command;
use crate::core::controls::{
    ConfigChoice, ConfigOption, ConfigSetting, ConfigValue, Selector, SelectorRoute,
};
use crate::core::ids::{ModeId, ModelId, SessionKey};
use crate::core::presets::mode_runs_unasked;
use crate::core::session::Session;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::icons;
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::Button;
use crate::ui::widgets::popover::{Opening, Popover};
use crate::ui::widgets::row::{Row, heading_ui};
use crate::ui::widgets::selector::{Choice, Words, choices_popover_ui, choices_ui as list_ui};

/// Categories that have chips of their own.
const MODEL: &str = "model";
const MODE: &str = "mode";
const LEVEL: &str = "thought_level";

/// One drop-down with its name.
struct Named {
    title: String,
    selector: Selector,
    /// The choices that let calls run unasked.
    unasked: Vec<String>,
    /// Whether sessions to come start with what is chosen.
    lasting: Lasting,
}

/// How long a choice holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lasting {
    ForSession,
    /// Also for sessions to come of this agent in this folder.
    AsMode,
}

/// Shows the chips.
pub(super) fn choices_ui(ui: &mut Ui, cx: &mut UiCx<'_>, session: &Session, is_narrow: bool) {
    let selectors = selectors(cx, session);
    let others: Vec<&ConfigOption> = session
        .config_options()
        .iter()
        .filter(|option| !has_own_chip(option))
        .collect();
    if is_narrow {
        one_chip_ui(ui, cx, session, &selectors, &others);
        return;
    }
    let share = 1.0 / selectors.len().max(1) as f32;
    let room = ui.available_width() - Button::chip_height(cx.theme) - 8.0;
    for named in &selectors {
        chip_ui(ui, cx, session, named, room * share.min(0.6));
    }
    if !others.is_empty() {
        let label = cx.i18n.tr("app.options");
        let button = Button::icon(icons::SLIDERS, label)
            .icon_color(cx.theme.secondary)
            .small()
            .show_ui(ui, cx.theme);
        Popover::above(&button, label).show_ui(cx.theme, |ui, opening| {
            options_ui(ui, cx, session, &others, opening);
        });
    }
}

fn has_own_chip(option: &ConfigOption) -> bool {
    let is_select = matches!(option.value, ConfigValue::Select { .. });
    let category = option.category.as_deref();
    is_select && matches!(category, Some(MODEL | MODE | LEVEL))
}

fn selectors(cx: &UiCx<'_>, session: &Session) -> Vec<Named> {
    let level = session.config_options().iter().find_map(|option| {
        let is_level = option.category.as_deref() == Some(LEVEL);
        is_level.then(|| selector_of(option)).flatten()
    });
    let named = |title: &str, selector: Option<Selector>| {
        selector
            .filter(|selector| !selector.choices.is_empty())
            .map(|selector| Named {
                title: title.to_owned(),
                unasked: Vec::new(),
                lasting: Lasting::ForSession,
                selector,
            })
    };
    let mut mode = named(cx.i18n.tr("app.mode"), session.mode_selector());
    if let Some(mode) = &mut mode {
        let choices = mode.selector.choices.iter().map(|choice| &choice.value);
        let unasked = choices.filter(|mode| mode_runs_unasked(&session.spec().id, mode));
        mode.unasked = unasked.cloned().collect();
        mode.lasting = Lasting::AsMode;
    }
    let all = [
        named(cx.i18n.tr("app.model"), session.model_selector()),
        mode,
        named(cx.i18n.tr("app.level"), level),
    ];
    all.into_iter().flatten().collect()
}

fn selector_of(option: &ConfigOption) -> Option<Selector> {
    match &option.value {
        ConfigValue::Select { current, choices } => Some(Selector {
            current: current.clone(),
            choices: choices.clone(),
            route: SelectorRoute::Option(option.id.clone()),
        }),
        ConfigValue::Boolean { .. } => None,
    }
}

fn chip_ui(ui: &mut Ui, cx: &mut UiCx<'_>, session: &Session, named: &Named, room: f32) {
    let current = one_line(named.selector.current_name());
    let label = format!("{}: {current}", named.title);
    let description = current_description(&named.selector);
    let tooltip = description.map_or_else(
        || named.title.clone(),
        |description| format!("{}\n{description}", named.title),
    );
    let is_unasked = named.unasked.contains(&named.selector.current);
    let tooltip = if is_unasked {
        format!("{tooltip}\n{}", cx.i18n.tr("app.mode.unasked.about"))
    } else {
        tooltip
    };
    let mut button = Button::chip(&label);
    if is_unasked {
        button = button.tint(cx.theme.caution);
    }
    let button = button
        .shown(&current)
        .tooltip(&tooltip)
        .max_width(room.min(cx.theme.scaled(200.0)))
        .id(ui.scope_id().with(&named.title))
        .show_ui(ui, cx.theme);
    let choices = marked(cx, named);
    let current = &named.selector.current;
    let chosen = choices_popover_ui(
        cx.theme,
        &button,
        &named.title,
        &choices,
        current,
        words(cx),
    );
    if let Some(value) = chosen {
        choose_named(cx, session, named, value);
    }
}

fn one_chip_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    session: &Session,
    selectors: &[Named],
    others: &[&ConfigOption],
) {
    if selectors.is_empty() && others.is_empty() {
        return;
    }
    let current = selectors
        .first()
        .map(|named| one_line(named.selector.current_name()))
        .unwrap_or_default();
    let label = cx.i18n.tr("app.options");
    let button = Button::chip(label)
        .shown(&current)
        .with_icon(icons::SLIDERS)
        .tooltip(label)
        .max_width(ui.available_width())
        .id(ui.scope_id().with("options"))
        .show_ui(ui, cx.theme);
    Popover::above(&button, label).show_ui(cx.theme, |ui, opening| {
        for named in selectors {
            heading_ui(ui, cx.theme, &named.title);
            let choices = marked(cx, named);
            let id = button.id.with(&named.title);
            let current = &named.selector.current;
            let words = words(cx);
            let chosen = list_ui(ui, cx.theme, id, opening, &choices, current, words);
            if let Some(value) = chosen {
                choose_named(cx, session, named, value);
            }
        }
        options_ui(ui, cx, session, others, opening);
    });
}

fn options_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    session: &Session,
    options: &[&ConfigOption],
    opening: Opening,
) {
    for option in options {
        let name = one_line(&option.name);
        match &option.value {
            ConfigValue::Boolean { current } => {
                let description = option.description.as_deref().map(one_line);
                let row = Row::new(&name)
                    .chosen(*current)
                    .description(description.as_deref().unwrap_or_default())
                    .show_ui(ui, cx.theme);
                if row.clicked() {
                    cx.commands.push(Command::SetConfigOption {
                        session: session.key(),
                        option: option.id.clone(),
                        value: ConfigSetting::Boolean(!current),
                    });
                }
            }
            ConfigValue::Select { current, choices } => {
                heading_ui(ui, cx.theme, &name);
                let id = ui.scope_id().with(option.id.as_str());
                let plain = plain(choices);
                let words = words(cx);
                let chosen = list_ui(ui, cx.theme, id, opening, &plain, current, words);
                if let (Some(value), Some(selector)) = (chosen, selector_of(option)) {
                    choose(cx, session.key(), &selector, value);
                }
            }
        }
    }
}

fn words<'a>(cx: &UiCx<'a>) -> Words<'a> {
    Words {
        search: cx.i18n.tr("app.search"),
        nothing_found: cx.i18n.tr("app.search.nothing_found"),
    }
}

fn plain(choices: &[ConfigChoice]) -> Vec<Choice<'_>> {
    let plain = choices.iter().map(|choice| Choice {
        value: &choice.value,
        name: &choice.name,
        description: choice.description.as_deref(),
        note: None,
        group: choice.group.as_deref(),
    });
    plain.collect()
}

/// The choices, with a word at those that let calls run unasked.
fn marked<'a>(cx: &UiCx<'a>, named: &'a Named) -> Vec<Choice<'a>> {
    let mut choices = plain(&named.selector.choices);
    for choice in &mut choices {
        let is_unasked = named.unasked.iter().any(|value| value == choice.value);
        choice.note = is_unasked.then(|| cx.i18n.tr("app.mode.unasked"));
    }
    choices
}

fn current_description(selector: &Selector) -> Option<&str> {
    let mut choices = selector.choices.iter();
    let current = choices.find(|choice| choice.value == selector.current)?;
    current
        .description
        .as_deref()
        .filter(|text| !text.is_empty())
}

/// Sends a choice; a mode is remembered for this agent in this folder. The one in which the agent asks is what holds
/// without a choice, so that it is not kept.
fn choose_named(cx: &mut UiCx<'_>, session: &Session, named: &Named, value: &str) {
    choose(cx, session.key(), &named.selector, value);
    if named.lasting == Lasting::ForSession {
        return;
    }
    let spec = session.spec();
    let mode = Some(ModeId::from(value)).filter(|mode| spec.asking_mode.as_ref() != Some(mode));
    let folder = &session.setup().cwd;
    if cx.settings.modes.mode(&spec.id, folder) == mode.as_ref() {
        return;
    }
    let mut settings = cx.settings.clone();
    settings.modes.choose(spec.id.clone(), folder.clone(), mode);
    cx.actions
        .push(UiAction::ChangeSettings(Box::new(settings)));
}

/// Sends a choice on its route. What is on already is not sent again.
fn choose(cx: &mut UiCx<'_>, session: SessionKey, selector: &Selector, value: &str) {
    if selector.current == value {
        return;
    }
    cx.commands.push(match &selector.route {
        SelectorRoute::Mode => Command::SetMode {
            session,
            mode: ModeId::from(value),
        },
        SelectorRoute::Model => Command::SetModel {
            session,
            model: ModelId::from(value),
        },
        SelectorRoute::Option(option) => Command::SetConfigOption {
            session,
            option: option.clone(),
            value: ConfigSetting::Choice(value.to_owned()),
        },
    });
}
