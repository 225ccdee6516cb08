//! Whether the window could open: the display, and the libraries that are loaded at run time.
//!
//! Nothing is loaded to find out: the libraries are looked for by name, in the loader's cache and the usual folders.

use std::path::{Path, PathBuf};

/// What the window draws on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Display {
    Wayland,
    X11,
    /// macOS and Windows: always there, with all that it needs.
    System,
}

/// A library that is loaded when the window opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Library {
    pub file: &'static str,
    /// The package that holds it on Debian and Ubuntu.
    pub package: &'static str,
    need: Need,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    X11,
    Wayland,
    /// One of these is enough.
    Graphics,
}

const LIBRARIES: [Library; 11] = [
    library("libX11.so.6", "libx11-6", Need::X11),
    library("libX11-xcb.so.1", "libx11-xcb1", Need::X11),
    library("libXcursor.so.1", "libxcursor1", Need::X11),
    library("libXi.so.6", "libxi6", Need::X11),
    library("libXrandr.so.2", "libxrandr2", Need::X11),
    library("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", Need::X11),
    library(
        "libwayland-client.so.0",
        "libwayland-client0",
        Need::Wayland,
    ),
    library("libwayland-egl.so.1", "libwayland-egl1", Need::Wayland),
    library("libxkbcommon.so.0", "libxkbcommon0", Need::Wayland),
    library("libEGL.so.1", "libegl1", Need::Graphics),
    library("libGL.so.1", "libgl1", Need::Graphics),
];

const fn library(file: &'static str, package: &'static str, need: Need) -> Library {
    Library {
        file,
        package,
        need,
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowCheck {
    /// `None` when there is none: over ssh, in a container, in a service.
    pub display: Option<Display>,
    /// The libraries of this system's displays, with the file that would be loaded.
    pub libraries: Vec<(Library, Option<PathBuf>)>,
}

/// The display that the environment names. `var` looks up a variable.
pub fn display(is_unix_desktop: Platform, var: impl Fn(&str) -> Option<String>) -> Option<Display> {
    if is_unix_desktop == Platform::Other {
        return Some(Display::System);
    }
    let is_set = |name: &str| var(name).is_some_and(|value| !value.is_empty());
    if is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET") {
        Some(Display::Wayland)
    } else if is_set("DISPLAY") {
        Some(Display::X11)
    } else {
        None
    }
}

/// How the system shows windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// Linux and the like: X11 or Wayland, through libraries that may be missing.
    X11OrWayland,
    /// macOS and Windows.
    Other,
}

impl Platform {
    /// This system's.
    pub const HERE: Self = if cfg!(any(target_os = "macos", windows)) {
        Self::Other
    } else {
        Self::X11OrWayland
    };
}

/// Looks for the libraries. `find` gives the file of a library by name.
pub fn check(
    platform: Platform,
    display: Option<Display>,
    find: impl Fn(&str) -> Option<PathBuf>,
) -> WindowCheck {
    let libraries = match platform {
        Platform::Other => Vec::new(),
        Platform::X11OrWayland => LIBRARIES
            .map(|library| (library, find(library.file)))
            .to_vec(),
    };
    WindowCheck { display, libraries }
}

/// A library's file: in the text of the loader's cache, else in one of the folders.
pub fn find_library(
    name: &str,
    cache: &[u8],
    folders: &[PathBuf],
    exists: impl Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let cached = cache
        .split(|byte| *byte == 0)
        .filter_map(|text| std::str::from_utf8(text).ok())
        .filter(|text| text.starts_with('/') && text.rsplit('/').next() == Some(name))
        .map(PathBuf::from);
    cached
        .chain(folders.iter().map(|folder| folder.join(name)))
        .find(|path| exists(path))
}

impl WindowCheck {
    /// The libraries that the display needs and that are not there.
    pub fn missing(&self) -> Vec<Library> {
        let need = match self.display {
            Some(Display::X11) | None => Need::X11,
            Some(Display::Wayland) => Need::Wayland,
            Some(Display::System) => return Vec::new(),
        };
        let has_graphics = self
            .libraries
            .iter()
            .any(|(library, file)| library.need == Need::Graphics && file.is_some());
        let is_needed = |library: &Library| {
            library.need == need || (library.need == Need::Graphics && !has_graphics)
        };
        self.libraries
            .iter()
            .filter(|(library, file)| file.is_none() && is_needed(library))
            .map(|(library, _)| *library)
            .collect()
    }

    /// What stands in the way of the window, each with what to do about it.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if self.display.is_none() {
            problems.push(
                "There is no display: neither WAYLAND_DISPLAY nor DISPLAY is set. \
                 `agent-panel exec` works without one."
                    .to_owned(),
            );
        }
        let missing = self.missing();
        if !missing.is_empty() {
            let files: Vec<_> = missing.iter().map(|library| library.file).collect();
            let packages: Vec<_> = missing.iter().map(|library| library.package).collect();
            problems.push(format!(
                "Libraries are missing: {}. On Debian and Ubuntu: apt-get install {}",
                files.join(", "),
                packages.join(" ")
            ));
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vars(set: &[(&str, &str)]) -> impl Fn(&str) -> Option<String> {
        let set: Vec<_> = set
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        move |name| {
            set.iter()
                .find(|(known, _)| known == name)
                .map(|(_, value)| value.clone())
        }
    }

    #[test]
    fn the_display_is_read_from_the_environment() {
        let cases: [(&[(&str, &str)], Option<Display>); 4] = [
            (&[], None),
            (&[("DISPLAY", "")], None),
            (&[("DISPLAY", ":0")], Some(Display::X11)),
            (
                &[("DISPLAY", ":0"), ("WAYLAND_DISPLAY", "wayland-0")],
                Some(Display::Wayland),
            ),
        ];
        for (set, expected) in cases {
            assert_eq!(
                display(Platform::X11OrWayland, vars(set)),
                expected,
                "{set:?}"
            );
        }
        assert_eq!(display(Platform::Other, vars(&[])), Some(Display::System));
    }

    #[test]
    fn a_library_is_found_in_the_cache_or_in_a_folder() {
        let cache = b"glibc-ld.so\0libX11.so.6\0/lib/a/libX11.so.6\0/lib/a/libXi.so.6\0";
        let folders = [PathBuf::from("/usr/lib"), PathBuf::from("/usr/local/lib")];
        let on_disk = ["/lib/a/libX11.so.6", "/usr/local/lib/libGL.so.1"];
        let find = |name: &str| {
            find_library(name, cache, &folders, |path| {
                on_disk.iter().any(|file| Path::new(file) == path)
            })
        };
        assert_eq!(
            find("libX11.so.6"),
            Some(PathBuf::from("/lib/a/libX11.so.6"))
        );
        assert_eq!(find("libXi.so.6"), None);
        assert_eq!(
            find("libGL.so.1"),
            Some(PathBuf::from("/usr/local/lib/libGL.so.1"))
        );
    }

    #[test]
    fn only_what_the_display_needs_is_missed_and_named_with_its_package() {
        let without = |missing: &'static [&'static str]| {
            move |name: &str| (!missing.contains(&name)).then(|| PathBuf::from("/lib").join(name))
        };
        let problems =
            |display, missing| check(Platform::X11OrWayland, display, without(missing)).problems();
        assert_eq!(
            problems(
                Some(Display::X11),
                &["libwayland-client.so.0", "libEGL.so.1"]
            ),
            [""; 0]
        );
        assert_eq!(
            problems(
                Some(Display::X11),
                &["libxkbcommon-x11.so.0", "libEGL.so.1", "libGL.so.1"]
            ),
            [
                "Libraries are missing: libxkbcommon-x11.so.0, libEGL.so.1, libGL.so.1. \
              On Debian and Ubuntu: apt-get install libxkbcommon-x11-0 libegl1 libgl1"
            ]
        );
        assert_eq!(problems(Some(Display::Wayland), &["libX11.so.6"]), [""; 0]);
        assert_eq!(problems(None, &[]).len(), 1);
        assert_eq!(
            check(Platform::Other, Some(Display::System), |_| None).problems(),
            [""; 0]
        );
    }
}
