// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The header of a token, read before any key is used.
///
/// [RFC 7515, 4](https://www.rfc-editor.org/rfc/rfc7515#section-4).
struct JOSEHeader: Decodable, Sendable {
    let alg: String
    let kid: String?
    let crit: [String]?

    /// The maximum length of a token, in bytes.
    static let longestToken = 16_384

    /// Decodes the header of a compact JWS, or returns nil if the token isn't three parts of strict base64url.
    init?(token: String) {
        guard token.utf8.count <= Self.longestToken else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ Data(base64URL: $0) != nil }), let bytes = Data(base64URL: parts[0]),
            let header = try? JSONDecoder().decode(Self.self, from: bytes)
        else { return nil }
        self = header
    }
}
