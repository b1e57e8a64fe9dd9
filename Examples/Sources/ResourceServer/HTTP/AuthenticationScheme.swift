// SPDX-License-Identifier: Apache-2.0

/// The schemes with which a request presents an access token.
enum AuthenticationScheme: String, Sendable {
    /// [RFC 6750, 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1).
    case bearer = "Bearer"
    /// [RFC 9449, 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1).
    case dpop = "DPoP"

    init?(name: some StringProtocol) {
        switch name.lowercased() {
        case "bearer": self = .bearer
        case "dpop": self = .dpop
        default: return nil
        }
    }

    /// Returns a challenge.
    func challenge(_ parameters: [(name: String, value: String)]) -> String {
        var list = parameters.map { #"\#($0.name)="\#($0.value)""# }
        // RFC 9449, 7.1.
        if self == .dpop { list.append(#"algs="ES256""#) }
        return list.isEmpty ? rawValue : "\(rawValue) \(list.joined(separator: ", "))"
    }
}
