//! What to say when no window can be opened: what is missing, and what to install.

/// The packages of Debian and its relatives that a window needs.
const PACKAGES: &str = "libx11-6 libx11-xcb1 libxkbcommon-x11-0 libxcursor1 libxi6 libxrandr2 libgl1 libegl1 \
                        libgl1-mesa-dri";

/// What the surroundings say about a display.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// `DISPLAY`.
    pub x11: Option<String>,
    /// `WAYLAND_DISPLAY` or `WAYLAND_SOCKET`.
    pub wayland: Option<String>,
    /// Whether this system has a display without being told (Windows, macOS).
    pub always_has_display: bool,
}

/// The message for a person, given the window system's error.
pub fn message(error: &str, surroundings: &Surroundings) -> String {
    let error = cause(error);
    let has_display = surroundings.always_has_display
        || surroundings
            .x11
            .as_ref()
            .is_some_and(|value| !value.is_empty())
        || surroundings
            .wayland
            .as_ref()
            .is_some_and(|value| !value.is_empty());
    if !has_display {
        return format!(
            "no window: there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)\n\
             Start it in a desktop session, connect with ssh -X, or use `agent-panel exec` without a window.\n\
             Cause: {error}"
        );
    }
    if surroundings.always_has_display {
        return format!("no window: {error}");
    }
    let missing = if let Some(library) = library(error) {
        format!("a library is missing: {library}")
    } else if is_about_graphics(error) {
        "OpenGL can't be used".to_owned()
    } else {
        "the display can't be used".to_owned()
    };
    format!(
        "no window: {missing}\n\
         On Debian or Ubuntu: apt-get install {PACKAGES}\n\
         Cause: {error}"
    )
}

/// The window system's error without the place in its source where it was made.
fn cause(error: &str) -> &str {
    let place = error.split_once(".rs:");
    place
        .and_then(|(_, rest)| rest.split_once(": "))
        .map_or(error, |(_, cause)| cause)
}

fn is_about_graphics(error: &str) -> bool {
    let error = error.to_lowercase();
    ["glutin", "egl", "glx", "opengl", "gl config"]
        .iter()
        .any(|word| error.contains(word))
}

/// The name of a shared library in an error.
fn library(error: &str) -> Option<&str> {
    let is_end =
        |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ':' | ',' | ')' | '(' | '`');
    error
        .split(is_end)
        .find(|word| word.starts_with("lib") && word.contains(".so"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x11() -> Surroundings {
        Surroundings {
            x11: Some(":0".to_owned()),
            ..Surroundings::default()
        }
    }

    #[test]
    fn without_a_display_it_says_so() {
        let message = message(
            "neither WAYLAND_DISPLAY nor DISPLAY is set",
            &Surroundings::default(),
        );
        assert!(message.starts_with("no window: there is no display"));
        assert!(message.contains("agent-panel exec"));
    }

    #[test]
    fn a_place_in_the_source_is_no_cause() {
        let error = "winit EventLoopError: os error at /x/winit/linux/mod.rs:788: no X server";
        assert!(message(error, &x11()).ends_with("Cause: no X server"));
    }

    #[test]
    fn a_missing_library_is_named_with_what_to_install() {
        let error = "Failed to load libXcursor.so.1: cannot open shared object file";
        let message = message(error, &x11());
        assert!(
            message.contains("a library is missing: libXcursor.so.1"),
            "{message}"
        );
        assert!(message.contains("libxcursor1"));
    }

    #[test]
    fn graphics_are_told_from_the_display() {
        let cases = [
            (
                "Found no glutin configs matching the template",
                "OpenGL can't be used",
            ),
            (
                "Failed to open connection to X server",
                "the display can't be used",
            ),
        ];
        for (error, expected) in cases {
            assert!(message(error, &x11()).contains(expected), "{error}");
        }
    }

    #[test]
    fn other_systems_are_told_the_cause_alone() {
        let surroundings = Surroundings {
            always_has_display: true,
            ..Surroundings::default()
        };
        assert_eq!(message("it broke", &surroundings), "no window: it broke");
    }
}
