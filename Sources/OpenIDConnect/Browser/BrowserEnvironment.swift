#if os(Linux) || os(macOS)
/// The variables of this process that a browser is given.
///
/// A browser runs much that is not the app's, and all of it can read the environment that it was started in, where apps
/// keep API keys and passphrases. So a list of names decides, not of exceptions. On it is what `xdg-open`, `open`, `wslview`
/// and the browsers themselves read: the session, the screen, the desktop, languages, folders, proxies, and the ways out of a
/// sandbox, of WSL and of an editor's terminal on another machine. `LD_LIBRARY_PATH` is not: the libraries of a bundled app
/// are not the browser's.
enum BrowserEnvironment {
    /// Returns the variables that a browser is given.
    ///
    /// - Parameter environment: The variables of this process.
    /// - Returns: Those of them that are on the list.
    static func passed(of environment: [String: String]) -> [String: String] {
        environment.filter { name, _ in names.contains(name) || prefixes.contains { name.hasPrefix($0) } }
    }

    private static let names = Set(all.joined())

    private static let all = [
        user, screen, desktop, proxies.flatMap { [$0, $0.uppercased()] }, passages,
    ]

    private static let user = [
        "BROWSER", "HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TEMP", "TERM", "TMP", "TMPDIR", "TZ",
        "USER",
        "__CF_USER_TEXT_ENCODING",
    ]

    private static let screen = [
        "COLORTERM", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "ICEAUTHORITY", "PULSE_SERVER", "WAYLAND_DISPLAY",
        "XAUTHORITY",
        "XMODIFIERS",
    ]

    /// Names by which `xdg-open` knows the desktop.
    private static let desktop = [
        "DESKTOP", "DESKTOP_SESSION", "GDMSESSION", "GNOME_DESKTOP_SESSION_ID", "HYPRLAND_INSTANCE_SIGNATURE", "I3SOCK",
        "KDE_FULL_SESSION", "KDE_SESSION_UID", "KDE_SESSION_VERSION", "LXQT_SESSION_CONFIG", "MATE_DESKTOP_SESSION_ID",
        "SESSION_MANAGER", "SWAYSOCK",
    ]

    /// A browser without a desktop's settings reads these, in either case.
    private static let proxies = ["all_proxy", "ftp_proxy", "http_proxy", "https_proxy", "no_proxy"]

    /// Ways to a browser outside: of a Flatpak, a container, WSL, and a terminal of Visual Studio Code on another machine.
    private static let passages = [
        "FLATPAK_ID", "SNAP", "VSCODE_IPC_HOOK_CLI", "WSLENV", "WSL_DISTRO_NAME", "WSL_INTEROP", "container",
    ]

    /// Settings of the languages, the desktop's folders and session, the toolkits, Firefox, and snap's ways out.
    private static let prefixes = ["LC_", "XDG_", "GDK_", "GTK_", "QT_", "MOZ_", "SNAP_"]
}
#endif
