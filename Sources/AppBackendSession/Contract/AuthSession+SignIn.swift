// SPDX-License-Identifier: Apache-2.0

public import AuthCore
public import AuthSession

extension AuthSession {
    /// Signs in with an email address and a password.
    ///
    /// The store is read before the password is sent, so that a locked store does not waste a sign-in. The new session
    /// replaces an existing one, whose tokens are revoked. If the response comes after another sign-in or a sign-out,
    /// it is dropped and its tokens are revoked.
    ///
    /// - Parameters:
    ///   - password: The password. Secret; never stored.
    ///   - rememberMe: Whether the session is persisted. If false, it stays in memory and ends with the process.
    ///   - device: The description of the device for the backend.
    /// - Returns: The user, if the server named one.
    /// - Throws: `AuthSessionError` (`contractMismatch`, `storeUnavailable`, `signInRefused`, `unreachable`,
    ///   `invalidResponse`, `superseded`); `CancellationError`.
    ///
    /// Wire: `POST /api/v1/auth/login`.
    @discardableResult
    public func signIn(
        email: String,
        password: Password,
        rememberMe: Bool = true,
        device: DeviceInfo
    ) async throws -> SessionUser? {
        guard let authority = authority as? TokenPairAuthority else { throw AuthSessionError(.contractMismatch) }
        let ticket = try await signInTicket(remembering: rememberMe)
        return try await ticket.observing {
            let signedIn = try await signInResponse(for: ticket) {
                try await authority.signIn(email: email, password: password, rememberMe: rememberMe, device: device)
            }
            return try await complete(ticket, with: signedIn.issued, user: signedIn.user)
        }
    }

    /// Signs in with Apple's credential.
    ///
    /// The raw nonce is sent to the backend and discarded with the attempt, even if the sign-in fails.
    ///
    /// - Parameters:
    ///   - credential: The credential that Apple issued. Secret.
    ///   - attempt: The attempt whose hashed nonce Apple received.
    /// - Returns: The user, if the server named one.
    /// - Throws: `AuthSessionError` (`contractMismatch`, `storeUnavailable`, `signInRefused`, `unreachable`,
    ///   `invalidResponse`, `superseded`); `CancellationError`.
    ///
    /// Wire: `POST /api/auth/apple`.
    @discardableResult
    public func signIn(with credential: AppleCredential, for attempt: consuming AppleSignInAttempt) async throws
        -> SessionUser?
    {
        let nonce = attempt.nonce
        guard let authority = authority as? SessionTokenAuthority else { throw AuthSessionError(.contractMismatch) }
        let ticket = try await signInTicket()
        let appleUser = credential.userIdentifier
        return try await ticket.observing {
            let signedIn = try await signInResponse(for: ticket) {
                try await authority.signIn(with: credential, nonce: nonce)
            }
            return try await complete(ticket, with: signedIn.issued, user: signedIn.user, appleUser: appleUser)
        }
    }
}
