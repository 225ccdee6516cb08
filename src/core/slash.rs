//! Slash commands: what counts as one, and which there are.

use crate::core::controls::AvailableCommand;

/// How many rows the popup has at most.
pub const POPUP_ROWS_MOST: usize = 8;

/// Commands that are offered with every agent, in this order. `compact` is the agent's, the others are ours.
pub const BUILT_IN: [&str; 3] = ["compact", "clear", "mcp"];

/// The name of the command that a message is, if it is one: `/`, a name, then white space or the end.
/// A path (`/usr/bin`), `//` and `/ x` are prose.
pub fn command_name(message: &str) -> Option<&str> {
    let rest = message
        .strip_prefix(' ')
        .unwrap_or(message)
        .strip_prefix('/')?;
    let end = rest.find(|c: char| !is_name_char(c)).unwrap_or(rest.len());
    let (name, after) = rest.split_at_checked(end)?;
    let ends_well = after.chars().next().is_none_or(char::is_whitespace);
    (!name.is_empty() && ends_well).then_some(name)
}

/// The name that is being typed when the whole draft is `/` and name characters. Empty right after the slash.
pub fn typed_prefix(draft: &str) -> Option<&str> {
    draft
        .strip_prefix('/')
        .filter(|name| name.chars().all(is_name_char))
}

/// The agent's commands with ours first; a name that both have stands once, in our place.
pub fn catalog(agent: &[AvailableCommand]) -> Vec<AvailableCommand> {
    let own = BUILT_IN.iter().map(|name| {
        let known = agent.iter().find(|command| command.name == *name);
        let is_agents = *name == "compact";
        known
            .filter(|_| is_agents)
            .cloned()
            .unwrap_or_else(|| AvailableCommand {
                name: (*name).to_owned(),
                description: String::new(),
                hint: None,
            })
    });
    let others = agent
        .iter()
        .filter(|command| !BUILT_IN.contains(&command.name.as_str()))
        .cloned();
    own.chain(others).collect()
}

/// The commands that fit what is typed: those that begin with it, then those that contain it.
pub fn matching<'a>(commands: &'a [AvailableCommand], typed: &str) -> Vec<&'a AvailableCommand> {
    let typed = typed.to_lowercase();
    let begins = |command: &&AvailableCommand| command.name.to_lowercase().starts_with(&typed);
    let contains = |command: &&AvailableCommand| {
        !begins(command) && command.name.to_lowercase().contains(&typed)
    };
    commands
        .iter()
        .filter(begins)
        .chain(commands.iter().filter(contains))
        .take(POPUP_ROWS_MOST)
        .collect()
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(name: &str) -> AvailableCommand {
        AvailableCommand {
            name: name.to_owned(),
            description: format!("does {name}"),
            hint: None,
        }
    }

    #[test]
    fn what_is_a_command() {
        let cases = [
            ("/mcp", Some("mcp")),
            (" /mcp", Some("mcp")),
            ("/compact now please", Some("compact")),
            ("/team:review\nx", Some("team:review")),
            ("/", None),
            ("/ x", None),
            ("//", None),
            ("/usr/bin/x", None),
            ("say /mcp", None),
            ("/a,b", None),
        ];
        for (message, expected) in cases {
            assert_eq!(command_name(message), expected, "{message}");
        }
    }

    #[test]
    fn ours_come_first_and_once() {
        let names: Vec<_> = catalog(&[command("mcp"), command("review"), command("compact")])
            .into_iter()
            .map(|command| (command.name, command.description))
            .collect();
        let expected = [
            ("compact", "does compact"),
            ("clear", ""),
            ("mcp", ""),
            ("review", "does review"),
        ];
        assert_eq!(
            names,
            expected.map(|(name, text)| (name.to_owned(), text.to_owned()))
        );
    }

    #[test]
    fn those_that_begin_with_it_come_before_those_that_contain_it() {
        let commands = [command("premium"), command("mcp"), command("Compact")];
        let names = |typed| {
            matching(&commands, typed)
                .iter()
                .map(|command| command.name.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(names("m"), ["mcp", "premium", "Compact"]);
        assert_eq!(names("com"), ["Compact"]);
        assert_eq!(names(""), ["premium", "mcp", "Compact"]);
    }
}
