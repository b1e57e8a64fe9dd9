import Foundation
import TestSupport
import Testing

/// One way in which the misbehaving provider misbehaves, as its own list tells it.
struct Fault: Codable, Sendable, CustomTestStringConvertible {
    let name: String
    /// The exit code of a right tool.
    let expect: Int32
    /// Other exit codes that are no mistake.
    let also: [Int32]?
    /// The command that meets it.
    let command: String
    /// Whom the tool signs in as.
    let client: String
    /// What the sign-in takes besides.
    let login: [String]?
    /// Whether the tool may wait until its own limit.
    let waits: Bool?

    var testDescription: String { name }

    /// Whether it shows in the device grant.
    var isOfDevice: Bool { login?.contains("--device") ?? false }

    /// Whether its answers take longer than any limit.
    var isSlow: Bool { name.hasSuffix("-slow") }

    /// All of them.
    static func all() async throws -> [Fault] { try await listed.value }

    /// Those that one of some commands meets.
    static func met(by commands: String...) async throws -> [Fault] {
        try await all().filter { commands.contains($0.command) }
    }

    private static let listed = Task {
        let output = try await Command(MisbehavingProvider.program, ["--list"]).run()
        return try JSONDecoder().decode([Fault].self, from: output.standardOutput)
    }
}
