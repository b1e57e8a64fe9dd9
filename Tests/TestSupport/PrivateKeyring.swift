// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
public import Foundation
internal import Glibc
internal import Synchronization

/// A real gnome-keyring-daemon with its own session bus and its own home folder.
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
    /// The folder that holds this keyring's copy of the daemon.
    public let programs: URL
    /// The home folder, which contains the keyring's file.
    public let home: URL
    /// The environment with which a child process reaches this keyring and no other.
    public let environment: [String: String]

    /// Whether this machine has the required programs.
    public static var isAvailable: Bool {
        ["gnome-keyring-daemon", "dbus-daemon", "dbus-send", "dbus-monitor", "secret-tool"]
            .allSatisfy { Executable.find($0) != nil }
    }

    /// The bus's address.
    public var address: String { bus.address }

    /// Runs a test with an empty keyring, then removes everything.
    ///
    /// - Parameters:
    ///   - start: The state of the keyring when the daemon starts.
    ///   - body: The test.
    /// - Throws: Any error of the test; ``TestSupportError``.
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

    /// Runs a test with a bus that has no keyring service.
    ///
    /// - Parameters:
    ///   - user: The user who runs the bus, if not this one. Only root can choose.
    ///   - body: The test.
    /// - Throws: Any error of the test; ``TestSupportError``.
    public static func busWithoutProvider(
        as user: uid_t? = nil,
        _ body: (PrivateBus) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        if let user {
            try FileManager.default.setAttributes([.ownerAccountID: user], ofItemAtPath: folder.url.path)
        }
        let bus = try await PrivateBus(in: folder.url, as: user)
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
        // The installed file has a capability (to lock memory) that containers often may not grant. The daemon then
        // does not start at all. A copy has no capability.
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
        // A folder in the home, so that a search of the home also finds data that a program leaves in temporary files.
        environment["TMPDIR"] = try folder.folder("home/tmp").path
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        self.environment = environment
    }

    // MARK: The daemon

    /// The state of the keyring when the daemon starts.
    public enum Start: Sendable {
        /// The daemon gets the password of the keyring. It creates a keyring if the folder has no keyring.
        case unlocked
        /// The daemon gets no password: an existing keyring stays cold, that is, locked since the daemon started.
        case cold
        /// The daemon gets no password and finds no keyring.
        case withoutCollection
        /// The keyring has no password, and its file is unencrypted.
        case inClear
    }

    /// Starts the daemon, for example again after ``kill()``.
    ///
    /// - Parameter start: The state of the keyring.
    /// - Throws: ``TestSupportError``, or the system's error.
    public func start(_ start: Start) async throws {
        if start == .inClear { try makeKeyringInClear() }
        // In one start of 4,000 the daemon ends with its own assertion at the first request
        // ("gkd_secret_service_get_pkcs11_session: assertion 'client' failed"). It is then started again.
        for _ in 0..<5 {
            let started = try startDaemon(unlocked: start == .unlocked)
            daemon.withLock { $0 = started }
            try await waitUntil("the keyring is as \(start)") {
                if started.hasEnded { return true }
                return try await self.isReady(start)
            }
            if !started.hasEnded { return }
        }
        throw TestSupportError("the keyring service ends each time that it is started")
    }

    private func startDaemon(unlocked: Bool) throws -> RunningProcess {
        var process = ChildProcess()
        process.executableURL = executable
        process.arguments = ["--components=secrets", "--foreground"] + (unlocked ? ["--unlock"] : [])
        process.environment = environment
        // Without a newline, which would become part of the password.
        let password = folder.url.appendingPathComponent("password")
        try Data(unlocked ? Self.password.utf8 : "".utf8).write(to: password)
        let input = try FileHandle(forReadingFrom: password)
        defer { try? input.close() }
        process.standardInput = .file(input)
        process.standardOutput = .null
        process.standardError = .null
        return try RunningProcess(process)
    }

    private func isReady(_ start: Start) async throws -> Bool {
        guard try await bus.hasOwner(of: Self.service) else { return false }
        switch start {
        case .withoutCollection: return true
        case .cold: return try await isLocked()
        case .inClear:
            // A keyring without a password unlocks without a prompt, but only on request.
            _ = try await call("org.freedesktop.Secret.Service.Unlock", ["array:objpath:\(Self.collection)"])
            fallthrough
        case .unlocked: return try await !isLocked()
        }
    }

    /// Writes the file in the daemon's own format for a keyring with an empty password.
    private func makeKeyringInClear() throws {
        let keyrings = try folder.folder("home/.local/share/keyrings")
        let text = "[keyring]\ndisplay-name=login\nctime=0\nmtime=0\nlock-on-idle=false\nlock-after=false\n"
        try Data(text.utf8).write(to: keyrings.appendingPathComponent("login.keyring"))
        try Data("login".utf8).write(to: keyrings.appendingPathComponent("default"))
    }

    /// Kills the daemon, as a crash would.
    ///
    /// - Throws: ``TestSupportError`` if the daemon's bus name stays owned.
    public func kill() async throws {
        await daemon.withLock { $0 }?.end()
        try await waitUntil("the keyring service is gone") { try await !self.bus.hasOwner(of: Self.service) }
    }

    /// Suspends the daemon: it keeps its bus name and sends no replies.
    public func pause() {
        daemon.withLock { $0 }?.send(SIGSTOP)
    }

    /// Resumes a suspended daemon.
    public func resume() {
        daemon.withLock { $0 }?.send(SIGCONT)
    }

    /// Ends the daemon and the bus, and removes all files.
    public func stop() async {
        await daemon.withLock { $0 }?.end()
        await bus.stop()
        folder.remove()
    }

    // MARK: The lock

    /// Locks the keyring, as the user would.
    ///
    /// - Throws: ``TestSupportError`` if the keyring does not lock.
    public func lock() async throws {
        _ = try await call("org.freedesktop.Secret.Service.Lock", ["array:objpath:\(Self.collection)"])
        guard try await isLocked() else { throw TestSupportError("the keyring did not lock") }
    }

    /// Unlocks the keyring in the running daemon, as a login does.
    ///
    /// - Throws: ``TestSupportError`` if the keyring does not unlock.
    public func unlock() async throws {
        let control = folder.url.appendingPathComponent("run/keyring/control")
        let socket = try UnixSocket.connected(to: control)
        // One byte carries the credentials. The message follows: length, operation 1 (unlock), the length of the
        // password, and the password. All numbers have four bytes.
        let password = Array(Self.password.utf8)
        func number(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        try socket.send([0])
        try socket.send(number(12 + password.count) + number(1) + number(password.count) + password)
        let reply = try socket.receive(upTo: 8)
        guard reply == number(8) + number(0) else { throw TestSupportError("the keyring did not unlock: \(reply)") }
        try await waitUntil("the keyring is unlocked") { try await !self.isLocked() }
    }

    /// Returns whether the keyring is locked.
    ///
    /// - Returns: The current value of the daemon's `Locked` property.
    /// - Throws: ``TestSupportError`` if the call fails.
    public func isLocked() async throws -> Bool {
        let property = ["string:org.freedesktop.Secret.Collection", "string:Locked"]
        let get = "org.freedesktop.DBus.Properties.Get"
        return try await bus.call(get, of: Self.service, at: Self.collection, property).contains("boolean true")
    }

    // MARK: Other programs

    /// Runs `secret-tool` on this keyring.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - input: The secret for `store`.
    /// - Returns: The output and the exit code.
    /// - Throws: ``TestSupportError`` if the program can't be run.
    public func secretTool(_ arguments: [String], input: String = "") async throws -> Command.Output {
        try await Command("secret-tool", arguments, environment: environment, input: Data(input.utf8)).run()
    }

    /// Returns the files of the test's folder, the home folder included, that contain the given bytes.
    ///
    /// - Parameter bytes: The bytes to find.
    /// - Returns: The paths of the files.
    public func files(containing bytes: Data) -> [String] {
        folder.files(containing: bytes)
    }

    private func call(_ method: String, _ arguments: [String]) async throws -> String {
        try await bus.call(method, of: Self.service, at: Self.path, arguments)
    }
}
#endif
