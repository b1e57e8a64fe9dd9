import AuthCore
public import SecureStore

/// Several people side by side, each with a session of their own.
///
/// Their sessions never meet: each is kept in a store of its own, refreshes under a lock of its own, and ends by itself.
/// Which accounts there are is one item of one more store; all processes of the app see the same list.
///
///     let accounts = SessionAccounts(listedIn: try KeyringStore(service: "com.example.app", account: "accounts")) { id in
///         AuthSession(backend: backend, store: try KeyringStore(service: "com.example.app", account: id))
///     }
///     let account = try await accounts.signIn { session in
///         try await session.signIn(email: address, password: password, device: device)
///     }
public actor SessionAccounts {
    private let index: any SecureStore
    private let open: @Sendable (_ id: String) throws -> AuthSession
    /// One session object for an account, whoever asks.
    private var sessions: [String: AuthSession] = [:]

    /// Accounts of people who are not to be remembered: they are gone with this process.
    private var unlisted: [Account] = []

    private static let attempts = 8

    /// Whether this process has looked for sign-outs that are still to be told.
    private var hasLookedForSignOuts = false

    /// Makes a list; nothing is read before it is used.
    ///
    /// - Parameters:
    ///   - index: Where the list is kept. Not a store of one of the sessions.
    ///   - open: Makes the session of an account, with a store that is its own; called once an account.
    public init(listedIn index: any SecureStore, opening open: @escaping @Sendable (_ id: String) throws -> AuthSession)
    {
        self.index = index
        self.open = open
    }

    /// The accounts, in the order in which they signed in.
    ///
    /// - Throws: `SecureStoreError`; ``SessionRecordError`` where the list can't be read; `CancellationError`.
    public var accounts: [Account] {
        get async throws { try await readList().accounts + unlisted }
    }

    /// The account in use; nil where there is none.
    ///
    /// - Throws: As ``accounts``.
    public var current: Account? {
        get async throws {
            let list = try await readList()
            if let last = unlisted.last { return last }
            return list.accounts.first { $0.id == list.current } ?? list.accounts.first
        }
    }

    /// The session of an account: always the same object.
    ///
    /// - Parameter account: The account.
    /// - Returns: Its session; not restored yet where nobody has done that.
    /// - Throws: What making it throws.
    public func session(of account: Account) throws -> AuthSession { try session(account.id) }

    private func session(_ id: String) throws -> AuthSession {
        if let session = sessions[id] { return session }
        let session = try open(id)
        sessions[id] = session
        return session
    }

    /// Signs one more person in, who is in use from then on.
    ///
    /// Where the sign-in does not succeed nothing is left of it. Nobody is asked whether the same person is there already.
    ///
    /// - Parameter signIn: Signs in with the new session.
    /// - Returns: The account.
    /// - Throws: What signing in throws; ``AuthSessionError`` (`notSignedIn` where it left nobody signed in,
    ///   `storeUnavailable` where the list could not be written, and then the person is signed out again); `CancellationError`.
    public func signIn(_ signIn: @Sendable (AuthSession) async throws -> Void) async throws -> Account {
        // What can't be read or is full is said before anybody types a password.
        guard try await readList().accounts.count < AccountList.maximumCount else {
            throw AuthSessionError(.storeUnavailable, underlying: SecureStoreError(.full))
        }
        let id = Hexadecimal.encode(RandomBytes.make(16))
        // Before anything is waited for: nobody opens a second one.
        let session = try session(id)
        do {
            try await signIn(session)
            guard case .signedIn(let user, _) = session.state else { throw AuthSessionError(.notSignedIn) }
            let account = Account(id: id, user: user)
            if await session.isRemembered {
                try await list(account)
            } else {
                unlisted.append(account)
            }
            return account
        } catch {
            sessions[id] = nil
            await session.signOut()
            // Where the list can't be written, that is why this one failed, or the next thing that is said.
            if await session.hasUntoldSignOuts { try? await change { $0.leave(id, isTold: false) } }
            guard let error = error as? SecureStoreError else { throw error }
            throw AuthSessionError(.storeUnavailable, underlying: error)
        }
    }

    private func list(_ account: Account) async throws {
        try await change { list in
            list.entries.append(AccountList.Entry(id: account.id, user: account.user))
            list.current = account.id
        }
    }

    /// Takes another account into use.
    ///
    /// One that is not to be remembered is in use as long as it is there.
    ///
    /// - Parameter account: The account.
    /// - Throws: As ``accounts``.
    public func use(_ account: Account) async throws {
        try await change { list in
            if list.accounts.contains(where: { $0.id == account.id }) { list.current = account.id }
        }
    }

    /// Signs an account out and takes it off the list.
    ///
    /// Its session has ended here in any case. It stays on the list, signed out, where its store may still hold it: sign it
    /// out again later. A provider that could not be told is told later, by itself.
    ///
    /// - Parameter account: The account.
    /// - Returns: What could and could not be done.
    /// - Throws: What making the session throws; as ``accounts`` where the list could not be written: then it is still named
    ///   there, signed out.
    public func signOut(of account: Account) async throws -> SignOutResult {
        let session = try session(account.id)
        let result = await session.signOut()
        guard result.storeError == nil else { return result }
        unlisted.removeAll { $0.id == account.id }
        // What the provider is still to be told lies in that store, and only the list leads there.
        let isTold = await !session.hasUntoldSignOuts
        try await change { $0.leave(account.id, isTold: isTold) }
        if isTold { sessions[account.id] = nil }
        return result
    }

    /// Tells providers of the sign-outs that they could not be told of before.
    ///
    /// Done by itself, behind it, when a process first reads the list. What still can't be told stays for the next time;
    /// what could not be for ninety days is given up. Cancelled, it stops asking.
    public func tellSignOuts() async {
        guard let list = try? await list() else { return }
        for id in list.left {
            guard let session = try? session(id) else { continue }
            await session.tellEndedSessions()
            guard await !session.hasUntoldSignOuts else { continue }
            // Where the list can't be written now, the next time finds nothing left to tell.
            try? await change { $0.leave(id, isTold: true) }
            sessions[id] = nil
        }
    }

    private func readList() async throws -> AccountList {
        let list = try await list()
        if !hasLookedForSignOuts {
            hasLookedForSignOuts = true
            if !list.left.isEmpty { Task { await tellSignOuts() } }
        }
        return list
    }

    private func list() async throws -> AccountList { try AccountList(try await index.item(forKey: AccountList.key)) }

    private func change(_ change: (inout AccountList) -> Void) async throws {
        for _ in 0..<Self.attempts {
            let item = try await index.item(forKey: AccountList.key)
            var list = try AccountList(item)
            change(&list)
            if try await index.replaceItem(forKey: AccountList.key, ifEquals: item, with: try list.encoded()) { return }
        }
        throw SecureStoreError(.busy)
    }
}
