// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// A builder of tokens, including tokens that no server would issue.
enum CompactJWT {
    static let header = #"{"alg":"ES256"}"#

    static func make(header: String = header, payload: String = "{}", signature: String = "signature") -> String {
        [header, payload, signature].map { Base64URL.encode($0.utf8) }.joined(separator: ".")
    }

    /// Joins parts to a token, without encoding them.
    static func join(_ parts: String...) -> String {
        parts.joined(separator: ".")
    }

    static func encode(_ text: String) -> String {
        Base64URL.encode(text.utf8)
    }
}
