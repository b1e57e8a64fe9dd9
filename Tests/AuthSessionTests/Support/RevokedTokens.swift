// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Synchronization
import Testing

/// The refresh tokens that are revoked at a backend, including revocations in the background.
final class RevokedTokens: Sendable {
    private let tokens = Mutex<Set<String>>([])

    /// Answers the sign-outs of a backend from now on.
    init(_ backend: Backend) {
        backend.on(Backend.logout) { [weak self] request in
            if let token = try request.members["refreshToken"]?.string {
                self?.tokens.withLock { _ = $0.insert(token) }
            }
            return TransportResponse(head: HTTPResponse(status: .noContent))
        }
    }

    /// Waits until as many tokens have arrived, and compares them.
    func expect(_ expected: Set<String>) async {
        while tokens.withLock({ $0.count }) < expected.count { await Task.yield() }
        #expect(tokens.withLock { $0 } == expected)
    }
}
