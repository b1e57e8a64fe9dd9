// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The check of a request's Bearer token, which finds the account.
///
/// [RFC 6750, 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1).
struct BearerAuthenticator: Sendable {
    let sessionSigner: BearerTokenSigner
    let accessSigner: BearerTokenSigner
    let accounts: AccountStore
    let families: FamilyStore
    let refuseEarly: Duration
    let longestSession: Duration?
    let now: @Sendable () -> Date

    /// Returns the account of a valid token of either contract.
    func account(for request: Request) async throws -> Account {
        try await account(claims(for: request))
    }

    /// Returns the claims of a valid token of either contract.
    func claims(for request: Request) async throws -> BearerClaims {
        let token = try Self.token(of: request)
        guard let claims = sessionSigner.claims(of: token) else { return try await accessClaims(for: request) }
        try checkTime(claims)
        try checkAge(claims)
        return claims
    }

    /// Returns contract A's claims; the token may have expired up to `grace` ago.
    func sessionClaims(for request: Request, grace: Duration? = nil) throws -> BearerClaims {
        guard let claims = sessionSigner.claims(of: try Self.token(of: request)) else {
            throw APIFailure.invalidToken
        }
        try checkTime(claims, grace: grace)
        try checkAge(claims)
        return claims
    }

    /// Returns contract B's claims.
    ///
    /// - Parameters:
    ///   - request: The request with the token.
    ///   - acceptsEndedFamily: Whether an ended session is accepted. Only a sign-out may do that.
    /// - Returns: The claims, with a family.
    /// - Throws: ``APIFailure`` (`missing_token`, `invalid_token`, `token_expired`, `session_ended`).
    func accessClaims(for request: Request, acceptsEndedFamily: Bool = false) async throws -> BearerClaims {
        guard let claims = accessSigner.claims(of: try Self.token(of: request)), let family = claims.fam else {
            throw APIFailure.invalidToken
        }
        try checkTime(claims)
        if !acceptsEndedFamily, try await !families.isAlive(family) { throw APIFailure.sessionEnded }
        return claims
    }

    /// Returns the account that the claims name.
    func account(_ claims: BearerClaims) async throws -> Account {
        guard let account = try await accounts.account(id: claims.sub) else { throw APIFailure.invalidToken }
        return account
    }

    private func checkTime(_ claims: BearerClaims, grace: Duration? = nil) throws {
        // Applied only if the token is used, not if it is exchanged for a new one.
        let margin = grace ?? .zero - refuseEarly
        guard now().timeIntervalSince1970 < Double(claims.exp) + margin.timeInterval else {
            throw APIFailure.tokenExpired
        }
    }

    /// Refuses a session of contract A that is too old to continue without a sign-in, however often it was renewed.
    private func checkAge(_ claims: BearerClaims) throws {
        guard let longestSession else { return }
        guard now().timeIntervalSince1970 < Double(claims.signedInAt) + longestSession.timeInterval else {
            throw APIFailure.sessionEnded
        }
    }

    private static func token(of request: Request) throws -> String {
        guard let field = request.headers[.authorization] else { throw APIFailure.missingToken }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.first?.lowercased() == "bearer" else { throw APIFailure.missingToken }
        guard parts.count == 2 else { throw APIFailure.invalidToken }
        return parts[1].trimmed
    }
}
