import AuthCore
import Logging
public import OpenIDConnect
import SecureStore

extension AuthSession {
    /// Why the newest ID token that a refresh brought was not kept; nil if it was, or if no refresh brought one.
    ///
    /// The session goes on with the new tokens, and keeps the ID token that it had before. `keysUnavailable` says nothing of
    /// the token: the next refresh brings another one. Waits for a verification that is under way, for five seconds at most.
    /// Cancelled, it answers at once.
    public var idTokenError: IDTokenError? {
        get async {
            await idTokenChecked()
            return idTokenFault
        }
    }

    /// Waits until the ID token of the last refresh is verified and stored, for five seconds at most.
    func idTokenChecked() async {
        guard let check = idTokenCheck else { return }
        // Both throw only if the caller's task is cancelled, and it then goes on without.
        try? await waitBriefly { try? await check.value() }
    }

    /// 9. Verify: keeps the ID token that came with a refresh, if it is the provider's, for this client and this user.
    ///
    /// The provider's keys may have to be fetched, so the tokens are stored and handed out before. Killed in between, the
    /// process leaves the ID token that was there; the next refresh brings another one.
    ///
    /// - Parameters:
    ///   - idToken: The token.
    ///   - tokens: What it came with.
    ///   - begun: The epoch.
    func verify(_ idToken: RefreshedIDToken, of tokens: TokenSet, in begun: Int) {
        let check = SharedResult<Void>()
        idTokenCheck = check
        Task {
            await keep(idToken, of: tokens, in: begun)
            if idTokenCheck === check { idTokenCheck = nil }
            check.finish(.success(()))
        }
    }

    private func keep(_ idToken: RefreshedIDToken, of tokens: TokenSet, in begun: Int) async {
        let verified: Result<IDToken, IDTokenError>
        do {
            verified = .success(try await idToken.verified())
        } catch let error as IDTokenError {
            verified = .failure(error)
        } catch {
            // Cancelled, which nobody does to the session's own task.
            return logger.debug("the verification of a new ID token was cancelled")
        }
        // Replaced since, by a refresh that brought another one, or by another session.
        guard begun == epoch, held?.record.tokens.isSame(as: tokens) == true else { return }
        switch verified {
        case .success(let token):
            idTokenFault = nil
            held?.record.tokens.idToken = token
            showTokens(in: state)
            await store(token, of: tokens, in: begun)
        case .failure(let error):
            idTokenFault = error
            logger.warning("the new ID token is not kept, the one before it is", metadata: ["code": "\(error.code)"])
        }
    }

    /// Writes the ID token beside the tokens that it came with, and beside no others.
    ///
    /// The rest of the item stays as it is: another process may have written that it begins a refresh. A failed write loses
    /// nothing, for the next one carries the ID token too.
    private func store(_ idToken: IDToken, of tokens: TokenSet, in begun: Int) async {
        // A refresh that is under way replaces what is there; if it fails, this is still to be written.
        while let flight { _ = try? await flight.value() }
        guard begun == epoch, let held, held.record.tokens.isSame(as: tokens) else { return }
        self.held?.record.tokens.idToken = idToken
        guard held.stored != nil, held.unsaved == nil, held.isRemembered else { return }
        do {
            let written = try await write { store in
                for _ in 0..<Self.journalAttempts {
                    guard let item = try await store.item(forKey: SessionRecord.key) else { return StoredIDToken?.none }
                    var record = try SessionRecord(item)
                    guard record.tokens.isSame(as: tokens) else { return nil }
                    record.tokens.idToken = idToken
                    let new = try record.encoded()
                    if try await store.replaceItem(forKey: SessionRecord.key, ifEquals: item, with: new) {
                        return StoredIDToken(replaced: item, item: new)
                    }
                }
                throw SecureStoreError(.busy)
            }
            // What another process wrote beside them is not taken for known.
            guard begun == epoch, let written, self.held?.stored?.item == written.replaced else { return }
            self.held?.stored = StoredItem(item: written.item, tokens: tokens)
        } catch {
            logger.warning("the new ID token could not be written to the store; it lives on in memory")
        }
    }

    private struct StoredIDToken: Sendable {
        let replaced: SecretBytes
        let item: SecretBytes
    }
}
