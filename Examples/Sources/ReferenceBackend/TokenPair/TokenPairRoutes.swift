// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import Hummingbird

/// The routes of contract B: an access token and a refresh token that rotates.
struct TokenPairRoutes: Sendable {
    let accounts: AccountStore
    let families: FamilyStore
    let issuer: TokenPairIssuer
    let passwords: PasswordChecker
    let limiter: SignInLimiter
    let bearer: BearerAuthenticator
    let profile: RequiredProfile

    private struct Login: Decodable {
        let email: String
        let password: String
        /// Whether the client keeps the session beyond its process; only its type is checked, as only the client uses
        /// it.
        let rememberMe: Bool
        let deviceInfo: DeviceInfo
    }

    private struct Refresh: Decodable {
        let refreshToken: String
    }

    /// Adds the routes.
    func add(to router: Router<BackendContext>) {
        router.post("/api/v1/auth/login") { request, context in
            try await login(request, from: context.network)
        }
        router.post("/api/v1/auth/refresh") { request, _ in try await refresh(request) }
        router.post("/api/v1/auth/logout") { request, _ in try await logout(request) }
    }

    private func login(_ request: Request, from network: ClientNetwork) async throws -> Response {
        try limiter.countAttempt(from: network)
        let body = try await JSONRequest.decode(Login.self, from: request)
        try JSONRequest.check(body.email, isBetween: 1, and: 320, member: "email")
        try JSONRequest.check(body.password, isBetween: 1, and: PasswordChecker.longestPassword, member: "password")
        try body.deviceInfo.validate()
        let email = AccountStore.normalized(body.email)
        try limiter.countAttempt(at: email, from: network)
        let known = try await accounts.passwordAccount(email: body.email)
        // Always does the same work, so that the duration doesn't reveal which addresses have an account.
        let matches = try await passwords.check(body.password, against: known?.hash)
        guard matches, let account = known?.account else { throw APIFailure.invalidCredentials }
        limiter.noteSignIn(to: email, from: network)
        let family = try await families.begin(account: account, device: body.deviceInfo)
        return try JSONResponse.make(await issuer.pair(for: family, user: profile.body(of: account)))
    }

    private func refresh(_ request: Request) async throws -> Response {
        let body = try await JSONRequest.decode(Refresh.self, from: request)
        guard let token = RefreshToken(rawValue: body.refreshToken, key: issuer.refreshKey) else {
            throw Self.invalidRefreshToken
        }
        return switch try await families.rotate(token) {
        case .issue(let family): try JSONResponse.make(await issuer.pair(for: family))
        case .reused: throw Self.reused
        case .ended: throw Self.ended
        case .expired: throw Self.expired
        case .unknown: throw Self.invalidRefreshToken
        }
    }

    /// Ends the session that both tokens belong to.
    ///
    /// A second sign-out is not an error.
    private func logout(_ request: Request) async throws -> Response {
        let claims = try await bearer.accessClaims(for: request, acceptsEndedFamily: true)
        let body = try await JSONRequest.decode(Refresh.self, from: request)
        guard let token = RefreshToken(rawValue: body.refreshToken, key: issuer.refreshKey), token.family == claims.fam
        else { throw Self.foreignRefreshToken }
        try await families.end(token.family)
        return Response(status: .noContent)
    }
}

extension TokenPairRoutes {
    private static let invalidRefreshToken = APIFailure(
        .unauthorized,
        "invalid_refresh_token",
        "The refresh token is not valid."
    )
    private static let reused = APIFailure(
        .unauthorized,
        "refresh_token_reused",
        "The refresh token was used before. Sign in again."
    )
    private static let ended = APIFailure(.unauthorized, "session_ended", "The session has ended. Sign in again.")
    private static let expired = APIFailure(
        .unauthorized,
        "refresh_token_expired",
        "The refresh token has expired. Sign in again."
    )
    private static let foreignRefreshToken = APIFailure(
        .forbidden,
        "refresh_token_mismatch",
        "The refresh token belongs to another session."
    )
}
