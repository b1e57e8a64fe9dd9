// SPDX-License-Identifier: Apache-2.0

import AuthCore
public import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An account of one of several users, signed in side by side on this device.
public struct SessionAccount: Sendable, Hashable, Identifiable {
    /// The account's identifier on this device only: random, and valid as the name of a store's account.
    public let id: String
    /// The user, if the server has named one; for a list of accounts, before any of their sessions is read.
    public let user: SessionUser?
}

/// The accounts of several users side by side, each with a session of its own.
///
/// The sessions are independent: each has its own store, refreshes under its own lock, and ends by itself. The list of
/// accounts is one item of one more store; all processes of the app see the same list.
///
///     let index = try KeyringStore(service: "com.example.app", account: "accounts")
///     let accounts = SessionAccounts(listedIn: index) { id in
///         AuthSession(backend: backend, store: try KeyringStore(service: "com.example.app", account: id))
///     }
///     let account = try await accounts.signIn { session in
///         try await session.signIn(email: address, password: password, device: device)
///     }
public actor SessionAccounts {
    private let index: any SecureStore
    private let open: @Sendable (_ id: String) throws -> AuthSession
    /// The session objects: one per account, for all callers.
    private var sessions: [String: AuthSession] = [:]
    /// The accounts that are not persisted and end with this process.
    private var unlisted: [SessionAccount] = []
    /// Whether this process has searched the list for pending revocations.
    private var hasReadPendingRevocations = false

    /// Creates a list; nothing is read before it is used.
    ///
    /// - Parameters:
    ///   - index: The store of the list. It must not be a store of one of the sessions.
    ///   - open: Creates the session of an account, with a store of its own; called once per account.
    public init(listedIn index: any SecureStore, opening open: @escaping @Sendable (_ id: String) throws -> AuthSession)
    {
        self.index = index
        self.open = open
    }

    /// The accounts, in the order in which they signed in.
    ///
    /// - Throws: `SecureStoreError`; ``SessionRecordError`` if the list can't be read; `CancellationError`.
    public var accounts: [SessionAccount] { get async throws { try await readList().accounts + unlisted } }

    /// The account in use; nil if there is no account.
    ///
    /// - Throws: The errors of ``accounts``.
    public var current: SessionAccount? {
        get async throws {
            let list = try await readList()
            if let last = unlisted.last { return last }
            return list.accounts.first { $0.id == list.current } ?? list.accounts.first
        }
    }

    /// Returns the session of an account, always the same object, which a caller restores.
    ///
    /// - Throws: The error of creating the session.
    public func session(of account: SessionAccount) throws -> AuthSession { try session(account.id) }

    private func session(_ id: String) throws -> AuthSession {
        if let session = sessions[id] { return session }
        let session = try open(id)
        sessions[id] = session
        return session
    }

    /// Signs in one more user, whose account is then in use.
    ///
    /// A failed sign-in leaves no account behind. The list is not searched for the same user.
    ///
    /// - Throws: The errors of ``accounts``, of creating the session and of the closure; ``AuthSessionError``
    ///   (`notSignedIn` if the closure left no user signed in, `storeUnavailable` if the list is full, or could not be
    ///   written, and the user is then signed out again); `CancellationError`.
    public func signIn(_ signIn: @Sendable (AuthSession) async throws -> Void) async throws -> SessionAccount {
        // A list that can't be read or is full is reported before a user types a password.
        guard try await readList().accounts.count < AccountList.maximumCount else {
            throw AuthSessionError(.storeUnavailable, underlying: SecureStoreError(.full))
        }
        let id = Hexadecimal.encode(RandomBytes.make(16))
        // Opened before any suspension, so that no second one is opened.
        let session = try session(id)
        do {
            try await signIn(session)
            guard case .signedIn(let user, _) = session.state else { throw AuthSessionError(.notSignedIn) }
            let account = SessionAccount(id: id, user: user)
            if await session.isRemembered {
                try await change { list in
                    list.entries.append(AccountList.Entry(id: id, user: user))
                    list.current = id
                }
            } else {
                unlisted.append(account)
            }
            return account
        } catch {
            sessions[id] = nil
            await session.signOut()
            // If the list can't be written, that is already this call's error, or the next call reports it.
            if await session.hasPendingRevocations { try? await change { $0.leave(id, isRevoked: false) } }
            guard let error = error as? SecureStoreError else { throw error }
            throw AuthSessionError(.storeUnavailable, underlying: error)
        }
    }

    /// Switches to another account.
    ///
    /// As long as an account that is not persisted exists, that account stays the ``current`` one.
    ///
    /// - Throws: The errors of ``accounts``.
    public func switchAccount(to account: SessionAccount) async throws {
        try await change { list in
            if list.accounts.contains(where: { $0.id == account.id }) { list.current = account.id }
        }
    }

    /// Signs an account out and removes it from the list.
    ///
    /// Its session ends here in any case. If the store may still hold it, the account stays on the list, signed out:
    /// sign it out again later. If its tokens could not be revoked, they are revoked later automatically.
    ///
    /// - Throws: The error of creating the session; the errors of ``accounts`` if the list could not be written. The
    ///   account then stays on it, signed out.
    public func signOut(of account: SessionAccount) async throws -> SignOutResult {
        let session = try session(account.id)
        let result = await session.signOut()
        guard result.storeError == nil else { return result }
        unlisted.removeAll { $0.id == account.id }
        // The pending revocations are in that store, and only the list leads to it.
        let isRevoked = await !session.hasPendingRevocations
        try await change { $0.leave(account.id, isRevoked: isRevoked) }
        if isRevoked { sessions[account.id] = nil }
        return result
    }

    /// Revokes the tokens of earlier sign-outs that could not be revoked before.
    ///
    /// A process does this automatically, in the background, when it first reads the list. A revocation that fails
    /// stays for the next time, and is dropped after ninety days. If cancelled, it stops sending requests.
    public func flushPendingRevocations() async {
        guard let list = try? await list() else { return }
        for id in list.left {
            guard let session = try? session(id) else { continue }
            await session.revokeEndedSessions()
            guard await !session.hasPendingRevocations else { continue }
            // If the list can't be written now, the next call finds nothing left to revoke.
            try? await change { $0.leave(id, isRevoked: true) }
            sessions[id] = nil
        }
    }

    private func readList() async throws -> AccountList {
        let list = try await list()
        if !hasReadPendingRevocations {
            hasReadPendingRevocations = true
            if !list.left.isEmpty { Task { await flushPendingRevocations() } }
        }
        return list
    }

    private func list() async throws -> AccountList { try AccountList(try await index.item(forKey: AccountList.key)) }

    private func change(_ change: (inout AccountList) -> Void) async throws {
        try await index.updateItem(forKey: AccountList.key) { item in
            var list = try AccountList(item)
            change(&list)
            return (.replace(try list.encoded()), ())
        }
    }
}

/// The stored list of accounts, and the account in use.
struct AccountList: StoredItemForm {
    struct Entry: StoredForm {
        let id: String
        var user: SessionUser?
        /// True if the user has signed out and the tokens are still to be revoked.
        var hasLeft = false
    }

    private(set) var version = 1
    var entries: [Entry] = []
    var current: String?

    /// The item's name in the store.
    static let key = StoreKey(trusted: "accounts")
    /// The maximum number of accounts: more users than share a device.
    static let maximumCount = 64

    init() {}

    /// Reads the list; empty if there is no item.
    ///
    /// - Throws: ``SessionRecordError`` if the list can't be read. It is then not overwritten.
    init(_ item: SecretBytes?) throws(SessionRecordError) {
        if let item { self = try Self(stored: item) }
    }

    /// The accounts of signed-in users.
    var accounts: [SessionAccount] { present.map { SessionAccount(id: $0.id, user: $0.user) } }

    /// The accounts whose tokens are still to be revoked.
    var left: [String] { entries.filter { $0.hasLeft }.map(\.id) }

    /// Takes an account out of use: removes it, or keeps it aside until its tokens are revoked.
    mutating func leave(_ id: String, isRevoked: Bool) {
        entries.removeAll { $0.id == id }
        // No user data stays.
        if !isRevoked { entries.append(Entry(id: id, hasLeft: true)) }
        if current == id { current = present.first?.id }
    }

    private var present: [Entry] { entries.filter { !$0.hasLeft } }
}
