// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// The source of the credentials that an ``APIClient`` sends, so that the client depends on no session and no store.
///
/// Implementations are asked for every authenticated request, from any task. A cancelled caller gets
/// `CancellationError` at once; a refresh that others wait for goes on.
///
/// A source that wraps another one forwards all three requirements, and passes each ``AccessCredential`` on as it is.
/// Then neither the fast path nor a proof of possession is lost.
public protocol AccessTokenSource: Sendable {
    /// The credential to send now if it is at hand and fresh; nil if the client must call ``credential()``.
    ///
    /// Read first, for every request, and returned without waiting. Secret.
    var freshCredential: AccessCredential? { get }

    /// Returns a credential to send now: the current one, or a new one if it has expired.
    ///
    /// - Returns: The credential. Secret.
    /// - Throws: The source's own error if the user is not signed in or a refresh failed; `CancellationError`.
    func credential() async throws -> AccessCredential

    /// Returns a credential to send after the server refused one.
    ///
    /// If the rejected token is no longer the current one, the source returns the current credential without a refresh,
    /// because another request has refreshed already.
    ///
    /// - Parameter rejected: The token that the server rejected with a 401. Secret.
    /// - Returns: A credential with another token. Secret.
    /// - Throws: As ``credential()``.
    func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential
}

extension AccessTokenSource {
    /// Always nil: every request calls ``credential()``.
    public var freshCredential: AccessCredential? { nil }
}
