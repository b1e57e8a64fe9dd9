// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession
@testable import OpenIDSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sign-ins at a server that only an API names, and that leads the browser to another one.
///
/// [RFC 9700, 4.4](https://www.rfc-editor.org/rfc/rfc9700#section-4.4).
@Suite(.timeLimit(.minutes(5)))
struct MixUpTests {
    private static let app = "com.example.app:"
    private static let shared = app + "/callback"

    private func isSignedIn(_ session: AuthSession) -> Bool {
        if case .signedIn = session.state { true } else { false }
    }

    @Test func `at a redirect URI that servers may share, no sign-in begins`() async throws {
        let mixUp = try MixUp()
        let store = MemoryStore()
        let session = try await mixUp.session(in: store)
        await #expect(throws: OpenIDError(.authorization, .distinctRedirectRequired)) {
            try await session.beginSignIn(redirectURI: Self.shared)
        }
        await #expect(throws: OpenIDError(.authorization, .distinctRedirectRequired)) {
            try await session.signIn(redirectURI: Self.shared, AuthorizationParameters()) { _ in
                Issue.record("a page was shown")
                return ""
            }
        }
        #expect(try await store.item(forKey: .pendingSignIn) == nil)
    }

    @Test func `the code of an honest server is not sent to a server that only an API names`() async throws {
        let mixUp = try MixUp()
        let store = MemoryStore()
        let redirectURI = Self.app + mixUp.hostilePath
        let url = try await mixUp.session(in: store).beginSignIn(redirectURI: redirectURI)
        // No client of the honest server has the hostile one's redirect URI.
        #expect(try mixUp.detour(from: url) == nil)
        // Another process of the app receives the redirects.
        let session = try await mixUp.session(in: store)
        for path in ["/callback", mixUp.honestPath] {
            let callback = try #require(try mixUp.detour(from: url) { _ in Self.app + path })
            #expect(try await session.isSignInResponse(callback) == false)
            await #expect(throws: OpenIDError(.authorization, .redirectMismatch)) {
                try await session.completeSignIn(redirectedTo: callback)
            }
        }
        #expect(mixUp.hostile.requests(at: .token).isEmpty)
        #expect(!isSignedIn(session))
        // The sign-in stays pending for the response at the server's own redirect URI.
        let own = try #require(mixUp.hostile.authorize(url).redirectURL)
        try await session.completeSignIn(redirectedTo: own)
        #expect(isSignedIn(session))
        #expect(mixUp.honest.requests(at: .token).isEmpty)
    }

    @Test func `a sign-in that began at a server of the app's choice is not resumed at one that an API names`()
        async throws
    {
        let mixUp = try MixUp()
        let store = MemoryStore()
        let begun = try await mixUp.session(in: store, isNamedByApp: true)
        let url = try await begun.beginSignIn(redirectURI: Self.shared)
        let callback = try #require(try mixUp.detour(from: url))
        let session = try await mixUp.session(in: store)
        await #expect(throws: OpenIDError(.authorization, .issuerMismatch)) {
            try await session.completeSignIn(redirectedTo: callback)
        }
        #expect(mixUp.hostile.requests(at: .token).isEmpty)
    }

    @Test func `a server that the app names signs in at a shared redirect URI, also without iss`() async throws {
        let mixUp = try MixUp()
        let session = try await mixUp.session(isNamedByApp: true)
        let parameters = AuthorizationParameters(scope: "openid profile")
        let url = try await session.beginSignIn(redirectURI: Self.shared, parameters)
        try await session.completeSignIn(redirectedTo: try #require(mixUp.hostile.authorize(url).redirectURL))
        #expect(isSignedIn(session))
    }

    @Test func `a stored session signs in again only at the redirect URI of its server`() async throws {
        let mixUp = try MixUp()
        let store = MemoryStore()
        let first = try await mixUp.session(in: store)
        let url = try await first.beginSignIn(redirectURI: Self.app + mixUp.hostilePath)
        try await first.completeSignIn(redirectedTo: try #require(mixUp.hostile.authorize(url).redirectURL))
        let session = try #require(
            try await AuthSession.stored(in: store, of: [.openID], transport: mixUp)
        )
        #expect(session.provider?.profile.redirect.path == mixUp.hostilePath)
        await #expect(throws: OpenIDError(.authorization, .distinctRedirectRequired)) {
            try await session.beginSignIn(redirectURI: Self.shared)
        }
        let again = try await session.beginSignIn(redirectURI: Self.app + mixUp.hostilePath)
        #expect(again.contains("redirect_uri="))
    }

    // MARK: Records

    private func restored(_ record: AuthorityRecord) throws -> Issuer {
        try StoredProvider.provider(of: record).metadata.issuer
    }

    @Test func `a record says whether only an API named the server`() async throws {
        let mixUp = try MixUp()
        for isNamedByApp in [false, true] {
            let provider = try #require(try await mixUp.session(isNamedByApp: isNamedByApp).provider)
            let issuer = try restored(OpenIDAuthority(provider).record)
            #expect(issuer == provider.metadata.issuer)
            #expect(issuer.isNamedByResource == !isNamedByApp)
        }
    }

    @Test func `a record of a server for no API doesn't mention one`() async throws {
        let provider = try await ProviderFixture().openID
        #expect(try !restored(OpenIDAuthority(provider).record).isNamedByResource)
    }
}
