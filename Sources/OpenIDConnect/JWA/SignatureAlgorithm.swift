// SPDX-License-Identifier: Apache-2.0

/// A signature algorithm that a provider may use: asymmetric algorithms only.
///
/// The type has no value for `none` or HMAC, so no list of algorithms can allow them.
/// [RFC 7518, 3.1](https://www.rfc-editor.org/rfc/rfc7518#section-3.1).
public struct SignatureAlgorithm: Sendable, Hashable, CustomStringConvertible {
    enum Hash: Sendable {
        case sha256
        case sha384
        case sha512
    }

    enum Family: Sendable, Hashable {
        /// RSASSA-PKCS1-v1_5.
        case pkcs1
        /// RSASSA-PSS.
        case pss
        /// ECDSA on the named curve.
        case ecdsa(curve: String)
        /// EdDSA with Ed25519.
        case edwards
    }

    /// The name on the wire.
    public let description: String
    let family: Family
    /// The hash that is signed, and the hash whose left half is `at_hash`.
    let hash: Hash

    /// RSASSA-PKCS1-v1_5 with SHA-256.
    public static let rs256 = SignatureAlgorithm(description: "RS256", family: .pkcs1, hash: .sha256)
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    public static let rs384 = SignatureAlgorithm(description: "RS384", family: .pkcs1, hash: .sha384)
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    public static let rs512 = SignatureAlgorithm(description: "RS512", family: .pkcs1, hash: .sha512)
    /// RSASSA-PSS with SHA-256.
    public static let ps256 = SignatureAlgorithm(description: "PS256", family: .pss, hash: .sha256)
    /// RSASSA-PSS with SHA-384.
    public static let ps384 = SignatureAlgorithm(description: "PS384", family: .pss, hash: .sha384)
    /// RSASSA-PSS with SHA-512.
    public static let ps512 = SignatureAlgorithm(description: "PS512", family: .pss, hash: .sha512)
    /// ECDSA on P-256 with SHA-256.
    public static let es256 = SignatureAlgorithm(description: "ES256", family: .ecdsa(curve: "P-256"), hash: .sha256)
    /// ECDSA on P-384 with SHA-384.
    public static let es384 = SignatureAlgorithm(description: "ES384", family: .ecdsa(curve: "P-384"), hash: .sha384)
    /// ECDSA on P-521 with SHA-512.
    public static let es512 = SignatureAlgorithm(description: "ES512", family: .ecdsa(curve: "P-521"), hash: .sha512)
    /// EdDSA with Ed25519 only.
    public static let edDSA = SignatureAlgorithm(description: "EdDSA", family: .edwards, hash: .sha512)

    /// The supported algorithms.
    public static let all: [SignatureAlgorithm] = [
        .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256, .es384, .es512, .edDSA,
    ]

    /// Creates the algorithm with an untrusted name, compared byte for byte; nil for any other name.
    public init?(_ name: String) {
        guard let known = Self.all.first(where: { $0.description.utf8.elementsEqual(name.utf8) }) else { return nil }
        self = known
    }

    private init(description: String, family: Family, hash: Hash) {
        self.description = description
        self.family = family
        self.hash = hash
    }

    /// The required `kty` of a key (RFC 7518, 6.1).
    var keyType: String {
        switch family {
        case .pkcs1, .pss: "RSA"
        case .ecdsa: "EC"
        case .edwards: "OKP"
        }
    }

    var curve: String? {
        switch family {
        case .pkcs1, .pss: nil
        case .ecdsa(let curve): curve
        case .edwards: "Ed25519"
        }
    }
}
