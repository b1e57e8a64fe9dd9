#if canImport(Glibc)
internal import Foundation
internal import Glibc
internal import Synchronization

/// A keyring service that fails on command, on a session bus of its own: `Tests/Support/scripted-keyring`.
///
/// For what no real daemon can be brought to do on demand. What it takes for commands is written there.
public final class ScriptedKeyring: Sendable {
    private struct Running {
        let process: RunningProcess
        let input: FileHandle
        let transcript: Transcript
        var commands = 0
    }

    private static let turnstile = Turnstile(places: 8)
    private static let numbers = Mutex<Set<Int>>([])
    private let folder: TemporaryFolder
    private let number: Int
    private let running = Mutex<Running?>(nil)
    /// The bus that the keyring is on.
    public let bus: PrivateBus

    /// Whether this machine has what it takes.
    public static let isAvailable = Executable.find("dbus-daemon") != nil && Python.has("jeepney", "secretstorage")

    /// The bus's address.
    public var address: String { bus.address }

    /// A service's name that no other test has at the same time.
    ///
    /// The names are few, because some locks and notes leave a file of their name behind.
    public var service: String { "com.example.scripted-\(number)" }

    /// Gives a test a keyring that follows a script, and removes all of it afterwards.
    ///
    /// - Parameters:
    ///   - commands: What it is told before it is there. Without any it works, is unlocked and empty. `$SERVICE` stands
    ///     for ``service``.
    ///   - body: The test.
    /// - Throws: What the test throws; ``TestSupportError``.
    public static func with(
        _ commands: [String] = [],
        _ body: (ScriptedKeyring) async throws -> Void
    ) async throws {
        try await turnstile.pass { try await withOwn(commands, body) }
    }

    private static func withOwn(
        _ commands: [String],
        _ body: (ScriptedKeyring) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let keyring = ScriptedKeyring(in: folder, on: try await PrivateBus(in: folder.url))
        do {
            try await keyring.start(commands)
            try await body(keyring)
        } catch {
            await keyring.stop()
            throw error
        }
        await keyring.stop()
    }

    private init(in folder: TemporaryFolder, on bus: PrivateBus) {
        self.folder = folder
        self.bus = bus
        number = Self.numbers.withLock { taken in
            let free = (0...taken.count).first { !taken.contains($0) } ?? taken.count
            taken.insert(free)
            return free
        }
    }

    deinit {
        Self.numbers.withLock { [number] in _ = $0.remove(number) }
    }

    // MARK: The service

    /// Starts the service: another one, where there was one before.
    ///
    /// - Parameter commands: What it is told before it is there.
    /// - Throws: ``TestSupportError``.
    public func start(_ commands: [String] = []) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Python.path)
        process.arguments = [SupportFiles.path("scripted-keyring"), address] + commands.map(inOwnWords)
        // It ends with its input, as PrivateBus does: when the test does, even where that crashes.
        let (input, output) = (Pipe.make(), Pipe.make())
        process.standardInput = input
        process.standardOutput = output
        let started = Running(
            process: try RunningProcess(process, input: input.fileHandleForWriting),
            input: input.fileHandleForWriting,
            transcript: Transcript(of: output.fileHandleForReading)
        )
        running.withLock { $0 = started }
        try await started.transcript.wait(for: "readiness") { $0.contains("ready") }
    }

    /// Waits until the service has died of its script.
    ///
    /// - Returns: Whether it did; it is ended where not.
    public func hasDied() async -> Bool {
        await running.withLock { $0?.process }?.waitUntilExit(timeout: .seconds(60)) == 9
    }

    /// Kills the service, and starts another one before anyone can ask whether there is one.
    ///
    /// The new one waits for the name, so that the bus gives it over at the death.
    ///
    /// - Parameter commands: What the new one is told before it is there.
    /// - Throws: ``TestSupportError``.
    public func replace(by commands: [String] = []) async throws {
        let old = running.withLock { $0?.process }
        try await start(commands + ["queue"])
        old?.send(SIGKILL)
        try await say("await-name")
    }

    private func stop() async {
        let process = running.withLock { $0?.process }
        process?.send(SIGKILL)
        await process?.end()
        await bus.stop()
    }

    // MARK: Steering

    /// Gives a command, and returns when it is obeyed.
    ///
    /// - Parameter command: One line.
    /// - Throws: ``TestSupportError`` where the service does not know it or is gone.
    public func say(_ command: String) async throws {
        let (transcript, number) = try running.withLock { running in
            guard var told = running else { throw TestSupportError("the scripted keyring was not started") }
            told.commands += 1
            running = told
            try told.input.write(contentsOf: Data((inOwnWords(command) + "\n").utf8))
            return (told.transcript, told.commands)
        }
        try await transcript.wait(for: "end of \"\(command)\"") { lines in
            lines.count { $0 == "done" } >= number
        }
    }

    /// Waits until a method has been called.
    ///
    /// - Parameters:
    ///   - name: The method's name, or the property's for `Properties.Get`.
    ///   - times: How often since the service was started.
    /// - Throws: ``TestSupportError`` where that does not come.
    public func waitForCall(of name: String, times: Int = 1) async throws {
        guard let transcript = running.withLock({ $0?.transcript }) else {
            throw TestSupportError("the scripted keyring was not started")
        }
        try await transcript.wait(for: "call of \(name)") { Self.calls(of: name, in: $0) >= times }
    }

    /// How often a method has been called since the service was started.
    ///
    /// - Parameter name: The method's name, or the property's for `Properties.Get`.
    /// - Returns: The number of calls that have reached the service.
    /// - Throws: ``TestSupportError`` where the service is gone.
    public func calls(of name: String) async throws -> Int {
        Self.calls(of: name, in: try await lines())
    }

    /// What a client did that none may ever do: dismiss a prompt, open two at once, replace by attributes.
    ///
    /// - Returns: A sentence each.
    /// - Throws: ``TestSupportError`` where the service is gone.
    public func violations() async throws -> [String] {
        try await lines().filter { $0.hasPrefix("violation") }
    }

    private func inOwnWords(_ command: String) -> String {
        command.replacingOccurrences(of: "$SERVICE", with: service)
    }

    private func lines() async throws -> [String] {
        try await say("sync")
        return running.withLock { $0?.transcript.lines } ?? []
    }

    private static func calls(of name: String, in lines: [String]) -> Int {
        lines.count { $0.hasPrefix("call \(name) ") }
    }
}
#endif
