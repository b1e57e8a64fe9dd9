// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Foundation
internal import Glibc

/// A real KeePassXC without a display, on its own session bus, with one open database that it exposes as a keyring.
public final class PrivateKeePassXC: Sendable {
    private static let service = "org.freedesktop.secrets"
    private static let path = "/org/freedesktop/secrets"
    private static let password = "test-password"
    private static let turnstile = Turnstile(places: 3)

    private let process: RunningProcess
    /// The bus that the keyring is on.
    public let bus: PrivateBus
    /// The environment with which a child process reaches this keyring and no other.
    public let environment: [String: String]

    /// Whether this machine has the required programs.
    public static var isAvailable: Bool {
        ["keepassxc", "keepassxc-cli", "dbus-daemon", "dbus-send"].allSatisfy { Executable.find($0) != nil }
    }

    /// The bus's address.
    public var address: String { bus.address }

    /// Runs a test with a KeePassXC whose database is open and empty, then removes everything.
    ///
    /// - Parameters:
    ///   - confirmsAccess: Whether another program's item is locked until the user confirms access. True in KeePassXC's
    ///     default settings.
    ///   - confirmsDeletion: Whether the prompt to delete an item asks the user. True in KeePassXC's default settings.
    ///     If false, the prompt deletes the item as soon as it is shown.
    ///   - body: The test.
    /// - Throws: Any error of the test; ``TestSupportError``.
    public static func with(
        confirmingAccess confirmsAccess: Bool = false,
        confirmingDeletion confirmsDeletion: Bool = true,
        _ body: (PrivateKeePassXC) async throws -> Void
    ) async throws {
        try await turnstile.pass {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let bus = try await PrivateBus(in: folder.url)
            do {
                let keyring = try await PrivateKeePassXC(
                    in: folder,
                    on: bus,
                    settings: settings(confirmsAccess, confirmsDeletion)
                )
                do {
                    try await keyring.waitUntilReady()
                    try await body(keyring)
                } catch {
                    await keyring.process.end()
                    throw error
                }
                await keyring.process.end()
            } catch {
                await bus.stop()
                throw error
            }
            await bus.stop()
        }
    }

    private init(in folder: TemporaryFolder, on bus: PrivateBus, settings content: String) async throws {
        self.bus = bus
        environment = try Self.environment(in: folder, on: bus)
        let database = folder.url.appendingPathComponent("database.kdbx").path
        try await Self.makeDatabase(at: database, in: folder, environment)
        let settings = folder.url.appendingPathComponent("keepassxc.ini")
        try Data(content.utf8).write(to: settings)
        var process = ChildProcess()
        // The shell kills KeePassXC when the test process is gone, with SIGKILL: other signals make it ask a question.
        let script = """
            printf '%s\\n' "$4" | keepassxc --config "$1" --localconfig "$2" --pw-stdin "$3" >/dev/null 2>&1 &
            cat >/dev/null; kill -9 $!
            """
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, "sh", settings.path, settings.path + ".local", database, Self.password]
        process.environment = environment
        let input = Pipe.make()
        process.standardInput = .pipe(input)
        self.process = try RunningProcess(process, input: input.fileHandleForWriting)
    }

    // MARK: Locking

    /// Locks the database.
    ///
    /// - Throws: ``TestSupportError`` if a call fails or the database stays unlocked.
    public func lock() async throws {
        let collection = try await collection()
        let answer = try await call(
            "org.freedesktop.Secret.Service.Lock",
            at: Self.path,
            [
                "array:objpath:\(collection)"
            ]
        )
        // KeePassXC locks nothing before its prompt is called.
        let prompt = try objectPaths(in: answer).last { $0.contains("/prompt/") }
        guard let prompt else { throw TestSupportError("KeePassXC offered no prompt to lock: \(answer)") }
        _ = try await call("org.freedesktop.Secret.Prompt.Prompt", at: prompt, ["string:"])
        try await waitUntil("the database is locked") {
            try await self.property("Locked", of: "Collection", at: collection).contains("boolean true")
        }
    }

    private func collection() async throws -> String {
        let answer = try await call("org.freedesktop.Secret.Service.ReadAlias", at: Self.path, ["string:default"])
        guard let path = try objectPaths(in: answer).first, path != "/" else {
            throw TestSupportError("KeePassXC has no default collection: \(answer)")
        }
        return path
    }

    private func waitUntilReady() async throws {
        try await waitUntil("KeePassXC has opened its database") {
            try await self.property("Locked", of: "Collection", at: self.collection()).contains("boolean false")
        }
    }

    // MARK: Calling

    private func property(_ name: String, of interface: String, at path: String) async throws -> String {
        let arguments = ["string:org.freedesktop.Secret.\(interface)", "string:\(name)"]
        return try await call("org.freedesktop.DBus.Properties.Get", at: path, arguments)
    }

    private func call(_ method: String, at path: String, _ arguments: [String]) async throws -> String {
        try await bus.call(method, of: Self.service, at: path, arguments)
    }

    private func objectPaths(in answer: String) throws -> [String] {
        answer.matches(of: /object path "([^"]*)"/).map { String($0.1) }
    }

    // MARK: Setting up

    private static func environment(in folder: TemporaryFolder, on bus: PrivateBus) throws -> [String: String] {
        var environment = ProcessInfo.processInfo.environment
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"] { environment[name] = nil }
        environment["QT_QPA_PLATFORM"] = "offscreen"
        environment["HOME"] = try folder.folder("home").path
        environment["XDG_CONFIG_HOME"] = try folder.folder("home/.config").path
        environment["XDG_CACHE_HOME"] = try folder.folder("home/.cache").path
        environment["XDG_DATA_HOME"] = try folder.folder("home/.local/share").path
        environment["XDG_RUNTIME_DIR"] = folder.url.path
        // KeePassXC keeps its lock in this folder, by which it detects another instance of the same user.
        environment["TMPDIR"] = try folder.folder("tmp").path
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        return environment
    }

    private static func makeDatabase(
        at path: String,
        in folder: TemporaryFolder,
        _ environment: [String: String]
    ) async throws {
        let content = folder.url.appendingPathComponent("content.xml")
        try Data(Self.content.utf8).write(to: content)
        let made = try await Command(
            "keepassxc-cli",
            ["import", "--quiet", "--set-password", "--decryption-time", "100", content.path, path],
            environment: environment,
            input: Data("\(password)\n\(password)\n".utf8)
        ).run()
        guard made.exitCode == 0 else { throw TestSupportError("keepassxc-cli import: \(made.errorText)") }
    }

    /// The content of a database that exposes one of its groups to other programs.
    private static let content = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <KeePassFile>
          <Meta>
            <DatabaseName>Secrets</DatabaseName>
            <RecycleBinEnabled>False</RecycleBinEnabled>
            <CustomData>
              <Item>
                <Key>FDO_SECRETS_EXPOSED_GROUP</Key>
                <Value>{aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee}</Value>
              </Item>
            </CustomData>
          </Meta>
          <Root>
            <Group>
              <UUID>AAAAAAAAAAAAAAAAAAAAAQ==</UUID>
              <Name>Root</Name>
              <Group><UUID>qqqqqru7TMyN3e7u7u7u7g==</UUID><Name>Secrets</Name></Group>
            </Group>
          </Root>
        </KeePassFile>
        """

    /// Returns settings without any question or notification that would need a user.
    private static func settings(_ confirmsAccess: Bool, _ confirmsDeletion: Bool) -> String {
        """
        [General]
        ConfigVersion=2
        SingleInstance=false
        UpdateCheckMessageShown=true

        [GUI]
        CheckForUpdates=false

        [FdoSecrets]
        Enabled=true
        ShowNotification=false
        ConfirmAccessItem=\(confirmsAccess)
        ConfirmDeleteItem=\(confirmsDeletion)
        UnlockBeforeSearch=false
        """
    }
}
#endif
