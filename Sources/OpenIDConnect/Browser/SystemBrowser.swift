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
    /// The browser gets the address as its last argument, which everybody on the machine can read, and is not waited for.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - isWithheld: Which variables of this process the browser is not given, by their names: those that hold secrets.
    /// - Returns: Whether a program was started; one that then finds no browser is not noticed.
    @discardableResult
    public static func open(_ url: String, withholding isWithheld: (String) -> Bool = { _ in false }) -> Bool {
        guard opener != nil else { return false }
        let variables = ProcessInfo.processInfo.environment
            .filter { !isWithheld($0.key) }
            .map { "\($0.key)=\($0.value)" }
        return start("(exec ${BROWSER:-\(systemOpener)} \"$1\") &", url, variables)
    }

    /// The program that opens an address; nil where there is none.
    public static var opener: String? {
        let environment = ProcessInfo.processInfo.environment
        if let named = environment["BROWSER"], !named.isEmpty { return named }
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(systemOpener)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static var systemOpener: String {
        #if canImport(Darwin)
        "open"
        #else
        "xdg-open"
        #endif
    }

    /// Starts a shell line in a process group of its own, so that Ctrl-C here does not close the browser there.
    private static func start(_ line: String, _ url: String, _ environment: [String]) -> Bool {
        var attributes = posix_spawnattr_t()
        guard unsafe posix_spawnattr_init(&attributes) == 0 else { return false }
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var restored = sigset_t()
        unsafe sigemptyset(&restored)
        unsafe sigaddset(&restored, SIGINT)
        unsafe sigaddset(&restored, SIGTERM)
        unsafe posix_spawnattr_setsigdefault(&attributes, &restored)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
        var actions = unsafe posix_spawn_file_actions_t()
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return false }
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        // A browser's chatter is no output of this program.
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
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
