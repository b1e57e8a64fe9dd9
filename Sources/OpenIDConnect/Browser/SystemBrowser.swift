// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The user's default browser: `$BROWSER` if it is set, else the system's opener.
///
/// `BROWSER` names commands, separated by colons. The first one whose program is installed is used. Quotes and backslashes
/// count as in a shell. `%s` is the URL; without it, the URL is the last argument.
/// [RFC 8252, 6](https://www.rfc-editor.org/rfc/rfc8252#section-6): never a view inside the app.
public enum SystemBrowser {
    /// Opens a URL, and returns whether a program was started; a program that then finds no browser goes unnoticed.
    ///
    /// The URL is an argument of the browser, which every user of the machine can read. The browser gets only the
    /// environment variables that it needs. If yours needs another one, set it in `$BROWSER` itself:
    /// `BROWSER="env NAME=VALUE program"`.
    @discardableResult
    public static func open(_ url: String) -> Bool {
        open(url, in: ProcessInfo.processInfo.environment)
    }

    static func open(_ url: String, in environment: [String: String]) -> Bool {
        let variables = BrowserEnvironment.filtered(environment).map { "\($0.key)=\($0.value)" }
        return commands(in: environment).contains { words in
            let hasPlace = words.contains { $0.contains("%s") }
            return start(hasPlace ? words.map { filled($0, with: url) } : words + [url], variables)
        }
    }

    /// Returns a word with the URL in place of `%s`.
    ///
    /// A longer word may be the line of a shell, which must not execute a part of the URL within quotes.
    private static func filled(_ word: String, with url: String) -> String {
        if word == "%s" { return url }
        return word.replacing("%s", with: url.replacing("$", with: "%24").replacing("'", with: "%27"))
    }

    /// The program that opens a URL; nil if there isn't one.
    public static var opener: String? { commands(in: ProcessInfo.processInfo.environment).first?.first }

    /// Returns the commands that may open a URL, in words, without those whose program is not installed.
    private static func commands(in environment: [String: String]) -> [[String]] {
        let named = environment["BROWSER"] ?? ""
        let commands = named.isEmpty ? [[systemOpener]] : words(ofAlternatives: named)
        return commands.filter { $0.first.flatMap { path(of: $0, environment) } != nil }
    }

    /// Returns the words of the alternatives of `BROWSER`, without their quotes and backslashes.
    private static func words(ofAlternatives text: String) -> [[String]] {
        var (alternatives, word) = ([[String]()], String.UnicodeScalarView?.none)
        var (quote, isEscaped) = (Unicode.Scalar?.none, false)
        func endWord() {
            if let ended = word { alternatives[alternatives.count - 1].append(String(ended)) }
            word = nil
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                // Within double quotes, a backslash escapes these characters alone, and is kept before others.
                if quote != nil, !"\\\"$`".unicodeScalars.contains(scalar) { word?.append("\\") }
                word?.append(scalar)
                isEscaped = false
            case "\\" where quote != "'":
                (word, isEscaped) = (word ?? .init(), true)
            case "'" where quote != "\"", "\"" where quote != "'":
                (word, quote) = (word ?? .init(), quote == nil ? scalar : nil)
            case " " where quote == nil, "\t" where quote == nil, "\n" where quote == nil: endWord()
            case ":" where quote == nil:
                endWord()
                alternatives.append([])
            default:
                word = word ?? .init()
                word?.append(scalar)
            }
        }
        endWord()
        return alternatives
    }

    private static func path(of program: String, _ environment: [String: String]) -> String? {
        if program.contains("/") { return FileManager.default.isExecutableFile(atPath: program) ? program : nil }
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    #if canImport(Glibc)
    private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    /// The function of glibc 2.34 and later, which is not in the header that Swift reads; nil in older versions.
    private static var closeFrom: CloseFrom? {
        let symbol = unsafe dlsym(nil, "posix_spawn_file_actions_addclosefrom_np")
        return unsafe symbol.map { unsafe unsafeBitCast($0, to: CloseFrom.self) }
    }
    #endif

    private static var systemOpener: String {
        #if canImport(Darwin)
        "open"
        #else
        "xdg-open"
        #endif
    }

    /// Restores the default signal handling: this process may ignore signals or block them on this thread.
    private static func restoreSignals(_ attributes: inout posix_spawnattr_t) {
        var restored = sigset_t()
        unsafe sigemptyset(&restored)
        unsafe posix_spawnattr_setsigmask(&attributes, &restored)
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGTSTP, SIGCHLD] {
            unsafe sigaddset(&restored, signal)
        }
        unsafe posix_spawnattr_setsigdefault(&attributes, &restored)
    }

    /// Starts a command in its own process group, so that Ctrl-C in this terminal doesn't close the browser.
    private static func start(_ command: [String], _ environment: [String]) -> Bool {
        var attributes = posix_spawnattr_t()
        guard unsafe posix_spawnattr_init(&attributes) == 0 else { return false }
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        restoreSignals(&attributes)
        var flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        #if canImport(Darwin)
        flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #endif
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var actions = unsafe posix_spawn_file_actions_t()
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return false }
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        // The browser's output is not this program's.
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        #if canImport(Glibc)
        // The browser doesn't inherit this program's sockets: it could outlive the program and keep the listener's
        // port.
        _ = unsafe closeFrom?(&actions, 3)
        #endif
        let words = ["/bin/sh", "-c", "(exec \"$@\") &", "sh"] + command
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
        defer { unsafe arguments.forEach { unsafe free($0) } }
        unsafe arguments.append(nil)
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) }
        defer { unsafe variables.forEach { unsafe free($0) } }
        unsafe variables.append(nil)
        var process = pid_t()
        guard unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, &variables) == 0 else {
            return false
        }
        // The shell exits at once, and the browser becomes the system's child: no zombie is left.
        var status: Int32 = 0
        return unsafe waitpid(process, &status, 0) == process && status == 0
    }
}

/// The environment variables that are passed to a browser.
///
/// An allow list: a browser runs code that is not the app's, and all of it can read the environment, in which apps keep
/// API keys. The list contains the variables that `xdg-open`, `open`, `wslview` and browsers read. `LD_LIBRARY_PATH` is
/// left out on purpose: a bundled app's libraries are not the browser's.
enum BrowserEnvironment {
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

    /// Proxy settings, in either case; also with a password, which browsers need.
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
