// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import SecureStore
import Testing

@testable import AuthSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct SessionSummaryTests {
    private let kinds = [AuthorityKind.firstParty]

    @Test func `an empty store holds no session`() async throws {
        let stored = try await SessionSummary(in: MemoryStore(), of: kinds)
        #expect(stored == nil)
    }

    @Test func `a stored session is described without a request`() async throws {
        let store = MemoryStore()
        let fixture = try StoreFixture(store)
        try await fixture.signIn()
        let stored = try #require(try await SessionSummary(in: store, of: kinds))
        #expect(stored.backend.baseURL.description == "https://api.example.org")
        #expect(stored.user != nil)
        #expect(.signedIn(stored.user, .online) == fixture.session.state)
        // A refresh can still replace the access token.
        #expect(stored.expiresAt == nil)
        #expect(!stored.hasExpired(at: .distantFuture))
    }

    @Test func `a record that is damaged, newer or of another kind throws`() async throws {
        let store = MemoryStore()
        try await StoreFixture(store).signIn()
        await #expect(throws: SessionRecordError(.otherBackend)) { try await SessionSummary(in: store, of: []) }
        for (text, code) in [("no record", SessionRecordError.Code.damaged), (#"{"version": 99}"#, .unknownVersion)] {
            try await store.setItem(SecretBytes(text.utf8), forKey: SessionRecord.key)
            await #expect(throws: SessionRecordError(code)) { try await SessionSummary(in: store, of: kinds) }
        }
    }

    @Test func `the authorities of pending revocations are named, and a newer list throws`() async throws {
        let store = MemoryStore()
        #expect(try await SessionSummary.pendingRevocations(in: store).isEmpty)
        try await StoreFixture(store).signIn()
        let record = try SessionRecord(try #require(try await store.item(forKey: SessionRecord.key)))
        var pending = PendingRevocations()
        _ = pending.add(EndedGrant(record, endedAt: Date()))
        try await store.setItem(try pending.encoded(), forKey: PendingRevocations.key)
        #expect(try await SessionSummary.pendingRevocations(in: store) == [record.authority.id])
        try await store.setItem(SecretBytes(#"{"version": 99}"#.utf8), forKey: PendingRevocations.key)
        await #expect(throws: SessionRecordError(.unknownVersion)) {
            try await SessionSummary.pendingRevocations(in: store)
        }
    }

    @Test func `a locked store throws`() async throws {
        let store = FaultyStore()
        store.lock()
        await #expect(throws: SecureStoreError(.locked)) { try await SessionSummary(in: store, of: kinds) }
    }
}
