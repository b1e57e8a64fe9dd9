// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession
import OpenIDConnect
import OpenIDSession

/// The parts of a sign-in at a provider that were requested and not granted.
struct SessionShortfall: Sendable {
    /// What the lack of a refresh token means, and what helps, as the end of a sentence; nil if one came.
    let refreshAdvice: String?
    /// The scopes that were not granted, safe to show; nil if all were.
    let missingScope: String?

    init(_ session: any KeptSession) async {
        missingScope = await session.missingScope.flatMap { Terminal.shown($0.description) }
        guard let provider = session.anyProvider, await !session.canRefresh else {
            refreshAdvice = nil
            return
        }
        // RFC 6749, 5.1: expires_in is only recommended. An unknown end is an end.
        guard await session.accessTokenLifetime?.expiresAt != nil else {
            refreshAdvice =
                "the provider did not say how long the access token lasts; sign in again when it is refused"
            return
        }
        let isOffered = provider.metadata.scopesSupported?.contains("offline_access") ?? false
        let scope = isOffered ? ", with offline_access among the scopes" : ""
        refreshAdvice =
            "the session lasts as long as its access token; for a longer one, allow refresh tokens for this client at "
            + "the provider, and sign in again\(scope)"
    }

    /// The notes of a sign-in.
    var notes: [String] {
        [
            refreshAdvice.map { "The provider issued no refresh token; \($0)." },
            missingScope.map {
                "The provider did not grant \($0). Allow it for this client at the provider, and sign in again."
            },
        ].compactMap(\.self)
    }
}
