// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import OpenIDConnect
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

/// The user of a session without an ID token: the user that it began with.
@Suite(.timeLimit(.minutes(5)))
struct ExpectedUserTests {
    private static let jane = SessionUser(id: "248289761001", name: "Jane Doe", email: "jane@example.com")

    /// Returns a session that began on another device, at a provider that issues no ID token there.
    private func signedIn() async throws -> ProviderFixture {
        let fixture = try await ProviderFixture()
        fixture.provider.inject(.responseMember("id_token", nil))
        let user = Task {
            try await fixture.session.signInWithDeviceCode { device in
                fixture.provider.approveDevice(userCode: device.userCode)
            }
        }
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(5))
        #expect(try await user.value == Self.jane)
        #expect(try await fixture.storedRecord().tokens.idToken == nil)
        return fixture
    }

    @Test func `a refresh rejects another user's ID token and all tokens of that response`() async throws {
        let fixture = try await signedIn()
        let before = try await fixture.storedRecord().tokens
        fixture.provider.inject(.claim("sub", .string("somebody-else")))
        #expect(await code { try await fixture.session.refresh() } == .invalidResponse)
        #expect(try await fixture.storedRecord().tokens == before)
        #expect(fixture.session.state == .signedIn(Self.jane, .online))
        try await fixture.session.flush()
        #expect(fixture.revokedTokens.count == 1)
    }

    @Test func `the first ID token of the session's own user is verified and stored`() async throws {
        let fixture = try await signedIn()
        try await fixture.session.refresh()
        #expect(try await fixture.storedRecord().tokens.idToken == nil)
        _ = try? await fixture.session.idToken()
        let idToken = try #require(try await fixture.storedRecord().tokens.idToken)
        #expect(try UnverifiedJWT(idToken).claims.subject == Self.jane.id)
    }
}
