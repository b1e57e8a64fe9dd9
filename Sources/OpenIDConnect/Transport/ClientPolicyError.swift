// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The error of a request that the client's policy forbids, or for which the client lacks its certificate.
///
/// The request was not sent. Contains no secret.
public struct ClientPolicyError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of violation.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String, CaseIterable {
            case noClientCertificate
            case clientAuthentication
            case assertionAudience
            case assertionAlgorithm
            case tokensNotBound
            case pushNotSupported
            case issuerNotRequired
            case insecureHTTP
            case insecureRedirectURI
            case metadataByHand
            case grantNotAllowed
        }

        private let value: Value

        /// The client authenticates with a TLS certificate, and its transport presents none.
        ///
        /// Thrown under every policy.
        public static let noClientCertificate = Code(value: .noClientCertificate)
        /// The client doesn't authenticate with a private key or a TLS certificate of its own.
        public static let clientAuthentication = Code(value: .clientAuthentication)
        /// The audience of the client's assertions is not the issuer.
        public static let assertionAudience = Code(value: .assertionAudience)
        /// The client's assertions are signed with an algorithm other than PS256, ES256 and EdDSA.
        public static let assertionAlgorithm = Code(value: .assertionAlgorithm)
        /// The tokens would be bound neither to a DPoP key nor to a TLS certificate.
        public static let tokensNotBound = Code(value: .tokensNotBound)
        /// The provider accepts no pushed authorization requests.
        public static let pushNotSupported = Code(value: .pushNotSupported)
        /// The authorization request was not made from the metadata of the provider value.
        ///
        /// Its response would be accepted without `iss`.
        public static let issuerNotRequired = Code(value: .issuerNotRequired)
        /// The issuer was created with `insecurelyAllowHTTP`.
        public static let insecureHTTP = Code(value: .insecureHTTP)
        /// The redirect URI is neither https, nor a loopback address, nor a private-use scheme with a period.
        public static let insecureRedirectURI = Code(value: .insecureRedirectURI)
        /// The endpoints were given by hand, and not read from the provider's metadata document.
        public static let metadataByHand = Code(value: .metadataByHand)
        /// The grant is not part of the profile, such as that of the device flow.
        public static let grantNotAllowed = Code(value: .grantNotAllowed)

        /// All codes.
        package static var allCases: [Code] { Value.allCases.map(Code.init) }

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// The kind of violation.
    public let code: Code

    /// Creates an error, for clients and their test doubles.
    ///
    /// - Parameter code: The kind of violation.
    public init(_ code: Code) {
        self.code = code
    }

    /// The clause that the request violates, such as `FAPI 2.0 Security Profile, 5.3.3.1, item 1`.
    public var clause: String {
        let fapi = "FAPI 2.0 Security Profile, "
        return switch code {
        case .noClientCertificate: "RFC 8705, 2"
        case .clientAuthentication: fapi + "5.3.3.1, item 2"
        case .assertionAudience: fapi + "5.3.3.1, item 5"
        case .assertionAlgorithm: fapi + "5.4.1, item 1"
        case .tokensNotBound: fapi + "5.3.3.1, item 1"
        case .pushNotSupported: fapi + "5.3.3.2, item 2"
        case .issuerNotRequired: fapi + "5.3.3.2, item 5"
        case .insecureHTTP: fapi + "5.2.1, item 1"
        case .insecureRedirectURI: fapi + "5.3.2.2, item 8"
        case .metadataByHand: fapi + "5.3.3.1, item 9"
        default: fapi + "5.3.3.2, item 1"
        }
    }

    private var reason: String {
        switch code {
        case .noClientCertificate: "The client authenticates with a certificate, and its transport presents none"
        case .clientAuthentication: "The client must authenticate with a private key or a TLS certificate of its own"
        case .assertionAudience: "The audience of the client's assertions must be the issuer"
        case .assertionAlgorithm: "The client's assertions must be signed with PS256, ES256 or EdDSA"
        case .tokensNotBound: "The tokens must be bound to a DPoP key or to a TLS certificate"
        case .pushNotSupported: "The authorization request must be pushed, and the provider has no endpoint for it"
        case .issuerNotRequired: "The authorization request must be made from the provider's own metadata"
        case .insecureHTTP: "The provider must be reached over https"
        case .insecureRedirectURI: "The redirect URI must be https, a loopback address or a private-use scheme"
        case .metadataByHand: "The provider's endpoints must come from its metadata document"
        default: "The grant is not part of the client's policy"
        }
    }

    /// The error in one sentence, which names the clause.
    public var description: String { "\(reason) (\(clause))." }
}

extension ClientPolicyError: LocalizedError {
    /// The same sentence as ``description``.
    public var errorDescription: String? { description }
}
