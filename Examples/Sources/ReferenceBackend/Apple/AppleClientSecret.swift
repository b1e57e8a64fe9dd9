// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The backend's client secret at Apple: a token that it signs with the team's key.
///
/// Apple accepts one for at most six months. These live for an hour and are made anew before they end, so a key that is
/// replaced or revoked is never out of use for longer, and none is stored.
actor AppleClientSecret {
    /// The audience that Apple requires.
    static let audience = "https://appleid.apple.com"
    /// The longest lifetime that Apple accepts, in seconds: six months.
    static let longestLifetime = 15_777_000
    /// The lifetime, in seconds.
    static let lifetime = 3_600
    /// The time before its end at which a secret is made anew, in seconds: a clock may be wrong by some minutes.
    static let renewsBefore = 600

    /// The claims.
    struct Claims: Codable {
        let iss: String
        let iat: Int
        let exp: Int
        let aud: String
        let sub: String
    }

    private struct Secret {
        let text: String
        let expires: Int
    }

    private let teamID: String
    private let keyID: String
    private let key: SigningKey
    private let now: @Sendable () -> Date
    private let onIssue: (@Sendable (IssuedToken) async -> Void)?
    private var secrets: [String: Secret] = [:]

    init(
        _ registration: AppleRegistration,
        now: @escaping @Sendable () -> Date,
        onIssue: (@Sendable (IssuedToken) async -> Void)?
    ) throws {
        teamID = registration.teamID
        keyID = registration.keyID
        key = .p256(try registration.checkedKey())
        self.now = now
        self.onIssue = onIssue
    }

    /// Returns the secret of a client.
    ///
    /// - Parameter client: The Services ID.
    /// - Returns: The secret. Good for ten minutes at least.
    /// - Throws: `CryptoKitError` if signing fails.
    func text(for client: String) async throws -> String {
        let issued = Int(now().timeIntervalSince1970)
        if let known = secrets[client], (Self.renewsBefore...Self.lifetime).contains(known.expires - issued) {
            return known.text
        }
        let claims = Claims(iss: teamID, iat: issued, exp: issued + Self.lifetime, aud: Self.audience, sub: client)
        let text = try key.sign(claims, kid: keyID)
        secrets[client] = Secret(text: text, expires: claims.exp)
        await onIssue?(IssuedToken(.clientSecret, text))
        return text
    }
}
