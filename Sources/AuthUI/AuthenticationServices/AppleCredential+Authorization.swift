// SPDX-License-Identifier: Apache-2.0

#if canImport(AuthenticationServices)
public import AppBackendSession
import AuthCore
import AuthSession
public import AuthenticationServices
import Foundation

extension AppleCredential {
    /// Creates a credential from the result of a sign-in with Apple.
    ///
    /// - Throws: `AuthSessionError` (`invalidResponse` if it isn't a credential of an Apple account, or contains no
    ///   identity token).
    public init(_ authorization: ASAuthorization) throws {
        guard
            let credential = authorization.credential as? ASAuthorizationAppleIDCredential,
            let bytes = credential.identityToken,
            let text = String(bytes: bytes, encoding: .utf8),
            let identityToken = try? IDToken(text)
        else { throw AuthSessionError(.invalidResponse) }
        self.init(
            identityToken: identityToken,
            userIdentifier: credential.user,
            email: credential.email,
            name: credential.fullName.flatMap(\.written)
        )
    }

    /// Converts the result of the system's controller or button.
    ///
    /// Returns the credential; `CancellationError` if the user cancelled; `AuthSessionError` (`invalidResponse`) if there
    /// is no identity token; otherwise Apple's error.
    public static func result(of result: Result<ASAuthorization, any Error>) -> Result<AppleCredential, any Error> {
        switch result {
        case .success(let authorization):
            Result { try AppleCredential(authorization) }
        case .failure(let error as ASAuthorizationError) where error.code == .canceled:
            .failure(CancellationError())
        case .failure(let error):
            .failure(error)
        }
    }
}
#endif
