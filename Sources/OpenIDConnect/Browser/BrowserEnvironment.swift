// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
/// The environment variables that are passed to a browser.
///
/// An allow list: a browser runs code that is not the app's, and all of it can read the environment, in which apps keep
/// API keys. The list contains the variables that `xdg-open`, `open`, `wslview` and browsers read. `LD_LIBRARY_PATH` is
/// left out on purpose: a bundled app's libraries are not the browser's.
enum BrowserEnvironment {
    /// Returns the variables that are passed to a browser.
    static func filtered(_ environment: [String: String]) -> [String: String] {
        environment.filter { name, _ in names.contains(name) || prefixes.contains { name.hasPrefix($0) } }
    }

    private static let names = Set(user + screen + desktop + proxies + passages + snap)

    private static let user = [
        "BROWSER", "HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TEMP", "TERM", "TMP", "TMPDIR", "TZ",
        "USER", "__CF_USER_TEXT_ENCODING",
    ]

    private static let screen = [
        "COLORTERM", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "ICEAUTHORITY", "PULSE_SERVER", "WAYLAND_DISPLAY",
        "XAUTHORITY", "XMODIFIERS",
    ]

    /// Names by which `xdg-open` recognizes the desktop.
    private static let desktop = [
        "DESKTOP", "DESKTOP_SESSION", "GDMSESSION", "GNOME_DESKTOP_SESSION_ID", "HYPRLAND_INSTANCE_SIGNATURE", "I3SOCK",
        "KDE_FULL_SESSION", "KDE_SESSION_UID", "KDE_SESSION_VERSION", "LXQT_SESSION_CONFIG", "MATE_DESKTOP_SESSION_ID",
        "SESSION_MANAGER", "SWAYSOCK",
    ]

    /// Proxy settings, in either case, for browsers that don't use the desktop's settings.
    ///
    /// A proxy variable that contains a password is passed, too, because the browser needs it.
    private static let proxies = ["all_proxy", "ftp_proxy", "http_proxy", "https_proxy", "no_proxy"]
        .flatMap { [$0, $0.uppercased()] }

    /// Names for reaching a browser outside of a Flatpak, a container, WSL or a Visual Studio Code remote terminal.
    private static let passages = [
        "FLATPAK_ID", "VSCODE_IPC_HOOK_CLI", "WSLENV", "WSL_DISTRO_NAME", "WSL_INTEROP", "container",
    ]

    /// Names and folders of a snap, without `SNAP_COOKIE` and `SNAP_CONTEXT`, which are snapd's secrets.
    private static let snap = [
        "SNAP", "SNAP_ARCH", "SNAP_COMMON", "SNAP_DATA", "SNAP_INSTANCE_NAME", "SNAP_LIBRARY_PATH", "SNAP_NAME",
        "SNAP_REAL_HOME", "SNAP_REVISION", "SNAP_USER_COMMON", "SNAP_USER_DATA",
    ]

    /// Prefixes of settings of languages, desktop folders and sessions, toolkits, and Firefox.
    private static let prefixes = ["LC_", "XDG_", "GDK_", "GTK_", "QT_", "MOZ_"]
}
#endif
