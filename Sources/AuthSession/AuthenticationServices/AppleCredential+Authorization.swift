#if canImport(AuthenticationServices)
import AuthCore
public import AuthenticationServices
import Foundation

extension AppleCredential {
    /// Reads what Apple gave.
    ///
    /// - Parameter authorization: What the system's controller or button gave.
    /// - Throws: ``AuthSessionError`` (`unsafeAnswer` where it is no credential of an Apple account, or holds no identity
    ///   token).
    public init(_ authorization: ASAuthorization) throws {
        guard
            let credential = authorization.credential as? ASAuthorizationAppleIDCredential,
            let bytes = credential.identityToken,
            let text = String(bytes: bytes, encoding: .utf8),
            let identityToken = try? IDToken(text)
        else { throw AuthSessionError(.unsafeAnswer) }
        self.init(
            identityToken: identityToken,
            userIdentifier: credential.user,
            email: credential.email,
            name: credential.fullName.flatMap(\.written)
        )
    }

    /// Reads what a sign-in with Apple ended with.
    ///
    /// - Parameter result: What the system's controller or button gave.
    /// - Returns: The credential; `CancellationError` where the person cancelled, ``AuthSessionError`` (`unsafeAnswer`)
    ///   where Apple gave no identity token, else Apple's own error.
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
