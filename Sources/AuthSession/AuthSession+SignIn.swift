import APIClient
public import AuthCore
import Logging
import SecureStore

extension AuthSession {
    /// Signs in with an e-mail address and a password.
    ///
    /// The store is read before the password leaves, so that no sign-in is wasted on a locked one. Takes the place of a
    /// session that is there, whose tokens are given back. An answer that comes after another sign-in or a sign-out is
    /// dropped and given back.
    ///
    /// - Parameters:
    ///   - email: The address.
    ///   - password: The password. Secret; kept nowhere.
    ///   - rememberMe: False keeps the session in memory only, and it ends with the process.
    ///   - device: What the backend is told about the device.
    /// - Returns: Who signed in.
    /// - Throws: ``AuthSessionError`` (`contractMismatch`, `storeUnavailable`, `signInRefused`, `unreachable`,
    ///   `unsafeAnswer`, `superseded`); `CancellationError`.
    ///
    /// Wire: `POST /api/v1/auth/login`.
    @discardableResult
    public func signIn(
        email: String,
        password: Password,
        rememberMe: Bool = true,
        device: DeviceInfo
    ) async throws -> User? {
        guard backend.contract == .tokenPair else { throw AuthSessionError(.contractMismatch) }
        let begun = personEpoch
        let found = rememberMe ? try await readStore() : isKnown ? .nothing : .unknown
        let authority = TokenPairAuthority(backend: firstParty)
        let signedIn = try await signInAnswer(from: begun) {
            try await authority.signIn(email: email, password: password, rememberMe: rememberMe, device: device)
        }
        return try await begin(signedIn, isRemembered: rememberMe, insteadOf: found, from: begun)
    }

    /// Signs in with what Apple gave.
    ///
    /// The raw nonce goes to the backend and is forgotten with the attempt, whatever the answer is.
    ///
    /// - Parameters:
    ///   - credential: What Apple gave. Secret.
    ///   - attempt: The attempt whose hashed nonce Apple was given.
    /// - Returns: Who signed in.
    /// - Throws: ``AuthSessionError`` (`contractMismatch`, `storeUnavailable`, `signInRefused`, `unreachable`,
    ///   `unsafeAnswer`, `superseded`); `CancellationError`.
    ///
    /// Wire: `POST /api/auth/apple`.
    @discardableResult
    public func signIn(with credential: AppleCredential, for attempt: consuming AppleSignInAttempt) async throws
        -> User?
    {
        let nonce = attempt.nonce
        guard backend.contract == .sessionToken else { throw AuthSessionError(.contractMismatch) }
        let begun = personEpoch
        let found = try await readStore()
        let authority = SessionTokenAuthority(backend: firstParty)
        let signedIn = try await signInAnswer(from: begun) {
            try await authority.signIn(with: credential, nonce: nonce)
        }
        return try await begin(signedIn, isRemembered: true, insteadOf: found, from: begun)
    }

    /// Probes the store, so that one that can't be used is told of before anybody types a password or a browser opens.
    ///
    /// Reads the session, which may lie in another keyring than new items would, and writes, reads and removes a value
    /// beside it. Signing in by itself only reads.
    ///
    /// - Throws: ``AuthSessionError`` (`storeUnavailable`); `CancellationError`.
    public func requireStore() async throws {
        _ = try await readStore { try await $0.probe() }
    }

    func readStore(
        _ more: (any SecureStore) async throws -> Void = { _ in }
    ) async throws -> Replaced {
        do {
            let item = try await store.item(forKey: SessionRecord.key)
            try await more(store)
            return item.flatMap { try? SessionRecord($0) }.map { .record($0) } ?? .nothing
        } catch let error where !(error is CancellationError) {
            throw AuthSessionError(.storeUnavailable, underlying: error)
        }
    }

    /// The backend's answer; where it is away, it is asked again a second later, twice.
    private func signInAnswer(
        from begun: Int,
        _ call: @Sendable () async throws -> SignedIn
    ) async throws -> SignedIn {
        var attempts = 1
        while true {
            guard begun == personEpoch else { throw AuthSessionError(.superseded) }
            do {
                return try await signInOnce(call)
            } catch let error as AuthSessionError where error.code == .unreachable {
                guard attempts < options.signInAttempts, error.isAbsence else { throw error }
                attempts += 1
                logger.debug("the backend is away; the sign-in is sent again")
                try await clock.sleep(.seconds(1))
            }
        }
    }

    private func signInOnce(_ call: @Sendable () async throws -> SignedIn) async throws -> SignedIn {
        do {
            return try await call()
        } catch let error as APIError {
            switch error.code {
            case .unauthorized, .forbidden, .refused, .rateLimited:
                throw AuthSessionError(.signInRefused, underlying: error)
            case .unreadableAnswer:
                throw AuthSessionError(.unsafeAnswer, underlying: error)
            default:
                throw AuthSessionError(.unreachable, underlying: error)
            }
        }
    }

    func begin(
        _ signedIn: SignedIn,
        isRemembered: Bool,
        insteadOf found: Replaced,
        from begun: Int
    ) async throws -> User? {
        guard begun == personEpoch, !Task.isCancelled else {
            giveBack(signedIn.issued.tokens, of: signedIn.user)
            try Task.checkCancellation()
            throw AuthSessionError(.superseded)
        }
        let replaced = held
        personEpoch += 1
        signIns += 1
        unremoved = nil
        raiseEpoch()
        let issued = signedIn.issued
        let new = HeldSession(
            record: SessionRecord(
                generation: 0,
                tokens: issued.tokens,
                user: signedIn.user,
                backend: backend,
                signIn: Hexadecimal.encode(RandomBytes.make(16))
            ),
            deadline: deadline(of: issued.tokens.lifetime, at: issued.requestedAt),
            stored: nil,
            isRemembered: isRemembered,
            replaced: replaced.map { .record($0.record) } ?? found
        )
        held = new
        // From here on nobody is handed the token of who was signed in before.
        snapshot.set(state, tokens: nil, freshUntil: .zero)
        if User.isSame(signedIn.user, as: replaced?.record.user) {
            // The same person: what was under way with the old token may go on with the new one.
            handedOut.note(replaced?.record.tokens.accessToken, epoch: epoch)
        }
        if let replaced, !User.isSame(signedIn.user, as: replaced.record.user) {
            isDepartureTold = true
            tellSignedOut(because: .signedOutByPerson)
        }
        hasAskedServer = true
        let sessionEpoch = epoch
        await keep(new, insteadOf: replaced?.record, in: sessionEpoch)
        if sessionEpoch == epoch {
            isDepartureTold = false
            tellSignedIn(signedIn.user)
        }
        return signedIn.user
    }

    /// Brings the store to what the sign-in made of it, and gives back what was there before.
    ///
    /// Only then: with the new session not written, the old one is what the next launch finds.
    private func keep(_ new: HeldSession, insteadOf replaced: SessionRecord?, in begun: Int) async {
        let found: SessionRecord?
        if new.isRemembered {
            let saved = await saved(new)
            found = saved.replaced
            // Refreshed while it was being written: the newer tokens stay.
            if begun == epoch, held?.record.tokens.isSame(as: new.record.tokens) == true {
                held?.noteWrite(saved.session)
            }
            if saved.session.unsaved != nil {
                if begun == epoch { publish(.signedIn(new.record.user, .online)) }
                return keepSaving()
            }
        } else {
            do {
                found = try await removeReplaced()
                if begun == epoch {
                    held?.isStoreEmptied = true
                    held?.replaced = .nothing
                }
            } catch {
                logger.warning("what the store held before the sign-in could not be removed")
                if begun == epoch { publish(.signedIn(new.record.user, .online)) }
                return
            }
        }
        if begun == epoch { publish(.signedIn(new.record.user, .online)) }
        giveBackReplaced(found, replaced)
    }

    /// Gives back what a sign-in has taken the place of, or a sign-out of it has removed.
    ///
    /// - Parameters:
    ///   - found: What the store held.
    ///   - replaced: What was in the hand before, or else in the store.
    func giveBackReplaced(_ found: SessionRecord?, _ replaced: SessionRecord? = nil) {
        // A refresh that was under way may have written newer ones than those in the hand.
        let isNewer = found.map { $0.signIn != replaced?.signIn || $0.generation >= replaced?.generation ?? 0 } ?? false
        // Another backend's tokens are not for this one.
        if let found, isNewer, found.backend.isSame(as: backend) { giveBack(found.tokens, of: found.user) }
        if let replaced, !isNewer || found?.signIn != replaced.signIn, replaced.backend.isSame(as: backend) {
            giveBack(replaced.tokens, of: replaced.user)
        }
    }

    /// Removes what the store holds, where the new session is not to be kept.
    private func removeReplaced() async throws -> SessionRecord? {
        try await write { [logger] store in
            let found = try await Self.keepUnreadableAside(in: store, logger)
            try await store.removeItem(forKey: SessionRecord.key)
            return found
        }
    }
}

extension AuthSessionError {
    /// Whether the backend was away, and may be there a second later: it could not be reached, or answered 5xx.
    fileprivate var isAbsence: Bool {
        guard let error = underlying as? APIError else { return false }
        return switch error.code {
        case .serverFailed: true
        case .unreachable: (error.underlying as? TransportError)?.code != .insecureConnection
        default: false
        }
    }
}
