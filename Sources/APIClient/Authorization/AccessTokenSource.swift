// SPDX-License-Identifier: Apache-2.0

public import AuthCore
package import HTTPTypes

/// The source of the credentials that an ``APIClient`` sends, so that the client depends on no session and no store.
///
/// Implementations are asked for every authenticated request, from any task. A cancelled caller gets
/// `CancellationError` at once; a refresh that others wait for goes on.
///
/// A source that wraps another one forwards all requirements, and passes each ``AccessCredential`` on as it is.
/// Otherwise the fast path, a proof of possession or the restriction to some servers is lost.
public protocol AccessTokenSource: Sendable {
    /// The credential to send now if it is at hand and fresh, without waiting; nil if ``credential()`` must be called.
    var freshCredential: AccessCredential? { get }

    /// The origins that the credentials may go to, each as ``BaseURL/origin``; nil if their user decides.
    ///
    /// For a session whose sign-in named its APIs, their origins. A request that would carry the credentials elsewhere
    /// fails with ``APIError`` (`originNotAllowed`).
    var allowedOrigins: Set<String>? { get }

    /// Returns a credential to send now: the current one, or a new one if it has expired.
    ///
    /// - Throws: The source's own error if the user is not signed in or a refresh failed; `CancellationError`.
    func credential() async throws -> AccessCredential

    /// Returns a credential to send after the server rejected one with a 401; throws as ``credential()``.
    ///
    /// If the rejected token is no longer the current one, the source returns the current credential without a refresh,
    /// because another request has refreshed already.
    func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential
}

extension AccessTokenSource {
    public var freshCredential: AccessCredential? { nil }
    public var allowedOrigins: Set<String>? { nil }

    /// Returns a source whose credentials may go to more servers than the ones that this source allows.
    ///
    /// For a session whose sign-in named its APIs by other URLs than those at which the app calls them, or whose token
    /// other servers accept, too. Name only servers that may have the token. A source that leaves the decision to its
    /// user stays as it is. Only the servers' origins count.
    public func allowing(_ servers: BaseURL...) -> some AccessTokenSource {
        ExtendedTokenSource(base: self, origins: Set(servers.map(\.origin)))
    }
}

/// An access token with what presents it: the `Authorization` field, and a proof of possession if it is bound to a key.
///
/// Wire: `Authorization: Bearer`. [RFC 6750, 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1).
/// `Authorization: DPoP`. [RFC 9449, 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1).
public struct AccessCredential: Sendable, Redacted {
    /// The access token; secret.
    public let accessToken: AccessToken
    /// The `Authorization` field, created once because each byte of its value is checked; secret.
    package let field: HTTPField
    /// The key that the token is bound to, and the factory of its proofs; nil for a bearer token.
    package let binding: (key: DPoPKey, proofs: DPoPProofFactory)?
    /// The origins that the token may go to, whatever its source says; nil if the source decides.
    package var allowedOrigins: Set<String>?

    /// Creates the credential of a bearer token; one that is bound to a key is not sent: ``APIError`` (`proofUnavailable`).
    public init(_ accessToken: AccessToken) {
        self.accessToken = accessToken
        field = HTTPField(name: .authorization, value: "Bearer \(accessToken.unredacted)")
        binding = nil
    }

    /// Creates the credential of a token that is bound to a key.
    package init(_ accessToken: AccessToken, key: DPoPKey, proofs: DPoPProofFactory) {
        self.accessToken = accessToken.bound
        field = HTTPField(name: .authorization, value: "DPoP \(accessToken.unredacted)")
        binding = (key, proofs)
    }
}

/// A source of another source's credentials, which may go to more servers.
private struct ExtendedTokenSource: AccessTokenSource {
    let base: any AccessTokenSource
    let origins: Set<String>

    var allowedOrigins: Set<String>? { base.allowedOrigins?.union(origins) }
    var freshCredential: AccessCredential? { base.freshCredential.map(extended) }

    func credential() async throws -> AccessCredential { extended(try await base.credential()) }

    func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential {
        extended(try await base.credential(insteadOf: rejected))
    }

    private func extended(_ credential: AccessCredential) -> AccessCredential {
        var credential = credential
        credential.allowedOrigins?.formUnion(origins)
        return credential
    }
}
