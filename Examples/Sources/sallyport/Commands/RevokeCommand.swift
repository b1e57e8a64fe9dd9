// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthCore
import AuthSession
import FoundationEssentials
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
        let kept = try await Terminal.unlocking(store) { try await global.storedSession(in: store) }
        try GlobalOptions.requireProvider(kept)
        let end = await kept.accessTokenLifetime?.expiresAt
        guard let session = kept as? AuthSession else { return try await revoke(kept, in: store, place, end) }
        let client = await session.storedClient(in: store)
        let result = await session.signOut()
        await place.removeDerivedKey()
        if let error = result.storeError { throw error }
        try PendingSignOut.check(store)
        try await StoredClients.removeUnused(in: store, after: client)
        switch result.revocation {
        case .revoked:
            try await (store as? RecordedStore)?.forgetIfEmpty()
            Terminal.note("Revoked; the session has ended here too.")
        case .deferred where session.lacksKey:
            throw Failure(
                .failed,
                "The session has ended here. \(Failure.keyMissing.message)",
                Failure.keyMissing.advice
            )
        case .deferred:
            throw Failure(
                .unreachable,
                "The session has ended here, but the provider could not revoke the tokens now.",
                "A later command of this profile revokes them."
            )
        case .notApplicable, .failed:
            try await (store as? RecordedStore)?.forgetIfEmpty()
            let supportsRevocation = session.provider?.supportsRevocation ?? true
            throw Self.failure(supportsRevocation ? "did not revoke the tokens\(result.reason)" : nil, end)
        }
    }

    /// Revokes the tokens of a program.
    private func revoke(
        _ session: any KeptSession,
        in store: any SecureStore,
        _ place: SessionLocation,
        _ end: Date?
    ) async throws {
        let failure = try await (session as? ProgramSession)?.signOut()
        await place.removeDerivedKey()
        try PendingSignOut.check(store)
        try await (store as? RecordedStore)?.forgetIfEmpty()
        guard let failure else { return Terminal.note("Revoked; the session has ended here too.") }
        if failure.isRetryable {
            throw Failure(
                .unreachable,
                "The session has ended here, but the provider could not revoke the tokens now.",
                SignOutResult.validity(until: end)
            )
        }
        throw Self.failure(failure.code == .unsupported ? nil : "did not revoke the tokens\(failure.shownCode)", end)
    }

    /// Returns the failure of a provider that revoked nothing.
    ///
    /// - Parameter reason: What it did; nil if it can't revoke.
    private static func failure(_ reason: String?, _ end: Date?) -> Failure {
        Failure(
            .failed,
            "The session has ended here, but the provider \(reason ?? "has no revocation endpoint").",
            "\(SignOutResult.validity(until: end)) To end it now, use the provider's account pages."
        )
    }
}
