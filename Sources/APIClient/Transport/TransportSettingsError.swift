// SPDX-License-Identifier: Apache-2.0

/// The error of settings that a transport can't be created with.
public struct TransportSettingsError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case noCertificate
            case unreadableCertificates
            case invalidClientCertificate
            case invalidClientKey
            case clientKeyMismatch
            case unreadableClientCertificate
            case invalidProxy
            case unsupported
        }

        private let value: Value

        /// The text contains no certificate in PEM, or one that can't be read.
        public static let noCertificate = Code(value: .noCertificate)
        /// The file of certificates can't be read.
        public static let unreadableCertificates = Code(value: .unreadableCertificates)
        /// The client certificate is not a certificate chain in PEM, or not one for signatures.
        public static let invalidClientCertificate = Code(value: .invalidClientCertificate)
        /// The client certificate's key is not an unencrypted private key in PEM.
        public static let invalidClientKey = Code(value: .invalidClientKey)
        /// The private key is not the client certificate's.
        public static let clientKeyMismatch = Code(value: .clientKeyMismatch)
        /// The file of the client certificate or of its key can't be read.
        public static let unreadableClientCertificate = Code(value: .unreadableClientCertificate)
        /// The proxy's host, port or user name is invalid.
        public static let invalidProxy = Code(value: .invalidProxy)
        /// The platform's transport does not support these settings.
        public static let unsupported = Code(value: .unsupported)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// The kind of error.
    public let code: Code
    /// The system's error; nil if there is no other error.
    public let underlying: (any Error)?

    /// Creates an error, for transports and their test doubles.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - underlying: The system's error.
    public init(_ code: Code, underlying: (any Error)? = nil) {
        self.code = code
        self.underlying = underlying
    }

    /// Compares the codes.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// A sentence that describes the error.
    public var description: String {
        switch code {
        case .noCertificate: "The certificate authorities are not certificates in PEM format."
        case .unreadableCertificates: "The certificate authorities' file can't be read."
        case .invalidClientCertificate: "The client certificate is not a usable certificate chain in PEM format."
        case .invalidClientKey: "The client certificate's key is not an unencrypted private key in PEM format."
        case .clientKeyMismatch: "The private key does not belong to the client certificate."
        case .unreadableClientCertificate: "The file of the client certificate or of its key can't be read."
        case .invalidProxy: "The proxy's host, port or user name is invalid."
        default: "The platform's transport does not support these settings."
        }
    }
}
