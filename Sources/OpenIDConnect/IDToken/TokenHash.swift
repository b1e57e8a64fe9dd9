// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The left half of a hash, base64url-encoded, by which an ID token refers to another value.
///
/// Wire: `at_hash`, `c_hash`.
/// [OpenID Connect Core 1.0, 3.1.3.6](https://openid.net/specs/openid-connect-core-1_0.html#CodeIDToken).
enum TokenHash {
    static func of(_ text: String, with algorithm: SignatureAlgorithm) -> String {
        let data = Data(text.utf8)
        let hash: [UInt8] =
            switch algorithm.hash {
            case .sha256: Array(SHA256.hash(data: data))
            case .sha384: Array(SHA384.hash(data: data))
            case .sha512: Array(SHA512.hash(data: data))
            }
        return Base64URL.encode(hash.prefix(hash.count / 2))
    }
}
