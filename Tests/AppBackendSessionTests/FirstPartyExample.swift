// SPDX-License-Identifier: Apache-2.0

#if Keyring && os(Linux)
import APIClient
import AppBackendSession
import AuthCore
import AuthSession
import SecureStore

/// The code of `Docs/FirstParty.md`, so that it compiles.
///
/// Change both together.
enum FirstPartyExample {
    private struct Delivery: Decodable {}

    private struct AppleRequest {
        var nonce: String?
    }

    static func signInAndCall(
        address: String,
        typed: String,
        device: DeviceInfo
    ) async throws {
        let url = try BaseURL("https://api.example.com")
        let store = try KeyringStore(service: "com.example.app")
        let session = AuthSession(backend: .firstParty(baseURL: url, contract: .tokenPair), store: store)

        await session.restore()
        if case .signedOut = session.state {
            try await session.signIn(email: address, password: Password(typed), device: device)
        }
        let api = APIClient(authenticatedBy: session)
        let jobs: [Delivery] = try await api.send(.get("/api/jobs"))
        _ = jobs
    }

    static func apple(session: AuthSession, text: String) async throws {
        var request = AppleRequest()
        let attempt = AppleSignInAttempt()
        request.nonce = attempt.hashedNonce
        try await session.signIn(with: AppleCredential(identityToken: try IDToken(text)), for: attempt)
        _ = request
    }
}
#endif
