public import APIClient
import AuthCore
import Logging
import OpenIDConnect
public import SecureStore

/// What signing out did.
///
/// The session has ended here in any case.
public struct SignOutResult: Sendable, Equatable {
    /// What the server was told.
    public enum Server: Sendable, Hashable {
        /// The server ended the session too.
        case told
        /// There is no call for it, or nobody was signed in.
        case nothingToTell
        /// The server could not be told now, and will be: it is written down in the store.
        case toldLater
        /// The server could not be told; its side of the session ends by itself in time.
        case notTold
    }

    /// What the server was told.
    public let server: Server
    /// The provider's own code, if it refused to take the tokens back and gave one.
    public let serverCode: ServerErrorCode?
    /// Why the stored session may still be there; nil where it is gone.
    public let storeError: SecureStoreError?

    init(server: Server, serverCode: ServerErrorCode? = nil, storeError: SecureStoreError?) {
        self.server = server
        self.serverCode = serverCode
        self.storeError = storeError
    }
}

extension AuthSession {
    /// Signs out: ends the session here, then tells the server, as far as it can be told.
    ///
    /// A refresh that is under way changes nothing any more. Removes an unreadable record too, and what was kept aside;
    /// asked for again, also what could not be removed before. Cancelled, it ends the session and empties the store all
    /// the same, and does not wait for the server.
    ///
    /// - Parameter interaction: Whether the store may ask the user, who is there and has just asked for this. KeePassXC
    ///   deletes nothing without asking.
    /// - Returns: What could and could not be done.
    @discardableResult
    public func signOut(interaction: InteractionPolicy = .never) async -> SignOutResult {
        // A sign-in that is under way is over.
        personEpoch += 1
        let known = signIns
        await prepareSignOut()
        await restore(checksServer: false)
        // Somebody signed in while the app was asked or the store was being read: that is not the session that was to end.
        guard known == signIns else { return SignOutResult(server: .nothingToTell, storeError: nil) }
        raiseEpoch()
        if let ended = held {
            held = nil
            unremoved = EndedSession(ended)
            // Known at once: a slow store must not keep the token in use.
            publish(.signedOut(.signedOutByPerson))
        }
        guard let ended = unremoved else {
            let error = await clear(interaction)
            if authority.retriesSignOut { await tellEndedSessions() }
            return SignOutResult(server: .nothingToTell, storeError: error)
        }
        return await remove(ended, interaction)
    }

    /// Removes what was signed out of, now or by an earlier sign-out that could not, and tells the server.
    private func remove(_ ended: EndedSession, _ interaction: InteractionPolicy) async -> SignOutResult {
        let session = ended.session
        let removal = await removed { try await Self.removeStored(session, in: $0, interaction) }
        if removal.error == nil, unremoved === ended { unremoved = nil }
        // A refresh that was under way, here or in another process, may have written newer tokens.
        var told = session
        if let found = removal.value ?? nil {
            if !found.record.isOfSameSignIn(as: session.record) {
                giveBackReplaced(found.record)
            } else if found.record.generation > session.record.generation {
                told = holding(found.record, from: found.item)
            }
        }
        let generation = told.record.generation
        guard ended.claimTelling(of: generation) else {
            return SignOutResult(server: .nothingToTell, storeError: removal.error)
        }
        let (server, serverCode) = await tellServer(told.record, until: told.deadline)
        if server == .notTold { ended.couldNotTell(of: generation) }
        if authority.retriesSignOut, server == .told { await tellEndedSessions() }
        return SignOutResult(server: server, serverCode: serverCode, storeError: removal.error)
    }

    /// Removes what a store holds of a session, readable or not, without telling a server.
    ///
    /// - Parameters:
    ///   - store: Where the session is kept.
    ///   - interaction: Whether the store may ask the user.
    /// - Throws: `SecureStoreError` where it may still be there; `CancellationError`.
    public static func removeStored(
        in store: any SecureStore,
        interaction: InteractionPolicy = .never
    ) async throws {
        for key in [SessionRecord.key, SessionRecord.unreadableKey, PendingAuthorization.key] {
            try await store.removeItem(forKey: key, interaction: interaction)
        }
    }

    /// Clears the store where nobody is signed in here.
    ///
    /// What nobody could read goes unseen, and stays ``SessionState/locked(_:)`` where that fails. Where the store was
    /// read, a session that can be read is somebody else's: another process has signed in since, or at another backend.
    private func clear(_ interaction: InteractionPolicy) async -> SecureStoreError? {
        clearing += 1
        defer { clearing -= 1 }
        let begun = epoch
        guard case .signedOut = state else {
            let error = await removed { try await Self.removeStored(in: $0, interaction: interaction) }.error
            if begun == epoch { publish(error.map { .locked($0) } ?? .signedOut(.signedOutByPerson)) }
            return error
        }
        publish(.signedOut(.signedOutByPerson))
        return await removed { store in
            if let item = try await store.item(forKey: SessionRecord.key) {
                do {
                    _ = try SessionRecord(item)
                } catch {
                    let key = SessionRecord.key
                    _ = try await store.removeItem(forKey: key, ifEquals: item, interaction: interaction)
                }
            }
            try await store.removeItem(forKey: SessionRecord.unreadableKey, interaction: interaction)
            try await store.removeItem(forKey: PendingAuthorization.key, interaction: interaction)
        }.error
    }

    /// Removes the session of one sign-in, whatever refreshes have made of it, and no later one.
    ///
    /// - Parameters:
    ///   - ended: What is signed out of.
    ///   - store: Where the session is kept.
    ///   - interaction: Whether the store may ask the user.
    /// - Returns: What was removed, where it can be read.
    /// - Throws: `SecureStoreError`; `CancellationError`.
    private static func removeStored(
        _ ended: HeldSession,
        in store: any SecureStore,
        _ interaction: InteractionPolicy
    ) async throws -> (record: SessionRecord, item: SecretBytes)? {
        let removed = try await removeSession(ended, in: store, interaction)
        try await store.removeItem(forKey: SessionRecord.unreadableKey, interaction: interaction)
        // A sign-in that waits for the browser is over, too.
        try await store.removeItem(forKey: PendingAuthorization.key, interaction: interaction)
        return removed
    }

    private static func removeSession(
        _ ended: HeldSession,
        in store: any SecureStore,
        _ interaction: InteractionPolicy
    ) async throws -> (record: SessionRecord, item: SecretBytes)? {
        // Not to be kept, and the store was emptied for it: what is there now is somebody else's.
        guard !ended.isStoreEmptied else { return nil }
        for _ in 0..<journalAttempts {
            let item: SecretBytes
            do {
                let found = try await store.item(forKey: SessionRecord.key, interaction: interaction)
                guard let found else { return nil }
                item = found
            } catch is SecureStoreError {
                // Not to be read now. A store that remembers removals is told of it all the same.
                guard try await removeUnread(ended.stored?.item, in: store, interaction) else { continue }
                return nil
            }
            // What can't be read is removed too: nobody else could make anything of it.
            let record = try? SessionRecord(item)
            if let record, !ended.answersFor(record) { return nil }
            if try await store.removeItem(forKey: SessionRecord.key, ifEquals: item, interaction: interaction) {
                return record.map { ($0, item) }
            }
        }
        throw SecureStoreError(.busy)
    }

    /// Removes what can't be read.
    ///
    /// - Returns: False where it is surely another item than the one that is known, and to be looked at.
    private static func removeUnread(
        _ known: SecretBytes?,
        in store: any SecureStore,
        _ interaction: InteractionPolicy
    ) async throws -> Bool {
        if let known {
            do {
                let key = SessionRecord.key
                return try await store.removeItem(forKey: key, ifEquals: known, interaction: interaction)
            } catch is SecureStoreError {
                // Nor to be compared.
            }
        }
        try await store.removeItem(forKey: SessionRecord.key, interaction: interaction)
        return true
    }

    private func removed<Value: Sendable>(
        _ removal: @escaping @Sendable (any SecureStore) async throws -> Value
    ) async -> (value: Value?, error: SecureStoreError?) {
        do {
            return (try await write(removal), nil)
        } catch {
            logger.warning("the stored session could not be removed")
            return (nil, SecureStoreError(cause: error))
        }
    }

    /// Tells the server, with new tokens where the old ones have expired, by this device's clock or by the server's.
    private func tellServer(
        _ record: SessionRecord,
        until deadline: TokenDeadline
    ) async -> (SignOutResult.Server, ServerErrorCode?) {
        let tokens = record.tokens
        guard !authority.retriesSignOut else { return await tellProvider(record) }
        guard deadline.freshness(at: clock.uptime()) == .expired else {
            return (await tellServer(tokens, mayRenew: true), nil)
        }
        return (await tellServer(await renewed(tokens) ?? tokens, mayRenew: false), nil)
    }

    private func tellServer(_ tokens: TokenSet, mayRenew: Bool) async -> SignOutResult.Server {
        do {
            return try await authority.signOut(tokens) ? .told : .nothingToTell
        } catch let error as APIError where error.code == .unauthorized && mayRenew {
            guard let renewed = await renewed(tokens) else { return .notTold }
            return await tellServer(renewed, mayRenew: false)
        } catch {
            logger.debug("the server could not be told of the sign-out")
            return .notTold
        }
    }

    /// Asks the provider to take the tokens back, now or as soon as it can be reached.
    ///
    /// Written down first: who ends this process meanwhile leaves it to the next one.
    private func tellProvider(_ record: SessionRecord) async -> (SignOutResult.Server, ServerErrorCode?) {
        guard backend.provider?.takesTokensBack == true, let grant = EndedGrant(record, endedAt: clock.date()) else {
            return (.nothingToTell, nil)
        }
        let isKept = await keepEnded(grant)
        let told: SignOutResult.Server
        var code: ServerErrorCode?
        do {
            told = try await authority.signOut(record.tokens) ? .told : .nothingToTell
        } catch let error as RevocationError where !error.retryHelps {
            logger.debug("the provider refused to take the tokens back")
            told = .notTold
            code = error.oauthCode.map { ServerErrorCode(rawValue: $0.rawValue) }
        } catch {
            logger.debug("the provider could not be told of the sign-out; it will be later")
            return (isKept ? .toldLater : .notTold, nil)
        }
        if isKept { await forgetEnded(grant) }
        return (told, code)
    }

    private func renewed(_ tokens: TokenSet) async -> TokenSet? {
        switch await authority.refresh(tokens, of: nil, leavingWhile: { true }) {
        case .refreshed(let answer): return tokens.merging(answer.tokens)
        case .rotated(let refreshToken, _):
            var renewed = tokens
            renewed.refreshToken = refreshToken
            return renewed
        case .refused, .unknown, .failed: return nil
        }
    }
}
