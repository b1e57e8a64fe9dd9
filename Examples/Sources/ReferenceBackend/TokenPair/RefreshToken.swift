// SPDX-License-Identifier: Apache-2.0

internal import Crypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A refresh token: a family, a position in it, and the proof that this server issued it.
///
/// `<family>.<counter>.<HMAC-SHA256 of both>`. The database stores the family's counter and no token, so its content
/// alone can't be used to refresh, and a leaked token still names its family.
struct RefreshToken: Sendable, Equatable {
    let family: String
    let counter: Int

    /// The maximum length of a token, in bytes.
    static let longest = 256

    init(family: String, counter: Int) {
        self.family = family
        self.counter = counter
    }

    /// Parses a token that this server issued, or returns nil if it is malformed or its proof is wrong.
    ///
    /// - Parameters:
    ///   - rawValue: The token from the client.
    ///   - key: The server's key for refresh tokens. Secret.
    init?(rawValue: String, key: SymmetricKey) {
        guard rawValue.utf8.count <= Self.longest else { return nil }
        let parts = rawValue.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let counter = Int(parts[1]), counter >= 0, String(counter) == parts[1],
            let proof = Data(base64URL: parts[2])
        else { return nil }
        self.init(family: String(parts[0]), counter: counter)
        // swift-crypto compares in constant time.
        guard HMAC<SHA256>.isValidAuthenticationCode(proof, authenticating: signedBytes, using: key) else { return nil }
    }

    /// Returns the token in the form for the client, always with the same bytes.
    func rawValue(key: SymmetricKey) -> String {
        let proof = HMAC<SHA256>.authenticationCode(for: signedBytes, using: key)
        return "\(family).\(counter).\(Data(proof).base64URL)"
    }

    private var signedBytes: Data { Data("refresh|\(family)|\(counter)".utf8) }
}
