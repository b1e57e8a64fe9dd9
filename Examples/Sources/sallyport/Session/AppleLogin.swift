import APIClient
import AuthCore
import AuthSession
import OpenIDConnect

/// Signs in with Apple's way in a browser: hashed nonce to the provider, raw nonce to the backend.
struct AppleLogin: Sendable {
    let issuer: String
    let clientID: String
    let redirectPort: Int
    let opensBrowser: Bool
    let timeout: Duration

    func signIn(to session: AuthSession) async throws -> User? {
        try await session.requireStore()
        let provider = try await ProviderMetadata.discover(issuer: try Issuer(issuer))
        let attempt = AppleSignInAttempt()
        let listener = try await LoopbackListener.start(port: redirectPort)
        let request = AuthorizationRequest(
            provider: provider,
            clientID: clientID,
            redirectURI: listener.redirectURI,
            scope: "openid name email",
            nonce: attempt.hashedNonce
        )
        let response = try await limited {
            try await listener.response(to: request) { url in
                if opensBrowser { Browser.open(url) } else { Browser.show(url) }
            }
        }
        let idToken = try await TokenEndpoint(of: provider).unverifiedIDToken(for: response, to: request)
        return try await session.signIn(with: AppleCredential(identityToken: idToken), for: attempt)
    }

    /// The work, or a failure once the person has had long enough.
    private func limited(
        _ work: @escaping @Sendable () async throws -> AuthorizationResponse
    ) async throws -> AuthorizationResponse {
        try await withThrowingTaskGroup(of: AuthorizationResponse.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: timeout)
                throw Failure(.failed, "The browser did not come back in time.", "Start the sign-in again.")
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}
