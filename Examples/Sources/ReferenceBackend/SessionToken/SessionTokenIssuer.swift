#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Issues contract A's one long-lived token.
struct SessionTokenIssuer: Sendable {
    let signer: BearerTokenSigner
    let lifetime: Duration
    let now: @Sendable () -> Date
    let onIssue: (@Sendable (IssuedToken) -> Void)?

    /// A new token for an account; never the same twice.
    func token(for account: Account) async throws -> String {
        let issued = Int(now().timeIntervalSince1970)
        let token = try await signer.sign(
            BearerClaims(
                iss: BearerClaims.issuer,
                sub: account.id,
                aud: signer.audience.rawValue,
                iat: issued,
                exp: issued + lifetime.wholeSeconds,
                jti: Data(randomByteCount: 16).base64URL,
                role: account.role,
                fam: nil
            )
        )
        onIssue?(IssuedToken(.sessionToken, token))
        return token
    }
}
