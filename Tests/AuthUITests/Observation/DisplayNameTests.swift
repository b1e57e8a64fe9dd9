// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthCore
import AuthSession
import AuthTesting
import Testing

@testable import AuthSessionTests
@testable import AuthUI

/// The name of the user on a screen.
@MainActor
@Suite struct DisplayNameTests {
    @Test(
        arguments: [
            (#"{"id": "u1", "name": "Ada", "email": "ada@example.org", "phoneNumber": "+44 1"}"#, "Ada"),
            (#"{"id": "u1", "email": "ada@example.org", "phoneNumber": "+44 1"}"#, "ada@example.org"),
            (#"{"id": "u1", "name": null, "phoneNumber": "+44 1"}"#, "+44 1"),
            (#"{"id": "u1", "role": "customer"}"#, nil),
        ] as [(String, String?)]
    )
    func `the display name is the name, else the email address, else the phone number, never the identifier`(
        user: String,
        expected: String?
    ) async throws {
        let fixture = try Fixture(.sessionToken)
        fixture.backend.on(Backend.apple) { _ in .json(#"{"token": "\#(Backend.jwt(1))", "user": \#(user)}"#) }
        try await fixture.signIn()
        let manager = AuthenticationManager(session: fixture.session)
        #expect(manager.currentUser?.id == "u1")
        #expect(manager.currentUser?.displayName == expected)
    }
}
