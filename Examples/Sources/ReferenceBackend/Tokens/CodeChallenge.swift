// SPDX-License-Identifier: Apache-2.0

internal import Crypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A code challenge with the method S256.
///
/// [RFC 7636, 4.6](https://www.rfc-editor.org/rfc/rfc7636#section-4.6).
enum CodeChallenge {
    /// Returns whether a verifier matches a challenge; compares in constant time.
    static func verifier(_ verifier: String, fits challenge: String) -> Bool {
        guard (43...128).contains(verifier.utf8.count) else { return false }
        return ConstantTime.equal(Data(SHA256.hash(data: Data(verifier.utf8))).base64URL, challenge)
    }
}
