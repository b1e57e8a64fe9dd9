// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

/// A sign-in whose callback goes to a URL of the app's own.
@Suite(.timeLimit(.minutes(5)))
struct CustomSchemeSignInTests {
    @Test func `the callback signs the user in and removes the pending sign-in`() async throws {
        let fixture = try await ProviderFixture()
        #expect(try await fixture.signIn() == fixture.user)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(fixture.provider.activeRefreshTokenCount == 1)
        let record = try await fixture.storedRecord()
        #expect(record.user == fixture.user)
        #expect(record.tokens.idToken != nil)
        #expect(record.tokens.scope?.description == "openid profile email offline_access")
        #expect(try await fixture.stored(.pendingSignIn) == nil)
    }

    @Test func `the claims of the ID token describe the user at once`() async throws {
        var configuration = InProcessProvider.Configuration()
        configuration.includesClaimsInIDToken = true
        let fixture = try await ProviderFixture(configuration)
        let user = try await fixture.signIn()
        #expect(user == SessionUser(id: "248289761001", name: "Jane Doe", email: "jane@example.com"))
    }

    @Test func `another process can complete the sign-in after the app was restarted`() async throws {
        let fixture = try await ProviderFixture()
        let callback = try await fixture.begin()
        let relaunched = fixture.otherProcess()
        #expect(try await relaunched.completeSignIn(redirectedTo: callback) == fixture.user)
        #expect(relaunched.state == fixture.signedInState)
        #expect(try await fixture.storedRecord().user == fixture.user)
    }

    @Test func `a process that completes the sign-in knows its parameters`() async throws {
        let fixture = try await ProviderFixture()
        var parameters = AuthorizationParameters.bound
        parameters.resources = ["https://api.example"]
        let callback = try await fixture.begin(parameters)
        fixture.provider.inject(.responseMember("scope", nil))
        let relaunched = fixture.otherProcess()
        try await relaunched.completeSignIn(redirectedTo: callback)
        let request = try #require(fixture.provider.requests(at: .token).last)
        #expect(request.formValue("resource") == "https://api.example")
        // The code is bound to the key that the first process created.
        #expect(request.fields[.dpop] != nil)
        #expect(try await fixture.storedRecord().tokens.scope == "openid profile email offline_access")
    }

    @Test func `the other process rejects an authentication older than the requested maximum age`() async throws {
        let fixture = try await ProviderFixture()
        var parameters = AuthorizationParameters()
        parameters.maximumAge = .seconds(60)
        let callback = try await fixture.begin(parameters)
        fixture.provider.inject(.claim("auth_time", .integer(1_799_990_000)))
        let relaunched = fixture.otherProcess()
        #expect(await code { try await relaunched.completeSignIn(redirectedTo: callback) } == .invalidResponse)
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a pushed authorization request is used if the provider requires it`() async throws {
        var configuration = InProcessProvider.Configuration()
        configuration.requiresPushedAuthorizationRequests = true
        let fixture = try await ProviderFixture(configuration)
        let url = try await fixture.session.beginSignIn(redirectURI: ProviderFixture.redirectURI)
        #expect(url.contains("request_uri="))
        #expect(!url.contains("state="))
        let callback = try #require(fixture.provider.authorize(url).redirectURL)
        #expect(try await fixture.session.completeSignIn(redirectedTo: callback) == fixture.user)
    }

    @Test(arguments: [InProcessProvider.Client.Authentication.basic, .post])
    func `a confidential client signs in`(method: InProcessProvider.Client.Authentication) async throws {
        let fixture = try await ProviderFixture.confidential(method)
        #expect(try await fixture.signIn() == fixture.user)
        let request = try #require(fixture.provider.requests(at: .token).last)
        #expect((request.formValue("client_secret") != nil) == (method == .post))
    }

    @Test func `a denied authorization counts as cancelled and keeps the current session`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        fixture.provider.user = nil
        let callback = try await fixture.begin()
        await #expect(throws: OpenIDError(.authorization, .cancelled)) {
            try await fixture.session.completeSignIn(redirectedTo: callback)
        }
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.stored(.pendingSignIn) == nil)
    }

    @Test func `an authorization error reports the provider's code`() async throws {
        let fixture = try await ProviderFixture()
        fixture.provider.inject(.error("temporarily_unavailable", description: "Later.", at: .authorization))
        let callback = try await fixture.begin()
        let error = await #expect(throws: OpenIDError.self) {
            try await fixture.session.completeSignIn(redirectedTo: callback)
        }
        #expect(error == OpenIDError(.authorization, .refused))
        #expect(error?.oauthCode?.rawValue == "temporarily_unavailable")
        #expect(error?.serverMessage == "Later.")
    }

    @Test(
        arguments: [
            (.error("invalid_grant", at: .token), .signInRefused), (.status(503, at: .token), .unreachable),
            (.unreachable(at: .token), .unreachable), (.claim("nonce", .string("other")), .invalidResponse),
            (.responseMember("token_type", .string("mac")), .invalidResponse), (.unreachable(at: .jwks), .unreachable),
            (.html(at: .token), .invalidResponse), (.responseMember("id_token", nil), .invalidResponse),
        ] as [(InProcessProvider.Fault, AuthSessionError.Code)]
    )
    func `a failed code exchange leaves the user signed out, and the code is not sent twice`(
        fault: InProcessProvider.Fault,
        expected: AuthSessionError.Code
    ) async throws {
        let fixture = try await ProviderFixture()
        let callback = try await fixture.begin()
        fixture.provider.inject(fault)
        #expect(await code { try await fixture.session.completeSignIn(redirectedTo: callback) } == expected)
        #expect(try await fixture.stored() == nil)
        #expect(fixture.provider.requests(at: .token).count == 1)
    }

    @Test func `a first-party backend rejects a sign-in at a provider`() async throws {
        let session = try Fixture().session
        #expect(await code { try await session.beginSignIn(redirectURI: "recipe://callback") } == .contractMismatch)
        #expect(await code { try await session.completeSignIn(redirectedTo: "recipe://callback") } == .contractMismatch)
        #expect(await code { try await session.userInfo() } == .contractMismatch)
    }
}
