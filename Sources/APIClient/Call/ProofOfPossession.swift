package import AuthCore
package import HTTPTypes

/// What goes beside an access token that is bound to a key, and is made anew for each request.
///
/// Wire: `DPoP`. [RFC 9449, 7](https://www.rfc-editor.org/rfc/rfc9449#section-7).
package struct ProofOfPossession: Sendable {
    /// Makes the field with the proof: for a method, an origin, a path without query, and the token.
    package let field: @Sendable (String, String, String, AccessToken) throws -> HTTPField
    /// Takes the nonce that an origin wants in the next proof out of its answer; nil where it gives none.
    package let noteNonce: @Sendable (HTTPFields, String) -> String?
    /// The nonce that a proof for an origin would carry now.
    package let nonce: @Sendable (String) -> String?

    /// Makes one.
    ///
    /// - Parameters:
    ///   - field: Makes the field with the proof.
    ///   - noteNonce: Takes an origin's nonce out of its answer.
    ///   - nonce: The nonce that a proof for an origin would carry now.
    package init(
        field: @escaping @Sendable (String, String, String, AccessToken) throws -> HTTPField,
        noteNonce: @escaping @Sendable (HTTPFields, String) -> String?,
        nonce: @escaping @Sendable (String) -> String?
    ) {
        self.field = field
        self.noteNonce = noteNonce
        self.nonce = nonce
    }
}

/// A source whose tokens may be bound to a key.
package protocol BoundTokenSource: AccessTokenSource {
    /// What goes beside the current token; nil where it is a bearer token.
    var proofOfPossession: ProofOfPossession? { get }
}
