// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession
import FoundationEssentials

extension AuthSession {
    /// The note about a token that only a program with the session's key can use.
    static let boundTokenNote =
        "This token is bound to the session's key. Only this command can use it: sallyport api"

    /// Returns the access token for a program that presents it by itself, and its expiry, if that is known.
    ///
    /// - Parameters:
    ///   - client: The program, for the message of a failure.
    ///   - advice: The advice if the token is bound to the session's key.
    /// - Returns: The token, secret, and its expiry.
    /// - Throws: ``Failure`` if it is bound; the errors of `accessToken()`.
    func bearerToken(
        for client: String,
        orAdvise advice: String
    ) async throws -> (token: AccessToken, expiresAt: Date?) {
        guard !isSenderConstrained else {
            let sentence = "The access token is bound to the session's key (DPoP), so \(client) can't use it."
            throw Failure(.failed, sentence, advice)
        }
        let token = try await accessToken()
        let expiresAt = accessTokenLifetime?.expiresAt
        // A refresh in the background may have replaced the token before its expiry was read.
        return (token, try await accessToken() == token ? expiresAt : nil)
    }
}
