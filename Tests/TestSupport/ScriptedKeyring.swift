// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Foundation
internal import Glibc
internal import Synchronization

/// A keyring service or a secret portal that fails on command, on its own session bus.
///
/// The programs are `Tests/Support/scripted-keyring` and `scripted-portal`. It produces failures that no real daemon produces on demand. The program's own text lists its commands.
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
    private let program: String
    private let running = Mutex<Running?>(nil)
    /// The bus that the keyring is on.
    public let bus: PrivateBus

    /// Whether this machine has the required programs.
    public static let isAvailable = Executable.find("dbus-daemon") != nil && Python.has("jeepney", "secretstorage")

    /// The bus's address.
    public var address: String { bus.address }

    /// The name of a service that no other test uses at the same time.
    ///
    /// Names are reused, because some locks and notes leave a file with the service's name behind.
    public var service: String { "com.example.scripted-\(number)" }

    /// Runs a test with a scripted keyring, then removes everything.
    ///
    /// - Parameters:
    ///   - commands: The commands given before the service appears on the bus. Without commands the keyring works and
    ///     is unlocked and empty. `$SERVICE` stands for ``service``.
    ///   - program: The service: `scripted-keyring` or `scripted-portal`.
    ///   - body: The test.
    /// - Throws: Any error of the test; ``TestSupportError``.
    public static func with(
        _ commands: [String] = [],
        program: String = "scripted-keyring",
        _ body: (ScriptedKeyring) async throws -> Void
    ) async throws {
        try await turnstile.pass { try await withOwn(commands, program, body) }
    }

    private static func withOwn(
        _ commands: [String],
        _ program: String,
        _ body: (ScriptedKeyring) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let keyring = ScriptedKeyring(program, in: folder, on: try await PrivateBus(in: folder.url))
        do {
            try await keyring.start(commands)
            try await body(keyring)
        } catch {
            await keyring.stop()
            throw error
        }
        await keyring.stop()
    }

    private init(_ program: String, in folder: TemporaryFolder, on bus: PrivateBus) {
        self.program = program
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

    /// Starts the service, or another one if one was started before.
    ///
    /// - Parameter commands: The commands given before the service appears on the bus.
    /// - Throws: ``TestSupportError``, or the system's error.
    public func start(_ commands: [String] = []) async throws {
        var process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: Python.path)
        process.arguments = [SupportFiles.path(program), address] + commands.map(inOwnWords)
        // The service exits when its input closes, as PrivateBus does: with the test process, even if that crashes.
        let (input, output) = (Pipe.make(), Pipe.make())
        process.standardInput = .pipe(input)
        process.standardOutput = .pipe(output)
        let started = Running(
            process: try RunningProcess(process, input: input.fileHandleForWriting),
            input: input.fileHandleForWriting,
            transcript: Transcript(of: output.fileHandleForReading)
        )
        running.withLock { $0 = started }
        try await started.transcript.wait(for: "readiness") { $0.contains("ready") }
    }

    /// Waits until the service has exited as its script says.
    ///
    /// Kills it after a minute.
    ///
    /// - Returns: Whether it exited as the script says.
    public func hasDied() async -> Bool {
        await running.withLock { $0?.process }?.waitUntilExit(timeout: .seconds(60)) == 9
    }

    /// Kills the service and starts another one, without a moment in which the bus name has no owner.
    ///
    /// The new service queues for the name, so that the bus transfers the name when the old one dies.
    ///
    /// - Parameter commands: The commands given to the new service before it appears on the bus.
    /// - Throws: ``TestSupportError``, or the system's error.
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

    /// Sends a command and waits until the service has carried it out.
    ///
    /// - Parameter command: One line.
    /// - Throws: ``TestSupportError`` if the service doesn't confirm the command, or has ended.
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
    ///   - name: The name of the method, or of the property for `Properties.Get`.
    ///   - times: The number of calls since the service was started.
    /// - Throws: ``TestSupportError`` if the calls don't happen in time.
    public func waitForCall(of name: String, times: Int = 1) async throws {
        guard let transcript = running.withLock({ $0?.transcript }) else {
            throw TestSupportError("the scripted keyring was not started")
        }
        try await transcript.wait(for: "call of \(name)") { Self.calls(of: name, in: $0) >= times }
    }

    /// Returns the number of calls of a method since the service was started.
    ///
    /// - Parameter name: The name of the method, or of the property for `Properties.Get`.
    /// - Returns: The number of calls that reached the service.
    /// - Throws: ``TestSupportError`` if the service has ended.
    public func calls(of name: String) async throws -> Int {
        Self.calls(of: name, in: try await lines())
    }

    /// Returns the client's forbidden actions: dismissing a prompt, opening two at once, replacing by attributes.
    ///
    /// - Returns: One sentence for each.
    /// - Throws: ``TestSupportError`` if the service has ended.
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
