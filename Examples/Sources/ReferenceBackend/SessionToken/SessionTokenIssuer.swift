// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The issuer of contract A's long-lived token.
struct SessionTokenIssuer: Sendable {
    let signer: BearerTokenSigner
    let lifetime: Duration
    let longestSession: Duration?
    let now: @Sendable () -> Date
    let onIssue: (@Sendable (IssuedToken) async -> Void)?

    /// Issues a new token for an account, different each time.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - signedInAt: The `auth_time` of the token to renew, or nil for a sign-in.
    /// - Returns: The token, which expires at the session's maximum age, if any, at the latest.
    /// - Throws: `CryptoKitError` if the token can't be signed.
    func token(for account: Account, signedInAt: Int? = nil) async throws -> String {
        let issued = Int(now().timeIntervalSince1970)
        let signedInAt = signedInAt ?? issued
        let sessionEnd = longestSession.map { signedInAt + $0.wholeSeconds } ?? .max
        let token = try signer.sign(
            BearerClaims(
                iss: BearerClaims.issuer,
                sub: account.id,
                aud: signer.audience.rawValue,
                iat: issued,
                exp: min(issued + lifetime.wholeSeconds, sessionEnd),
                jti: Data(randomByteCount: 16).base64URL,
                role: account.role,
                fam: nil,
                authTime: signedInAt
            )
        )
        await onIssue?(IssuedToken(.sessionToken, token))
        return token
    }
}
