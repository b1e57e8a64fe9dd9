#if canImport(Glibc)
internal import Foundation

/// Plays the person whom the keyring daemon asks for its password: `Tests/Support/keyring-prompter`.
public final class KeyringPrompter: Sendable {
    /// What the person does.
    public enum Answer: Sendable {
        /// Types the right password.
        case password
        /// Types a wrong one, and again each time.
        case wrongPassword
        /// Presses Cancel.
        case cancel
        /// Has gone for lunch.
        case never
    }

    private let process: RunningProcess

    /// Whether this machine has what it takes.
    public static let isAvailable = Python.has("jeepney", "cryptography")

    /// Sits the person down before a keyring, until ``leave()``.
    ///
    /// - Parameters:
    ///   - keyring: Whose prompts are answered.
    ///   - answer: What the person does.
    /// - Throws: ``TestSupportError``; what the system says.
    public init(_ keyring: PrivateKeyring, _ answer: Answer) async throws {
        let process = Process()
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
        process.standardOutput = output
        self.process = try RunningProcess(process, output: output.fileHandleForReading)
        _ = try await self.process.read(until: "ready\n")
    }

    /// Waits until the person sees a prompt.
    ///
    /// - Throws: ``TestSupportError`` where none comes.
    public func waitForPrompt() async throws {
        _ = try await process.read(until: "prompt\n")
    }

    /// Lets the person go.
    ///
    /// - Returns: How many prompts were shown since the last ``waitForPrompt()``.
    @discardableResult
    public func leave() async -> Int {
        await process.end()
        return process.rest().split(separator: "\n").count { $0 == "prompt" }
    }
}
#endif
