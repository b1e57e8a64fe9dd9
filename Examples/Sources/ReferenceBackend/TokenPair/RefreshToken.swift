internal import Crypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A refresh token: a family, a place in it, and the proof that this server issued it.
///
/// `<family>.<counter>.<HMAC-SHA256 of both>`. The database keeps the family's counter and no token, so whoever reads
/// the database alone can't refresh with what is in it, and a token found in the wrong place still names its family.
struct RefreshToken: Sendable, Equatable {
    let family: String
    let counter: Int

    /// The longest token looked at, in bytes.
    static let longest = 256

    init(family: String, counter: Int) {
        self.family = family
        self.counter = counter
    }

    /// Reads a token this server issued, or `nil` where it has another form or a wrong proof.
    ///
    /// - Parameters:
    ///   - rawValue: What the client sent.
    ///   - key: The server's key for refresh tokens. Secret.
    init?(rawValue: String, key: SymmetricKey) {
        guard rawValue.utf8.count <= Self.longest else { return nil }
        let parts = rawValue.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let counter = Int(parts[1]), counter >= 0, String(counter) == parts[1],
            let proof = Data(base64URL: parts[2])
        else { return nil }
        self.init(family: String(parts[0]), counter: counter)
        // Compared in constant time by swift-crypto.
        guard HMAC<SHA256>.isValidAuthenticationCode(proof, authenticating: signedBytes, using: key) else { return nil }
    }

    /// The token as the client keeps it; the same bytes every time.
    func rawValue(key: SymmetricKey) -> String {
        let proof = HMAC<SHA256>.authenticationCode(for: signedBytes, using: key)
        return "\(family).\(counter).\(Data(proof).base64URL)"
    }

    private var signedBytes: Data { Data("refresh|\(family)|\(counter)".utf8) }
}
