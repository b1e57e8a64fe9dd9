// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthCore
import AuthSession
import OpenIDConnect
import OpenIDSession
import SecureStore
import SessionStores

/// `sallyport revoke`: revokes the tokens at the provider, and ends the session here.
struct RevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke the refresh token at the provider, and end the session here.",
        usage: "sallyport revoke [options]",
        examples: [
            Example("End the session at the provider", "revoke"),
            Example("Revoke the tokens of another session", "revoke --profile work"),
        ]
    )

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let place = try global.place()
        let store = try place.open()
        let session = try await Terminal.unlocking(store) { try await global.storedSession(in: store) }
        try GlobalOptions.requireProvider(session)
        let end = session.accessTokenLifetime?.expiresAt
        let result = await session.signOut()
        await place.removeDerivedKey()
        if let error = result.storeError { throw error }
        try PendingSignOut.check(store)
        try await ClientCredential.removeIfUnused(in: store)
        switch result.revocation {
        case .revoked:
            try await (store as? RecordedStore)?.forgetIfEmpty()
            Terminal.note("Revoked; the session has ended here too.")
        case .deferred:
            throw Failure(
                .unreachable,
                "The session has ended here, but the provider could not revoke the tokens now.",
                "A later command of this profile revokes them."
            )
        case .notApplicable, .failed:
            try await (store as? RecordedStore)?.forgetIfEmpty()
            let supportsRevocation = session.backend.anyProvider?.supportsRevocation ?? true
            let reason =
                supportsRevocation ? "did not revoke the tokens\(result.reason)" : "has no revocation endpoint"
            throw Failure(
                .failed,
                "The session has ended here, but the provider \(reason).",
                "\(SignOutResult.validity(until: end)) To end it now, use the provider's account pages."
            )
        }
    }
}
