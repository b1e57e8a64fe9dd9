// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// One fault of the misbehaving provider, from its own list.
struct Fault: Codable, Sendable, CustomTestStringConvertible {
    let name: String
    /// The exit code of a correct tool.
    let expect: Int32
    /// Other exit codes that are also correct.
    let also: [Int32]?
    /// The command that exposes the fault.
    let command: String
    /// The client that the tool signs in as.
    let client: String
    /// The additional arguments of the sign-in.
    let login: [String]?
    /// Whether the tool may wait until its own time limit.
    let waits: Bool?

    var testDescription: String { name }

    /// Whether the fault affects the device grant.
    var isOfDevice: Bool { login?.contains("--device") ?? false }

    /// Whether the responses take longer than any limit.
    var isSlow: Bool { name.hasSuffix("-slow") }

    /// Returns all faults.
    static func all() async throws -> [Fault] { try await listed.value }

    /// Returns the faults that some commands expose.
    static func exposed(by commands: String...) async throws -> [Fault] {
        try await all().filter { commands.contains($0.command) }
    }

    private static let listed = Task {
        let output = try await Command(MisbehavingProvider.program, ["--list"]).run()
        return try JSONDecoder().decode([Fault].self, from: output.standardOutput)
    }
}
