// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// A provider's stand-in, and beside it the tool with a keyring, and a user whose browser consents at once.
struct PlayerStage: Sendable {
    let player: ProviderPlayer
    /// The folder in which command lines run.
    let folder: TemporaryFolder
    private let environment: [String: String]

    /// Runs a test on a stage of its own.
    static func run(_ provider: String, _ test: (PlayerStage) async throws -> Void) async throws {
        try await ProviderPlayer.run(provider) { player in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            try await PrivateKeyring.with { keyring in
                try await player.set(["device_interval": 1])
                try await test(try PlayerStage(player, folder, keyring.environment))
            }
        }
    }

    private init(_ player: ProviderPlayer, _ folder: TemporaryFolder, _ environment: [String: String]) throws {
        self.player = player
        self.folder = folder
        var tool = Tool(in: environment)
        tool.environment["BROWSER"] = "sh \(ProviderPlayer.folder)/user"
        let programs = try Executable.besideTests("sallyport").deletingLastPathComponent().path
        tool.environment["PATH"] = "\(programs):\(tool.environment["PATH"] ?? "/usr/bin:/bin")"
        self.environment = tool.environment
    }

    /// Runs a line as a user types it in a shell.
    ///
    /// `CLIENT_ID` and `DEVICE_CLIENT_ID` stand for the client IDs, and their secrets are in `secret.txt` and
    /// `device-secret.txt`.
    func run(
        _ line: String,
        as client: String = "desktop",
        input: String = "",
        timeout: Duration = .seconds(60)
    ) async throws -> Command.Output {
        let command = try Command(
            "nsenter",
            try arguments(line, client),
            environment: environment,
            input: Data(input.utf8)
        )
        return try await command.run(timeout: timeout)
    }

    /// Starts a line, whose standard error the test reads.
    func start(_ line: String, as client: String = "desktop", input: Pipe? = nil) throws -> RunningProcess {
        let error = Pipe.make()
        var process = ChildProcess()
        process.executableURL = Executable.find("nsenter")
        // The shell becomes the tool, so that a signal reaches it.
        process.arguments = try arguments("exec " + line, client)
        process.environment = environment
        process.standardInput = input.map { .pipe($0) } ?? .null
        process.standardOutput = .null
        process.standardError = .pipe(error)
        return try RunningProcess(process, input: input?.fileHandleForWriting, output: error.fileHandleForReading)
    }

    /// Runs a program beside the player.
    func program(_ name: String, _ arguments: [String]) async throws -> Command.Output {
        let program = try Executable.besideTests(name).path
        return try await Command("nsenter", player.entrance + [program] + arguments, environment: environment).run()
    }

    private func arguments(_ line: String, _ client: String) throws -> [String] {
        let device = player.clients["device"] ?? player.clients[client]
        let main = try #require(player.clients[client], "no client \(client)")
        try write(main.secret, to: "secret.txt")
        try write(device?.secret, to: "device-secret.txt")
        let line = line.replacing("DEVICE_CLIENT_ID", with: device?.id ?? "").replacing("CLIENT_ID", with: main.id)
        return player.entrance + ["sh", "-c", "cd '\(folder.url.path)' && \(line)"]
    }

    private func write(_ secret: String?, to name: String) throws {
        guard let secret else { return }
        try Data((secret + "\n").utf8).write(to: folder.url.appending(path: name))
    }

    /// Expects that an output shows no secret of the player's.
    func expectNoSecret(in outputs: [Command.Output], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let secrets = try await player.secrets()
        for output in outputs {
            let shown = secrets.contains { output.text.contains($0) || output.errorText.contains($0) }
            #expect(!shown, "a secret is printed", sourceLocation: sourceLocation)
        }
    }
}
