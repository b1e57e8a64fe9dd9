// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import ResourceServer

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The clients that the stand-in knows.
struct StandInClients: Sendable {
    /// The Services IDs, which sign in as Apple requires.
    let servicesIDs: Set<String>
    /// The return URL of the Services IDs.
    let returnURL: String
    /// The apps that sign in with a loopback redirect, which Apple does not allow; usually empty.
    let nativeApps: Set<String>
    /// The team that the Services IDs belong to.
    private let team: Team?
    private let now: @Sendable () -> Date

    /// A team and its key.
    private struct Team: Sendable {
        let id: String
        let keyID: String
        let key: VerificationKey
    }

    /// Creates the clients of a backend.
    ///
    /// - Throws: ``BackendStartError`` (`invalidAppleSettings`).
    init(_ settings: BackendSettings) throws {
        let registration = settings.appleRegistration
        servicesIDs = Set(registration?.servicesIDs.values.map(\.self) ?? [])
        returnURL = registration?.returnURL ?? ""
        nativeApps = settings.appleStandInAcceptsLoopback ? Set(settings.clients.keys) : []
        team = try registration.map {
            Team(id: $0.teamID, keyID: $0.keyID, key: VerificationKey(try $0.checkedKey().publicKey))
        }
        now = settings.now
    }

    /// Returns whether a client secret is valid: signed by the team's key, for this client, for six months at most.
    ///
    /// - Parameters:
    ///   - secret: The secret. Untrusted.
    ///   - client: The Services ID.
    /// - Returns: False also if there is no such client.
    func accepts(_ secret: String, of client: String) -> Bool {
        guard let team, servicesIDs.contains(client), let jws = CompactJWS(secret), jws.header.kid == team.keyID,
            team.key.isValidSignature(of: jws),
            let claims = try? JSONDecoder().decode(AppleClientSecret.Claims.self, from: jws.payload)
        else { return false }
        let time = Int(now().timeIntervalSince1970)
        return claims.iss == team.id && claims.sub == client && claims.aud == AppleClientSecret.audience
            && claims.iat <= time + 60 && claims.exp > time
            && claims.exp <= time + AppleClientSecret.longestLifetime
    }
}
