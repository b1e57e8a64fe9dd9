// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import SecureStore
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

/// The authority of a stored record: tokens go to no other, and an unreadable description proves nothing.
struct AuthorityRecordTests {
    private static let contract: [String: JSONValue] = [
        "baseURL": .string("https://api.example.org"), "contract": .string("tokenPair"),
    ]

    private func code(_ members: [String: JSONValue], _ authority: any TokenAuthority) -> SessionRecordError.Code? {
        do throws(SessionRecordError) {
            try authority.check(AuthorityRecord(members))
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a description without its kind is damaged, not another authority's`() async throws {
        let authorities = [try Fixture.sessionBackend().authority, try await ProviderFixture().session.authority]
        for authority in authorities {
            #expect(code([:], authority) == .damaged)
            #expect(
                code(["baseURL": .string("https://api.example.org"), "apiKey": .string("k")], authority) == .damaged
            )
            #expect(code(["parcels": .string("https://p.example.org")], authority) == .otherBackend)
        }
        #expect(code(Self.contract, authorities[0]) == nil)
        #expect(code(Self.contract, authorities[1]) == .otherBackend)
    }

    @Test func `tokens with an unreadable description may have been issued by this authority`() async throws {
        let provider = try await ProviderFixture().session.authority
        let newer = AuthorityRecord([
            "baseURL": .string("https://p.example"), "provider": .object(["new": .integer(1)]),
        ])
        #expect(!provider.issued(newer))
        #expect(provider.mayHaveIssued(newer))
        #expect(!provider.mayHaveIssued(AuthorityRecord(Self.contract)))
        #expect(provider.mayHaveIssued(provider.record))
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
        elsewhere.authority = AuthorityRecord(["parcels": .string("https://p.example.org")])
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
