#if canImport(Glibc)
public import Foundation
internal import Glibc
internal import Synchronization

/// A real gnome-keyring-daemon on a session bus of its own, in a home folder of its own.
public final class PrivateKeyring: Sendable {
    private static let service = "org.freedesktop.secrets"
    private static let path = "/org/freedesktop/secrets"
    private static let collection = "/org/freedesktop/secrets/collection/login"
    static let password = "test-password"
    private static let turnstile = Turnstile(places: 8)

    private let folder: TemporaryFolder
    private let executable: URL
    private let daemon = Mutex<RunningProcess?>(nil)
    /// The bus that the keyring is on.
    public let bus: PrivateBus
    /// Where the daemon's own copy is.
    public let programs: URL
    /// The home folder, where the keyring's file is.
    public let home: URL
    /// What a child process needs to use this keyring, and nothing that leads to another.
    public let environment: [String: String]

    /// Whether this machine has what it takes.
    public static var isAvailable: Bool {
        ["gnome-keyring-daemon", "dbus-daemon", "dbus-send", "dbus-monitor", "secret-tool"]
            .allSatisfy { Executable.find($0) != nil }
    }

    /// The bus's address.
    public var address: String { bus.address }

    /// Gives a test a keyring, unlocked and empty unless said otherwise, and removes all of it afterwards.
    ///
    /// - Parameters:
    ///   - start: What the daemon finds.
    ///   - body: The test.
    /// - Throws: What the test throws; ``TestSupportError``.
    public static func with(
        _ start: Start = .unlocked,
        _ body: (PrivateKeyring) async throws -> Void
    ) async throws {
        try await turnstile.pass { try await withOwn(start, body) }
    }

    private static func withOwn(
        _ start: Start,
        _ body: (PrivateKeyring) async throws -> Void
    ) async throws {
        let keyring = try await PrivateKeyring()
        do {
            try await keyring.start(start)
            try await body(keyring)
        } catch {
            await keyring.stop()
            throw error
        }
        await keyring.stop()
    }

    /// Gives a test a bus on which there is no keyring service.
    ///
    /// - Parameter body: The test.
    /// - Throws: What the test throws; ``TestSupportError``.
    public static func busWithoutProvider(_ body: (PrivateBus) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let bus = try await PrivateBus(in: folder.url)
        do {
            try await body(bus)
        } catch {
            await bus.stop()
            throw error
        }
        await bus.stop()
    }

    private init() async throws {
        guard let installed = Executable.find("gnome-keyring-daemon") else {
            throw TestSupportError("gnome-keyring-daemon is not installed")
        }
        folder = try TemporaryFolder()
        // The installed file has a capability (to lock memory) that containers often may not grant: then it does not
        // start at all. A copy has none.
        programs = try folder.folder("bin")
        executable = programs.appendingPathComponent("gnome-keyring-daemon")
        try await Executable.copy(installed, to: executable)
        home = try folder.folder("home")
        let (data, runtime) = try (folder.folder("home/.local/share"), folder.folder("run"))
        bus = try await PrivateBus(in: runtime)
        var environment = ProcessInfo.processInfo.environment
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "XDG_STATE_HOME", "GNOME_KEYRING_CONTROL", "SSH_AUTH_SOCK"] {
            environment[name] = nil
        }
        environment["HOME"] = home.path
        environment["XDG_DATA_HOME"] = data.path
        environment["XDG_CONFIG_HOME"] = try folder.folder("home/.config").path
        environment["XDG_CACHE_HOME"] = try folder.folder("home/.cache").path
        environment["XDG_RUNTIME_DIR"] = runtime.path
        // Inside the home, so that who searches that finds what a program leaves in its temporary files too.
        environment["TMPDIR"] = try folder.folder("home/tmp").path
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        self.environment = environment
    }

    // MARK: The daemon

    /// What a daemon finds when it starts.
    public enum Start: Sendable {
        /// The password of the keyring, which is made where there is none.
        case unlocked
        /// No password: a keyring that is there stays cold, which is locked since the daemon started.
        case cold
        /// No password and no keyring.
        case withoutCollection
        /// A keyring without a password, whose file is in clear.
        case inClear
    }

    /// Starts the daemon, after ``kill()``, say.
    ///
    /// - Parameter start: What it finds.
    /// - Throws: ``TestSupportError``.
    public func start(_ start: Start) async throws {
        let unlocked = start == .unlocked
        if start == .inClear { try makeKeyringInClear() }
        let process = Process()
        process.executableURL = executable
        process.arguments = ["--components=secrets", "--foreground"] + (unlocked ? ["--unlock"] : [])
        process.environment = environment
        // Without a newline: it would become part of the password.
        let password = folder.url.appendingPathComponent("password")
        try Data(unlocked ? Self.password.utf8 : "".utf8).write(to: password)
        let input = try FileHandle(forReadingFrom: password)
        defer { try? input.close() }
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let started = try RunningProcess(process)
        daemon.withLock { $0 = started }
        try await waitUntil("the keyring service is there") { try await self.bus.hasOwner(of: Self.service) }
        guard start != .withoutCollection else { return }
        // Without a password it opens without a prompt, but not by itself.
        if start == .inClear {
            _ = try await call("org.freedesktop.Secret.Service.Unlock", ["array:objpath:\(Self.collection)"])
        }
        try await waitUntil("the keyring is \(start == .cold ? "locked" : "unlocked")") {
            try await self.isLocked() == (start == .cold)
        }
    }

    /// As the daemon itself writes a keyring that was given an empty password.
    private func makeKeyringInClear() throws {
        let keyrings = try folder.folder("home/.local/share/keyrings")
        let text = "[keyring]\ndisplay-name=login\nctime=0\nmtime=0\nlock-on-idle=false\nlock-after=false\n"
        try Data(text.utf8).write(to: keyrings.appendingPathComponent("login.keyring"))
        try Data("login".utf8).write(to: keyrings.appendingPathComponent("default"))
    }

    /// Kills the daemon, as a crash would.
    ///
    /// - Throws: ``TestSupportError``.
    public func kill() async throws {
        await daemon.withLock { $0 }?.end()
        try await waitUntil("the keyring service is gone") { try await !self.bus.hasOwner(of: Self.service) }
    }

    /// Stops the daemon in its tracks: it keeps its name and answers nothing.
    public func pause() {
        daemon.withLock { $0 }?.send(SIGSTOP)
    }

    /// Lets a paused daemon go on.
    public func resume() {
        daemon.withLock { $0 }?.send(SIGCONT)
    }

    /// Ends everything and removes every file.
    public func stop() async {
        await daemon.withLock { $0 }?.end()
        await bus.stop()
        folder.remove()
    }

    // MARK: The lock

    /// Locks the keyring, as its owner would.
    ///
    /// - Throws: ``TestSupportError``.
    public func lock() async throws {
        _ = try await call("org.freedesktop.Secret.Service.Lock", ["array:objpath:\(Self.collection)"])
        guard try await isLocked() else { throw TestSupportError("the keyring did not lock") }
    }

    /// Unlocks the keyring in the running daemon, the way a login does.
    ///
    /// - Throws: ``TestSupportError``.
    public func unlock() async throws {
        let control = folder.url.appendingPathComponent("run/keyring/control")
        let socket = try UnixSocket.connected(to: control)
        // One byte that carries the credentials, then a message: length, operation 1 (unlock), the password's length
        // and the password; all numbers of four bytes.
        let password = Array(Self.password.utf8)
        func number(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        try socket.send([0])
        try socket.send(number(12 + password.count) + number(1) + number(password.count) + password)
        let reply = try socket.receive(upTo: 8)
        guard reply == number(8) + number(0) else { throw TestSupportError("the keyring did not unlock: \(reply)") }
        try await waitUntil("the keyring is unlocked") { try await !self.isLocked() }
    }

    /// Whether the keyring is locked.
    ///
    /// - Returns: What the daemon says now.
    /// - Throws: ``TestSupportError``.
    public func isLocked() async throws -> Bool {
        let property = ["string:org.freedesktop.Secret.Collection", "string:Locked"]
        let get = "org.freedesktop.DBus.Properties.Get"
        return try await bus.call(get, of: Self.service, at: Self.collection, property).contains("boolean true")
    }

    // MARK: Other programs

    /// Runs `secret-tool` on this keyring.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - input: The secret for `store`.
    /// - Returns: What it left behind.
    /// - Throws: ``TestSupportError`` where it could not be run.
    public func secretTool(_ arguments: [String], input: String = "") async throws -> Command.Output {
        try await Command("secret-tool", arguments, environment: environment, input: Data(input.utf8)).run()
    }

    /// The files of the home folder that hold the given bytes.
    ///
    /// - Parameter bytes: What to look for.
    /// - Returns: Their paths.
    public func files(containing bytes: Data) -> [String] {
        folder.files(containing: bytes)
    }

    private func call(_ method: String, _ arguments: [String]) async throws -> String {
        try await bus.call(method, of: Self.service, at: Self.path, arguments)
    }
}
#endif
