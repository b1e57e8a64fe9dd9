// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthSession
import BackendTestSupport
import ReferenceBackend
import SecureStore
import Testing
import UmuveBrands

extension DesktopStage {
    /// The session tokens that the backend has issued.
    var tokens: [String] { issued.all.filter { $0.kind == .sessionToken }.map(\.rawValue) }

    /// Whether the stand-in for Apple has issued an identity token.
    var hasIdentityToken: Bool { issued.all.contains { $0.kind == .identityToken } }

    /// Returns a session token of the backend, as an older version of an app got it.
    func token(for brand: Brand) async throws -> String {
        let standIn = try #require(backend.appleStandIn)
        let attempt = AppleSignInAttempt()
        let claims = standIn.claims(
            client: brand.bundleIdentifier,
            nonce: attempt.hashedNonce,
            email: Self.email
        )
        let identityToken = try IDToken(standIn.key.sign(claims))
        let backend = SessionBackend.firstParty(baseURL: try BaseURL(address), contract: .sessionToken)
        let session = AuthSession(backend: backend, store: MemoryStore())
        let credential = AppleCredential(identityToken: identityToken, name: Self.userName)
        try await session.signIn(with: credential, for: attempt)
        return try await session.accessToken().unredacted
    }
}
