package import AuthCore
package import HTTPTypes

/// An access token, and the field that it is sent in: made once, since each byte of its value is looked at.
///
/// Wire: `Authorization: Bearer`. [RFC 6750, 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1).
package struct BearerCredential: Sendable {
    /// Secret.
    package let token: AccessToken
    /// Secret.
    package let field: HTTPField

    /// Makes the field.
    ///
    /// - Parameter token: The access token. Secret.
    package init(_ token: AccessToken) {
        self.token = token
        field = HTTPField(name: .authorization, value: "Bearer \(token.unredacted)")
    }
}

extension BearerCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// No more than that.
    package var description: String { "BearerCredential(<redacted>)" }
    /// The same.
    package var debugDescription: String { description }
    /// Without children.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
