// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession
import OpenIDConnect
import OpenIDSession

/// The parts of a sign-in at a provider that were requested and not granted.
struct SessionShortfall: Sendable {
    /// The advice to get a refresh token; nil if one came, or the access token has no known end.
    let refreshAdvice: String?
    /// The scopes that were not granted, safe to show; nil if all were.
    let missingScope: String?

    init(_ session: any KeptSession) async {
        missingScope = await session.missingScope.flatMap { Terminal.shown($0.description) }
        guard let provider = session.anyProvider, await !session.canRefresh,
            await session.accessTokenLifetime?.expiresAt != nil
        else {
            refreshAdvice = nil
            return
        }
        let isOffered = provider.metadata.scopesSupported?.contains("offline_access") ?? false
        let scope = isOffered ? ", with offline_access among the scopes" : ""
        refreshAdvice = "allow refresh tokens for this client at the provider, and sign in again\(scope)"
    }

    /// The notes of a sign-in.
    var notes: [String] {
        [
            refreshAdvice.map {
                "The provider issued no refresh token: the session lasts as long as its access token. For a longer one, \($0)."
            },
            missingScope.map {
                "The provider did not grant \($0). Allow it for this client at the provider, and sign in again."
            },
        ].compactMap(\.self)
    }
}
