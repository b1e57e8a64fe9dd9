import AuthCore

/// Puts tokens together, also such as no server would issue.
enum CompactJWT {
    static let header = #"{"alg":"ES256"}"#

    static func make(header: String = header, payload: String = "{}", signature: String = "signature") -> String {
        [header, payload, signature].map { Base64URL.encode($0.utf8) }.joined(separator: ".")
    }

    /// A part for part token: nothing is encoded.
    static func join(_ parts: String...) -> String {
        parts.joined(separator: ".")
    }

    static func encode(_ text: String) -> String {
        Base64URL.encode(text.utf8)
    }
}
