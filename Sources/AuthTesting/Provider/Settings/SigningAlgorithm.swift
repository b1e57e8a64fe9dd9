// SPDX-License-Identifier: Apache-2.0

extension InProcessProvider {
    /// The signing algorithms of a provider.
    ///
    /// [RFC 7518, 3.1](https://www.rfc-editor.org/rfc/rfc7518#section-3.1),
    /// [RFC 8037, 3.1](https://www.rfc-editor.org/rfc/rfc8037#section-3.1).
    public enum SigningAlgorithm: String, Sendable, Hashable, CaseIterable {
        /// ECDSA with P-256 and SHA-256.
        case es256 = "ES256"
        /// ECDSA with P-384 and SHA-384.
        case es384 = "ES384"
        /// ECDSA with P-521 and SHA-512.
        case es512 = "ES512"
        /// RSASSA-PKCS1-v1_5 with SHA-256; its key takes long to create.
        case rs256 = "RS256"
        /// RSASSA-PSS with SHA-256; its key takes long to create.
        case ps256 = "PS256"
        /// Ed25519.
        case edDSA = "EdDSA"
    }
}
