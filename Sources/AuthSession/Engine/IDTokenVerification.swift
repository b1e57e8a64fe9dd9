// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging

/// The verification of the ID token of a refresh.
///
/// Owns the error of the newest ID token. Confined to the session's actor: its methods run in the owner's isolation.
final class IDTokenVerification {
    private let trailingWork: TrailingWork
    private let logger: Logger
    /// The reason that the newest ID token of a refresh was not kept; nil if it was, or if no refresh brought one.
    private(set) var error: (any Error)?

    init(_ trailingWork: TrailingWork, _ logger: Logger) {
        (self.trailingWork, self.logger) = (trailingWork, logger)
    }

    /// Forgets the error of an earlier generation's ID token.
    func forgetError() {
        error = nil
    }

    /// 9. Verify: keeps the ID token of a refresh, if the provider issued it to this client for this user.
    ///
    /// The provider's keys may have to be fetched, so the tokens are stored and handed out before. If the process is
    /// killed in between, the earlier ID token stays, and the next refresh brings another one.
    func verify(
        _ verifyIDToken: @escaping @Sendable () async throws -> IDToken,
        of tokens: TokenSet,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) {
        trailingWork.add({ await owner.keepIDToken(verifyIDToken, of: tokens, in: startGeneration) }, for: owner)
    }

    fileprivate func keep(
        _ verifyIDToken: @Sendable () async throws -> IDToken,
        of tokens: TokenSet,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async {
        let verified: Result<IDToken, any Error>
        do {
            verified = .success(try await verifyIDToken())
        } catch is CancellationError {
            // The session's own task is never cancelled.
            return logger.debug("the verification of a new ID token was cancelled")
        } catch {
            verified = .failure(error)
        }
        // The tokens were replaced meanwhile, by a refresh with another ID token or by another session. A refresh for
        // another API replaces only the refresh token, and brings no ID token.
        guard startGeneration == owner.generation, owner.current?.record.tokens.accessToken == tokens.accessToken else {
            return
        }
        switch verified {
        case .success(let token):
            error = nil
            owner.apply(.verified(token))
            owner.showTokens()
            await store(token, of: tokens, in: startGeneration, for: owner)
        case .failure(let error):
            self.error = error
            logger.warning(
                "the new ID token was rejected, the previous one is kept",
                metadata: ["type": "\(type(of: error))"]
            )
        }
    }

    /// Writes the ID token to the item, if the item holds the access token that it came with.
    ///
    /// A failed write loses nothing, because the next write contains the ID token too.
    private func store(
        _ idToken: IDToken,
        of tokens: TokenSet,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async {
        // A refresh in progress replaces the item. If it fails, the ID token is still to be written.
        while let flight = owner.coordinator.flight { _ = try? await flight.value() }
        guard startGeneration == owner.generation, owner.current?.record.tokens.accessToken == tokens.accessToken else {
            return
        }
        owner.apply(.verified(idToken))
        do {
            try await owner.updateStored(
                in: startGeneration,
                where: { $0.tokens.accessToken == tokens.accessToken }
            ) { $0.tokens.idToken = idToken }
        } catch {
            logger.warning("the new ID token could not be written to the store; it is kept in memory")
        }
    }
}

extension AuthSession {
    fileprivate func keepIDToken(
        _ verifyIDToken: @Sendable () async throws -> IDToken,
        of tokens: TokenSet,
        in startGeneration: Int
    ) async {
        await coordinator.idTokens.keep(verifyIDToken, of: tokens, in: startGeneration, for: self)
    }
}
