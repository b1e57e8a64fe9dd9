package import AuthCore
package import HTTPTypes

/// What goes beside an access token that is bound to a key, and is made anew for each request.
///
/// Wire: `DPoP`. [RFC 9449, 7](https://www.rfc-editor.org/rfc/rfc9449#section-7).
package struct ProofOfPossession: Sendable {
    /// Makes the field with the proof: for a method, an origin, a path without query, and the token.
    package let field: @Sendable (String, String, String, AccessToken) throws -> HTTPField
    /// Takes the nonce that an origin wants in the next proof out of its answer; whether it is another one.
    package let noteNonce: @Sendable (HTTPFields, String) -> Bool

    /// Makes one.
    ///
    /// - Parameters:
    ///   - field: Makes the field with the proof.
    ///   - noteNonce: Takes an origin's nonce out of its answer, and says whether it is another one.
    package init(
        field: @escaping @Sendable (String, String, String, AccessToken) throws -> HTTPField,
        noteNonce: @escaping @Sendable (HTTPFields, String) -> Bool
    ) {
        self.field = field
        self.noteNonce = noteNonce
    }
}

/// A source whose tokens may be bound to a key.
package protocol BoundTokenSource: AccessTokenSource {
    /// What goes beside the current token; nil where it is a bearer token.
    var proofOfPossession: ProofOfPossession? { get }
}
