// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird

/// The routes of contract A: a session token that is exchanged for a new one.
struct SessionTokenRoutes: Sendable {
    let signIn: AppleSignIn
    let issuer: SessionTokenIssuer
    let bearer: BearerAuthenticator
    let profile: RequiredProfile

    /// The time after its expiry in which a token can still be exchanged.
    static let refreshableAfterExpiry: Duration = .seconds(7 * 86_400)

    private struct Answer: Encodable {
        let success = true
        var token: String?
        var user: UserBody?
    }

    /// Returns the response to a sign-in: a new session token and the user.
    static func response(
        for account: Account,
        _ issuer: SessionTokenIssuer,
        _ profile: RequiredProfile
    ) async throws -> Response {
        try JSONResponse.make(Answer(token: await issuer.token(for: account), user: profile.body(of: account)))
    }

    /// Adds the routes.
    func add(to router: Router<BackendContext>) {
        router.post("/api/auth/apple") { request, context in
            let account = try await signIn.account(for: request, from: context.network)
            return try await Self.response(for: account, issuer, profile)
        }
        router.post("/api/auth/validate") { request, _ in
            let claims = try bearer.sessionClaims(for: request)
            return try JSONResponse.make(Answer(user: profile.body(of: await bearer.account(claims))))
        }
        router.post("/api/auth/refresh") { request, _ in
            let claims = try bearer.sessionClaims(for: request, grace: Self.refreshableAfterExpiry)
            let account = try await bearer.account(claims)
            return try JSONResponse.make(Answer(token: await issuer.token(for: account, signedInAt: claims.signedInAt)))
        }
    }
}
