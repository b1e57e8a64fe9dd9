// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Foundation

/// A stand-in for the user at the keyring daemon's password prompt: `Tests/Support/keyring-prompter`.
public final class KeyringPrompter: Sendable {
    /// The simulated user's reaction to a prompt.
    public enum Answer: Sendable {
        /// The user types the right password.
        case password
        /// The user types a wrong password each time.
        case wrongPassword
        /// The user presses Cancel.
        case cancel
        /// The user never reacts.
        case never
    }

    private let process: RunningProcess

    /// Whether this machine has the required Python modules.
    public static let isAvailable = Python.has("jeepney", "cryptography")

    /// Starts the prompter and waits until it is ready.
    ///
    /// - Parameters:
    ///   - keyring: The keyring whose prompts it handles.
    ///   - answer: The reaction to each prompt.
    /// - Throws: ``TestSupportError``, or the system's error.
    public init(_ keyring: PrivateKeyring, _ answer: Answer) async throws {
        var process = ChildProcess()
        process.executableURL =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Support/keyring-prompter").standardizedFileURL
        process.arguments =
            switch answer {
            case .password: ["--password", PrivateKeyring.password]
            case .wrongPassword: ["--password", "not the password"]
            case .cancel: ["--cancel"]
            case .never: ["--never"]
            }
        process.environment = keyring.environment
        let output = Pipe.make()
        process.standardOutput = .pipe(output)
        self.process = try RunningProcess(process, output: output.fileHandleForReading)
        _ = try await self.process.read(until: "ready\n")
    }

    /// Waits until a prompt is shown.
    ///
    /// - Throws: ``TestSupportError`` if no prompt is shown.
    public func waitForPrompt() async throws {
        _ = try await process.read(until: "prompt\n")
    }

    /// Ends the prompter.
    ///
    /// - Returns: The number of prompts shown since the last ``waitForPrompt()``.
    @discardableResult
    public func leave() async -> Int {
        await process.end()
        return process.rest().split(separator: "\n").count { $0 == "prompt" }
    }
}
#endif
