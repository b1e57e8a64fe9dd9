// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import HTTPTypes
import SecureStore
import Synchronization
import Testing

@testable import AuthSession

/// Several users on one device.
@Suite(.timeLimit(.minutes(5)))
struct SessionAccountsTests {
    /// A device, its stores, and a backend that signs in a new user each time.
    private final class Device: Sendable {
        let index = GatedStore()
        let fixture: Fixture
        private let stores = Mutex<[String: MemoryStore]>([:])

        init() throws {
            fixture = try Fixture()
            let number = Mutex(0)
            fixture.backend.on(Backend.login) { _ in
                let number = number.withLock { number in
                    number += 1
                    return number
                }
                let user = #"{"id": "u\#(number)", "name": "Person \#(number)"}"#
                return .json(
                    """
                    {"user": \(user), "accessToken": "access-of-\(number)", "refreshToken": "refresh-of-\(number)", \
                    "tokenType": "Bearer", "expiresIn": 900, "scope": "openid"}
                    """
                )
            }
        }

        func store(_ id: String) -> MemoryStore {
            stores.withLock { stores in
                let store = stores[id] ?? MemoryStore()
                stores[id] = store
                return store
            }
        }

        /// A process of the app.
        func process() -> SessionAccounts {
            let fixture = fixture
            return SessionAccounts(listedIn: index) { id in
                AuthSession(
                    backend: fixture.session.backend,
                    store: self.store(id),
                    transport: fixture.transport,
                    now: { fixture.clock.date },
                    clock: fixture.clock,
                    options: .still
                )
            }
        }
    }

    private static func signIn(_ session: AuthSession) async throws {
        try await session.signIn(email: "a@example.org", password: Password("p"), device: Fixture.device)
    }

    @Test func `two accounts are signed in independently of each other`() async throws {
        let device = try Device()
        let accounts = device.process()
        let (ada, bob) = (try await accounts.signIn(Self.signIn), try await accounts.signIn(Self.signIn))
        #expect(try await accounts.accounts == [ada, bob])
        #expect(ada.user?.name == "Person 1")
        #expect(try await accounts.current == bob)
        #expect(try await accounts.session(of: ada).accessToken().unredacted == "access-of-1")
        #expect(try await accounts.session(of: bob).accessToken().unredacted == "access-of-2")
        #expect(try await accounts.signOut(of: bob).storeError == nil)
        #expect(try await accounts.current == ada)
        #expect(try await accounts.session(of: ada).accessToken().unredacted == "access-of-1")
        #expect(try await device.store(bob.id).keys().isEmpty)
    }

    @Test func `another process lists all accounts with their names before it reads a session`() async throws {
        let device = try Device()
        let ada = try await device.process().signIn(Self.signIn)
        let bob = try await device.process().signIn(Self.signIn)
        let other = device.process()
        #expect(try await other.accounts == [ada, bob])
        try await other.switchAccount(to: ada)
        #expect(try await device.process().current == ada)
        #expect(try await other.session(of: bob).accessToken().unredacted == "access-of-2")
    }

    @Test func `an account has exactly one session in a process`() async throws {
        let device = try Device()
        let accounts = device.process()
        let ada = try await accounts.signIn(Self.signIn)
        #expect(try await accounts.session(of: ada) === accounts.session(of: ada))
    }

    @Test func `a failed sign-in leaves no account`() async throws {
        let device = try Device()
        let accounts = device.process()
        device.fixture.backend.on(Backend.login) { _ in .json("{}", status: 401) }
        await #expect(throws: AuthSessionError(.signInRefused)) { try await accounts.signIn(Self.signIn) }
        await #expect(throws: AuthSessionError(.notSignedIn)) { try await accounts.signIn { _ in } }
        #expect(try await accounts.accounts.isEmpty)
        #expect(try await accounts.current == nil)
    }

    @Test
    func `a sign-in sends no request if the list can't be read, and signs out if the list can't be written`()
        async throws
    {
        let device = try Device()
        let accounts = device.process()
        device.index.faults.failAll(with: SecureStoreError(.locked))
        await #expect(throws: SecureStoreError(.locked)) { try await accounts.signIn(Self.signIn) }
        #expect(device.fixture.transport.requests.isEmpty)
        device.index.faults.failAll(with: nil)
        device.index.faults.failWrites(with: SecureStoreError(.full))
        await #expect(throws: AuthSessionError(.storeUnavailable)) { try await accounts.signIn(Self.signIn) }
        #expect(device.fixture.transport.requests.last?.head.path == Backend.logout)
        device.index.faults.failAll(with: nil)
        #expect(try await accounts.accounts.isEmpty)
    }

    @Test(arguments: ["", "{}", #"{"version":9}"#]) func `a sign-in leaves an unreadable list unchanged`(
        text: String
    ) async throws {
        let device = try Device()
        let item = SecretBytes(Array(text.utf8))
        try await device.index.setItem(item, forKey: AccountList.key)
        await #expect(throws: SessionRecordError.self) { try await device.process().signIn(Self.signIn) }
        #expect(try await device.index.item(forKey: AccountList.key) == item)
    }

    @Test func `an account that is not remembered is not written to the stored list`() async throws {
        let device = try Device()
        let accounts = device.process()
        let temporary = try await accounts.signIn { session in
            try await session.signIn(
                email: "a@example.org",
                password: Password("p"),
                rememberMe: false,
                device: Fixture.device
            )
        }
        #expect(try await accounts.accounts == [temporary])
        #expect(try await accounts.current == temporary)
        #expect(try await device.index.item(forKey: AccountList.key) == nil)
        #expect(try await device.process().accounts.isEmpty)
        #expect(try await accounts.session(of: temporary).accessToken().unredacted == "access-of-1")
        _ = try await accounts.signOut(of: temporary)
        #expect(try await accounts.accounts.isEmpty)
    }

    @Test func `a sign-in that fails after authentication signs the user out again`() async throws {
        struct ProfileMissing: Error {}
        let device = try Device()
        let accounts = device.process()
        await #expect(throws: ProfileMissing.self) {
            try await accounts.signIn { session in
                try await Self.signIn(session)
                throw ProfileMissing()
            }
        }
        #expect(device.fixture.transport.requests.last?.head.path == Backend.logout)
        #expect(try await accounts.accounts.isEmpty)
    }

    @Test func `concurrent sign-ins in several processes keep all their accounts`() async throws {
        let device = try Device()
        try await withThrowingTaskGroup(of: SessionAccount.self) { group in
            for _ in 0..<4 { group.addTask { try await device.process().signIn(Self.signIn) } }
            try await group.waitForAll()
        }
        #expect(try await device.process().accounts.count == 4)
    }
}
