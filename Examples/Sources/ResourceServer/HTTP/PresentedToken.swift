// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird

/// The access token of a request, not yet verified.
struct PresentedToken: Sendable {
    let scheme: AuthenticationScheme
    /// The token.
    ///
    /// Secret.
    let text: String

    /// Reads the only `Authorization` field of a request.
    ///
    /// [RFC 6750, 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1).
    ///
    /// - Throws: ``AccessTokenError`` (`missingToken`, `invalidRequest`).
    init(_ request: Request) throws {
        let fields = request.headers[values: .authorization]
        guard let field = fields.first else { throw AccessTokenError(.missingToken) }
        guard fields.count == 1 else { throw AccessTokenError(.invalidRequest) }
        let parts = field.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard let name = parts.first, name.count <= 6, let scheme = AuthenticationScheme(name: Substring(name)) else {
            throw AccessTokenError(.missingToken)
        }
        let text = parts.dropFirst().first?.drop { $0 == UInt8(ascii: " ") }
        guard let text, !text.isEmpty else { throw AccessTokenError(.invalidRequest, scheme: scheme) }
        self.scheme = scheme
        self.text = String(Substring(text))
    }
}
