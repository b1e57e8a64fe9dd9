// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import SecureStore
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

/// The authority of a stored record: tokens go to no other, and an unreadable description proves nothing.
struct AuthorityRecordTests {
    @Test func `a session of another kind belongs to no known one`() throws {
        let record = AuthorityRecord(id: AuthorityID(kind: "parcels", server: "https://p.example.org"))
        #expect(try [AuthorityKind.firstParty, .openID].authority(of: record) == nil)
    }

    @Test func `IDs are compared byte for byte`() {
        let id = AuthorityID(kind: "openID", server: "https://id.example", client: "\u{E9}")
        #expect(id != AuthorityID(kind: "openID", server: "https://id.example", client: "e\u{301}"))
        #expect(id != AuthorityID(kind: "openID", server: "https://id.example"))
    }

    @Test func `items of an older install are not migrated to a provider's session`() async throws {
        let backend = SessionBackend(try await ProviderFixture().session.authority)
        #expect(throws: AuthSessionError(.contractMismatch)) {
            try backend.store(MemoryStore(), migratingFrom: [])
        }
    }

    @Test func `a record of another authority matches only its own sign-in`() async throws {
        let record = try await ProviderFixture.signedIn().storedRecord()
        let item = try record.encoded()
        let other = try Fixture.sessionBackend().authority
        let (one, same) = (try SessionRecord(item, of: other), try SessionRecord(item, of: other))
        #expect(one.isForeign)
        #expect(one.isOfSameSignIn(as: same))
        #expect(!one.isOfSameSignIn(as: record))
        var elsewhere = same
        elsewhere.authority = AuthorityRecord(id: AuthorityID(kind: "parcels", server: "https://p.example.org"))
        #expect(!one.isOfSameSignIn(as: elsewhere))
    }

    @Test func `a refresh that fails with an unknown error has an unknown outcome`() {
        struct Unknown: Error {}
        for error in [Unknown(), CancellationError()] as [any Error] {
            guard case .unknown = RefreshOutcome(failure: error) else {
                Issue.record("\(error) is not unknown")
                continue
            }
        }
        guard case .doubtful = RefreshOutcome(failure: AuthSessionError(.invalidResponse)) else {
            Issue.record("a response without a usable token is not doubtful")
            return
        }
    }
}
