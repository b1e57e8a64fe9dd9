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

/// The person's own browser: `$BROWSER` where set, else the system's opener.
///
/// [RFC 8252, 6](https://www.rfc-editor.org/rfc/rfc8252#section-6): never a view inside of the app.
public enum SystemBrowser {
    /// Opens an address.
    ///
    /// The browser gets the address as its last argument, which everybody on the machine can read, and is not waited for. Of
    /// this process's environment it gets the variables that a browser needs (`BrowserEnvironment` lists them) and no
    /// others. If your `$BROWSER` needs another one, name it there: `BROWSER="env NAME=VALUE program"`.
    ///
    /// - Parameter url: The address.
    /// - Returns: Whether a program was started; one that then finds no browser is not noticed.
    @discardableResult
    public static func open(_ url: String) -> Bool {
        open(url, in: ProcessInfo.processInfo.environment)
    }

    /// Opens an address for a process with another environment.
    static func open(_ url: String, in environment: [String: String]) -> Bool {
        guard opener(in: environment) != nil else { return false }
        let variables = BrowserEnvironment.passed(of: environment).map { "\($0.key)=\($0.value)" }
        return start("(exec ${BROWSER:-\(systemOpener)} \"$1\") &", url, variables)
    }

    /// The program that opens an address; nil where there is none.
    public static var opener: String? { opener(in: ProcessInfo.processInfo.environment) }

    private static func opener(in environment: [String: String]) -> String? {
        if let named = environment["BROWSER"], !named.isEmpty {
            // A line of shell; of one that sets variables first the program is not looked for.
            let program = String(named.prefix { $0 != " " })
            return program.contains("=") || path(of: program, environment) != nil ? named : nil
        }
        return path(of: systemOpener, environment)
    }

    private static func path(of program: String, _ environment: [String: String]) -> String? {
        if program.contains("/") { return FileManager.default.isExecutableFile(atPath: program) ? program : nil }
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    #if canImport(Glibc)
    private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    /// Since glibc 2.34, and not in the header that Swift reads; nil before.
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

    /// What signals do in the browser is not what they do here, where most are ignored, or blocked on the thread that starts it.
    private static func restoreSignals(_ attributes: inout posix_spawnattr_t) {
        var restored = sigset_t()
        unsafe sigemptyset(&restored)
        unsafe posix_spawnattr_setsigmask(&attributes, &restored)
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGTSTP, SIGCHLD] {
            unsafe sigaddset(&restored, signal)
        }
        unsafe posix_spawnattr_setsigdefault(&attributes, &restored)
    }

    /// Starts a shell line in a process group of its own, so that Ctrl-C here does not close the browser there.
    private static func start(_ line: String, _ url: String, _ environment: [String]) -> Bool {
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
        // A browser's chatter is no output of this program.
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        #if canImport(Glibc)
        // Nor is it given this program's connections: a browser that lives on would keep the listener's port.
        _ = unsafe closeFrom?(&actions, 3)
        #endif
        let words: [String] = ["/bin/sh", "-c", line, "sh", url]
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
        // The shell ends at once, and leaves the browser to the system: no dead child stays behind.
        var status: Int32 = 0
        return unsafe waitpid(process, &status, 0) == process && status == 0
    }
}
#endif
