// SPDX-License-Identifier: Apache-2.0

public import APIClient

/// The promises of every `Transport`. A transport's own tests run each check:
///
///     @Test(.timeLimit(.minutes(2)), arguments: TransportConformance.checks)
///     func `the transport keeps its promises`(check: TransportCheck) async throws {
///         try await check.run(MyTransport())
///     }
///
/// The checks send HTTP/1.1 to a small server that they start themselves on the loopback interface.
public enum TransportConformance {
    /// All checks; their order doesn't matter.
    ///
    /// They may run at the same time.
    public static let checks: [TransportCheck] =
        messages + framing + uploads + redirects + repetition + faults + timeouts + cancellation + limits + streams

    /// Returns the checks except those that a transport is known to fail.
    ///
    /// - Parameter exclusions: The reasons, by the check's name. A name that no check has becomes a check that fails,
    ///   so that an exclusion is removed together with its check.
    /// - Returns: The checks.
    public static func checks(except exclusions: [String: String]) -> [TransportCheck] {
        let names = Set(checks.map(\.name))
        let unknown = exclusions.keys.filter { !names.contains($0) }.sorted()
        return checks.filter { exclusions[$0.name] == nil }
            + unknown.map { name in
                TransportCheck("an exclusion names a check: \(name)") { _ in
                    throw ConformanceFailure("no check is named \"\(name)\"")
                }
            }
    }
}

/// One promise of every transport, with its check.
public struct TransportCheck: Sendable, CustomStringConvertible {
    /// The promise, as a sentence.
    public let name: String

    private let body: @Sendable (any Transport) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (any Transport) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// The name.
    public var description: String { name }

    /// Checks a transport against a server of the check's own on the loopback interface.
    ///
    /// A check can't detect a transport that never returns: give the test a time limit.
    ///
    /// - Parameter transport: The transport, which must allow plain HTTP.
    /// - Throws: ``ConformanceFailure``; the transport's own error if it throws unexpectedly.
    public func run(_ transport: any Transport) async throws {
        try await body(transport)
    }
}
