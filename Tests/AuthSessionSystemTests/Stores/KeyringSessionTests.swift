// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import AuthTesting
import Foundation
import SecureStore
import TestSupport
import Testing

@testable import AuthSession
@testable import AuthSessionTests

/// Sessions in a real keyring that locks and unlocks during the test.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(
        if: PrivateKeyring.isAvailable,
        "needs gnome-keyring-daemon and dbus-daemon; Tests/run installs them"
    )
)
struct KeyringSessionTests {
    private static func store(_ keyring: PrivateKeyring, _ account: String) throws -> KeyringStore {
        KeyringStore(
            scope: try StoreScope(service: "com.example.tests", account: account),
            deadline: .seconds(60),
            busAddress: keyring.address
        )
    }

    /// Returns the keys of an account's items.
    private static func keys(_ keyring: PrivateKeyring, _ account: String) async throws -> [String] {
        let found = try await keyring.secretTool(
            ["search", "--all", "application", "sallyport", "service", "com.example.tests", "account", account]
        )
        // The attributes are in the error stream.
        return (found.text + found.errorText).split(separator: "\n")
            .compactMap { $0.hasPrefix("attribute.key = ") ? String($0.dropFirst(16)) : nil }
    }

    @Test func `a session opens automatically once its keyring is unlocked`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try Self.store(keyring, "default")
            let fixture = try StoreFixture(store)
            try await fixture.signIn()
            try await keyring.lock()
            let other = try StoreFixture(store, options: .reconnecting)
            await other.session.restore()
            #expect(other.session.state == .locked(SecureStoreError(.locked)))
            await #expect(throws: AuthSessionError(.storeUnavailable)) { try await other.session.accessToken() }
            // The session retries, and the keyring is still locked.
            await other.clock.sleepers()
            other.clock.advance(by: .seconds(1))
            await other.clock.sleepers()
            #expect(other.session.state == .locked(SecureStoreError(.locked)))
            try await keyring.unlock()
            other.clock.advance(by: .seconds(15))
            for await state in other.session.states where !state.awaitsReconnect { break }
            #expect(other.session.state == fixture.session.state)
            #expect(try await other.session.accessToken().unredacted == "access-1")
        }
    }

    @Test(.enabled(if: Python.has("secretstorage"), "needs python3-secretstorage; Tests/run installs it"))
    func `a damaged item of one megabyte does not prevent a sign-in`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try Self.store(keyring, "default")
            let attributes = ["application=sallyport", "service=com.example.tests", "account=default", "key=session"]
            let damaged = Data(repeating: 0x78, count: 1_048_576)
            let made = try await Command(
                SupportFiles.path("python-secretstorage"),
                ["write", "x"] + attributes,
                environment: keyring.environment,
                input: damaged
            ).run()
            try #require(made.exitCode == 0, "\(made.errorText)")
            #expect(try await store.item(forKey: SessionRecord.key)?.count == damaged.count)
            let fixture = try StoreFixture(store)
            try await fixture.signIn()
            #expect(await fixture.session.persistenceError == nil)
            #expect(try await Self.keys(keyring, "default") == [SessionRecord.key.name])
            let record = try SessionRecord(try #require(try await store.item(forKey: SessionRecord.key)))
            #expect(record.tokens.accessToken.unredacted == "access-1")
        }
    }

    @Test func `a session that is not remembered is not stored and removes the earlier one`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try Self.store(keyring, "default")
            let fixture = try StoreFixture(store)
            try await fixture.signIn()
            #expect(try await Self.keys(keyring, "default") == [SessionRecord.key.name])
            try await fixture.signIn(rememberMe: false)
            #expect(try await fixture.session.accessToken().unredacted == "access-1")
            #expect(try await Self.keys(keyring, "default").isEmpty)
        }
    }

    @Test func `several accounts share one keyring`() async throws {
        try await PrivateKeyring.with { keyring in
            let index = try Self.store(keyring, "accounts")
            func process() -> SessionAccounts {
                SessionAccounts(listedIn: index) { id in try StoreFixture(Self.store(keyring, id)).session }
            }
            let accounts = process()
            let one = try await accounts.signIn { try await StoreFixture.signIn($0) }
            let two = try await accounts.signIn { try await StoreFixture.signIn($0) }
            let later = process()
            #expect(try await later.accounts == [one, two])
            #expect(try await later.session(of: one).accessToken().unredacted == "access-1")
            #expect(try await later.signOut(of: one).storeError == nil)
            #expect(try await process().accounts == [two])
            #expect(try await Self.keys(keyring, one.id).isEmpty)
            #expect(try await process().session(of: two).accessToken().unredacted == "access-1")
        }
    }
}
#endif
