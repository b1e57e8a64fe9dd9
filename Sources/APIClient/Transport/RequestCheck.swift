// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The check of a request before any of it is sent.
///
/// HTTP clients repair or drop invalid parts, or name them in an error: all three are wrong for a credential.
struct RequestCheck: Sendable {
    /// The URL that the request's parts make.
    let url: String

    /// Checks a request.
    ///
    /// - Throws: ``TransportError`` (`invalidRequest`).
    init(_ request: TransportRequest) throws {
        let head = request.head
        guard let scheme = head.scheme, scheme == "http" || scheme == "https",
            let authority = head.authority, Self.isAuthority(authority),
            let path = head.path, Self.isTarget(path),
            head.headerFields.allSatisfy(Self.isAllowed)
        else { throw TransportError(.invalidRequest, mayHaveReachedServer: false) }
        url = "\(scheme)://\(authority)\(path)"
    }

    /// Whether a text is host and port: no user information, no character that ends an authority, no blank.
    ///
    /// [RFC 9110, 4.2.4](https://www.rfc-editor.org/rfc/rfc9110#section-4.2.4).
    private static func isAuthority(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { isVisible($0) && !"@/?#\\%".utf8.contains($0) }
    }

    /// Whether a text is path and query, escaped already.
    ///
    /// [RFC 9112, 3.2.1](https://www.rfc-editor.org/rfc/rfc9112#section-3.2.1).
    private static func isTarget(_ text: String) -> Bool {
        text.utf8.first == UInt8(ascii: "/") && text.utf8.allSatisfy { isVisible($0) && $0 != UInt8(ascii: "#") }
    }

    /// The fields for framing and routing, which only the client may write.
    ///
    /// Two framing fields that disagree let one server read as a request what another read as a body. A caller's `Host`
    /// would send a credential to another site than the one it was checked for.
    /// [RFC 9112, 11.2](https://www.rfc-editor.org/rfc/rfc9112#section-11.2) and
    /// [3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2).
    private static let reservedNames: Set<String> = [
        "connection", "content-length", "host", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    private static func isAllowed(_ field: HTTPField) -> Bool {
        guard field.value.utf8.allSatisfy(isAllowedInValue) else { return false }
        return !reservedNames.contains(field.name.canonicalName)
    }

    private static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    /// Whether a byte may appear in a field's value: no control character but the tab.
    ///
    /// [RFC 9110, 5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5).
    private static func isAllowedInValue(_ byte: UInt8) -> Bool { byte == 0x09 || (byte >= 0x20 && byte != 0x7F) }
}
