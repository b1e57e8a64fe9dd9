// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import SecureStore
import Testing

@testable import AppBackendSession
@testable import AuthSession
@testable import AuthSessionTests

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An app installed over an older version that kept its token elsewhere.
@Suite(.timeLimit(.minutes(5)))
struct LegacyInstallTests {
    private static let key = StoreKey(trusted: "authToken")

    @Test func `the first restore signs the user in and empties the legacy location`() async throws {
        let install = try await LegacyInstall()
        await install.session.restore(validating: false)
        #expect(install.session.state == .signedIn(nil, .online))
        #expect(try await install.session.accessToken().unredacted == "old-token")
        #expect(try await install.legacy.item(forKey: Self.key) == nil)
        #expect(try await install.target.item(forKey: SessionRecord.key) != nil)
        #expect(await install.session.validate() == install.fixture.signedInState)
        let field = install.fixture.transport.requests.last?.head.headerFields[.authorization]
        #expect(field == "Bearer old-token")
    }

    @Test func `a migrated session ends if the server rejects its token`() async throws {
        let install = try await LegacyInstall()
        install.fixture.backend.on(Backend.validate) { _ in .json("{}", status: 401) }
        install.fixture.backend.on(Backend.tokenRefresh) { _ in .json("{}", status: 401) }
        await install.session.restore(validating: false)
        #expect(await install.session.validate() == .signedOut(.endedByServer))
        #expect(try await install.target.item(forKey: SessionRecord.key) == nil)
        #expect(try await install.legacy.item(forKey: Self.key) == nil)
    }

    @Test func `a migrated session stays signed in, offline, if the server can't be reached`() async throws {
        let install = try await LegacyInstall()
        install.fixture.backend.on(Backend.validate) { _ in
            throw TransportError(.timedOut, mayHaveReachedServer: false)
        }
        await install.session.restore(validating: false)
        guard case .signedIn(nil, .offline) = await install.session.validate() else {
            Issue.record("\(install.session.state)")
            return
        }
    }

    @Test func `a sign-out empties the legacy location`() async throws {
        let install = try await LegacyInstall()
        await install.session.signOut()
        #expect(try await install.legacy.item(forKey: Self.key) == nil)
        #expect(try await install.target.names == [])
    }

    @Test func `an existing session is not replaced by a legacy one`() async throws {
        let install = try await LegacyInstall()
        let record = SessionRecord(
            tokenGeneration: 3,
            tokens: TokenSet(
                accessToken: try AccessToken("new-token"),
                lifetime: TokenLifetime(issuedAt: nil, expiresAt: nil)
            ),
            user: SessionUser(id: "u1"),
            authority: install.fixture.session.authority.record,
            signIn: "s-1"
        )
        try await install.target.setItem(record.encoded(), forKey: SessionRecord.key)
        await install.session.restore(validating: false)
        #expect(try await install.session.accessToken().unredacted == "new-token")
    }

    @Test func `the lifetime of a legacy JWT comes from its claims`() async throws {
        let text =
            "eyJhbGciOiJIUzI1NiJ9." + Base64URL.encode(Array(#"{"iat":1800000000,"exp":1802592000}"#.utf8)) + ".c2ln"
        func record() async throws -> SessionRecord {
            let (main, items) = (SecretBytes(Array(text.utf8)), try LegacySession.Items.none)
            let session = try await LegacySession(main, beside: items)
            return try SessionRecord(session.item(of: Fixture.sessionBackend(), .sessionToken))
        }
        #expect(try await record().signIn.hasPrefix("migrated-"))
        #expect(try await record().tokens.lifetime.expiresAt == Date(timeIntervalSince1970: 1_802_592_000))
    }

    @Test(arguments: ["", "two words", "\u{7}"]) func `a malformed legacy token does not prevent a sign-in`(
        text: String
    ) async throws {
        let install = try await LegacyInstall()
        try await install.legacy.setItem(SecretBytes(Array(text.utf8)), forKey: Self.key)
        await install.session.restore(validating: false)
        #expect(install.session.state == .signedOut(.unreadableRecord(.damaged)))
        try await install.session.signIn(with: Fixture.credential(), for: AppleSignInAttempt())
        #expect(install.session.state == install.fixture.signedInState)
    }

    /// The server names the user, but the stored record has no user yet.
    @Test func `a sign-out removes the record after validation has named the user`() async throws {
        let install = try await LegacyInstall()
        await install.session.restore(validating: false)
        #expect(await install.session.validate() == install.fixture.signedInState)
        #expect(await install.session.signOut().storeError == nil)
        #expect(try await install.target.names == [])
    }

    @Test func `validation stores the user for the next launch`() async throws {
        let install = try await LegacyInstall()
        await install.session.restore(validating: false)
        await install.session.validate()
        let record = try SessionRecord(try #require(await install.target.item(forKey: SessionRecord.key)))
        #expect(record.user?.id == "u1")
        #expect(record.tokens.accessToken.unredacted == "old-token")
    }
}

extension LegacySession.Items {
    /// The items of a place that has none beside the main one.
    fileprivate static var none: Self {
        get throws { try Self(in: legacyPlace(in: MemoryStore()), LegacySessionNames(), .sessionToken) }
    }
}
