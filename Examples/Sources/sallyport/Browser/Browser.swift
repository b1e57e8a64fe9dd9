import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Opens the person's browser: `$BROWSER` where set, else the system's opener.
enum Browser {
    /// Opens an address; where no browser opens, shows it.
    static func open(_ url: String) {
        let isOpened = start("exec ${BROWSER:-\(systemOpener)} \"$1\"", url)
        if isOpened {
            Terminal.note("Waiting for the browser. If none opened, open this address:\n\(url)")
        } else {
            show(url)
        }
    }

    /// Shows an address for the person to open.
    static func show(_ url: String) {
        Terminal.note("Open this address in a browser:\n\(url)")
    }

    /// The program that opens it; nil where there is none.
    static var opener: String? {
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

    /// What the browser is given of the environment: all but this tool's own variables, some of which are secret.
    private static var environment: [String] {
        ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("SALLYPORT_") }
            .map { "\($0.key)=\($0.value)" }
    }

    /// Starts a shell line in a process group of its own, so that Ctrl-C here does not close the browser there.
    private static func start(_ line: String, _ url: String) -> Bool {
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
        // A browser's chatter is no output of this tool.
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
        return unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, &variables) == 0
    }
}
