// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import SecureStore
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

struct ProviderAccountsTests {
    @Test func `an account with a deferred revocation is not listed, and the next process revokes its tokens`()
        async throws
    {
        let fixture = try await ProviderFixture()
        let index = MemoryStore()
        @Sendable func process() -> SessionAccounts {
            SessionAccounts(listedIn: index) { _ in fixture.otherProcess() }
        }
        let accounts = process()
        let ada = try await accounts.signIn { try await fixture.signIn(in: $0) }
        let token = try #require(await accounts.session(of: ada).inMemoryTokens?.refreshToken?.unredacted)
        fixture.provider.inject(.unreachable(at: .revocation), times: 3)
        #expect(try await accounts.signOut(of: ada) == SignOutResult(revocation: .deferred, storeError: nil))
        #expect(try await accounts.accounts.isEmpty)
        #expect(try await accounts.current == nil)
        // A second sign-out finds no session, and the pending revocation is not forgotten.
        _ = try await accounts.signOut(of: ada)
        #expect(try await AccountList(index.item(forKey: AccountList.key)).left == [ada.id])
        let kept = try #require(await index.item(forKey: AccountList.key)).unredacted
        #expect(!String(decoding: kept, as: UTF8.self).contains(fixture.user.id))

        // The attempt fails again; the entry stays.
        await process().flushPendingRevocations()
        #expect(try await AccountList(index.item(forKey: AccountList.key)).left == [ada.id])
        #expect(try await process().accounts.isEmpty)
        while try await !AccountList(index.item(forKey: AccountList.key)).left.isEmpty { await Task.yield() }
        #expect(fixture.revokedTokens == [token])
        #expect(try await fixture.pendingRevocationCount() == 0)
    }
}
