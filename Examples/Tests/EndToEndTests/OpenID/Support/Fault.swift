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
    /// The response that is wrong first.
    let phase: String
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

    /// Returns the faults of this run that a command exposes.
    static func exposed(by command: String) async throws -> [Fault] {
        try await ofThisRun().filter { $0.command == command }
    }

    /// Returns one fault for each command, phase and exit code, and every third of the others.
    ///
    /// `SALLYPORT_TURN` says which third, modulo 3. With `SALLYPORT_LONG=1`, returns all faults.
    private static func ofThisRun() async throws -> [Fault] {
        let environment = ProcessInfo.processInfo.environment
        let turn = environment["SALLYPORT_TURN"].flatMap { UInt($0) } ?? 0
        var kinds: Set<[String]> = []
        return try await all().enumerated().filter { number, fault in
            let isFirst = kinds.insert([fault.command, fault.phase, "\(fault.exitCode)"]).inserted
            return isFirst || UInt(number) % 3 == turn % 3 || environment["SALLYPORT_LONG"] == "1"
        }.map(\.element)
    }

    private static let listed = Task {
        let output = try await Command(MisbehavingProvider.program, ["--list"]).run()
        return try JSONDecoder().decode([Fault].self, from: output.standardOutput)
    }
}
