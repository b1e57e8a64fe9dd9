internal import Hummingbird

/// The routes of contract A: a session token that is exchanged for a new one.
struct SessionTokenRoutes: Sendable {
    let signIn: AppleSignIn
    let issuer: SessionTokenIssuer
    let bearer: BearerAuthenticator

    /// The time after its expiry in which a token can still be exchanged.
    static let refreshableAfterExpiry: Duration = .seconds(7 * 86_400)

    private struct Answer: Encodable {
        let success = true
        var token: String?
        var user: UserBody?
    }

    /// Adds the routes.
    func add(to router: Router<BackendContext>) {
        router.post("/api/auth/apple") { request, context in
            let account = try await signIn.account(for: request, from: context.network)
            let token = try await issuer.token(for: account)
            return try JSONResponse.make(Answer(token: token, user: UserBody(account)))
        }
        router.post("/api/auth/validate") { request, _ in
            let claims = try await bearer.sessionClaims(for: request)
            return try JSONResponse.make(Answer(user: UserBody(await bearer.account(claims))))
        }
        router.post("/api/auth/refresh") { request, _ in
            let claims = try await bearer.sessionClaims(for: request, grace: Self.refreshableAfterExpiry)
            let account = try await bearer.account(claims)
            return try JSONResponse.make(Answer(token: await issuer.token(for: account, signedInAt: claims.signedInAt)))
        }
    }
}
