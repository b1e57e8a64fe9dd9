// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Testing

@testable import AuthSession
@testable import AuthSessionTests

/// The result of a validation, kept if a refresh brings no other access token.
@Suite(.timeLimit(.minutes(5)))
struct KnownValidationTests {
    @Test func `a refresh without a usable access token does not make userinfo worth another attempt`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        fixture.provider.inject(.status(401, at: .userInfo), times: .max)
        await fixture.session.validate()
        let before = try await fixture.storedRecord()
        #expect(before.supportsValidation == false)
        fixture.provider.inject(.responseMember("token_type", .string("mac"), at: .token))
        #expect(await code { try await fixture.session.refresh() } == .invalidResponse)
        let after = try await fixture.storedRecord()
        #expect(after.tokens.accessToken == before.tokens.accessToken)
        #expect(after.tokens.refreshToken != before.tokens.refreshToken)
        #expect(after.supportsValidation == false)
        let count = fixture.provider.requests(at: .userInfo).count
        await fixture.session.validate()
        #expect(fixture.provider.requests(at: .userInfo).count == count)
    }
}
