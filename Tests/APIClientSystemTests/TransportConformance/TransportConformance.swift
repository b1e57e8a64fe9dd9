// SPDX-License-Identifier: Apache-2.0

import APIClient

/// The promises of every `Transport`.
///
/// The checks send HTTP/1.1 to a small server that they start themselves on the loopback interface.
enum TransportConformance {
    /// All checks; their order doesn't matter.
    ///
    /// They may run at the same time.
    static let checks: [TransportCheck] =
        messages + framing + uploads + redirects + repetition + faults + timeouts + cancellation + limits
}

/// One promise of every transport, with its check.
struct TransportCheck: Sendable, CustomStringConvertible {
    /// The promise, as a sentence.
    let name: String

    private let body: @Sendable (any Transport) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (any Transport) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// The name.
    var description: String { name }

    /// Checks a transport against a server of the check's own on the loopback interface.
    ///
    /// A check can't detect a transport that never returns: give the test a time limit.
    ///
    /// - Parameter transport: The transport, which must allow plain HTTP.
    /// - Throws: ``ConformanceFailure``; the transport's own error if it throws unexpectedly.
    func run(_ transport: any Transport) async throws {
        try await body(transport)
    }
}
