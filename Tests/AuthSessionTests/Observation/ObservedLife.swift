// SPDX-License-Identifier: Apache-2.0

import AuthTesting
import SecureStore
import Testing

@testable import AuthSession

/// The life of a session with successes and failures, whose measurements must hold no secret.
enum ObservedLife {
    /// Values of the user, the tokens, the server, the device and the server's texts.
    private static let secrets = [
        "u1", "ada", "lovelace", "hunter2", "access-", "refresh-", "example.org", "api.", "key-1", "11111111", "secret",
        "invalid_", "customer",
    ]

    static func run(_ options: SessionOptions) async throws {
        let fixture = try Fixture(options: options)
        fixture.backend.on(Backend.login) { _ in
            Backend.failure(401, code: "invalid_secret_hunter2", message: "secret for ada@example.org")
        }
        _ = try? await fixture.signIn()
        fixture.backend.on(Backend.login) { _ in Backend.pair(1, user: true) }
        try await fixture.signIn()
        try await fixture.session.refresh()
        fixture.store.faults.failWrites(with: SecureStoreError(.failed, detail: "secret"))
        _ = try? await fixture.session.refresh()
        fixture.store.faults.failWrites(with: nil)
        fixture.backend.on(Backend.pairRefresh) { _ in
            Backend.failure(500, code: "secret_ada", message: "secret for ada@example.org")
        }
        _ = try? await fixture.session.refresh()
        await fixture.session.signOut()
        try await fixture.signIn()
        fixture.backend.on(Backend.pairRefresh) { _ in
            Backend.failure(401, code: "invalid_grant", message: "secret for ada@example.org")
        }
        _ = try? await fixture.session.refresh()
        #expect(fixture.session.state == .signedOut(.endedByServer))
    }

    static func expectNoSecret(in text: String) {
        for secret in secrets { #expect(!text.lowercased().contains(secret), "\(text)") }
    }
}
