// SPDX-License-Identifier: Apache-2.0

/// The error of settings that a transport can't be created with.
public struct TransportSettingsError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case unreadableCertificates
            case unreadableClientCertificate
            case invalidProxy
        }

        private let value: Value

        /// The file of certificate authorities can't be read, or holds none in PEM.
        public static let unreadableCertificates = Code(value: .unreadableCertificates)
        /// The file of the client certificate or of its unencrypted key can't be read, or doesn't hold it in PEM.
        public static let unreadableClientCertificate = Code(value: .unreadableClientCertificate)
        /// The proxy's URL is invalid, or has an unknown scheme.
        public static let invalidProxy = Code(value: .invalidProxy)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// The kind of error.
    public let code: Code

    /// Creates an error, for transports and their test doubles.
    public init(_ code: Code) {
        self.code = code
    }

    /// A sentence that describes the error.
    public var description: String {
        switch code {
        case .unreadableCertificates: "The certificate authorities' file can't be read, or holds none in PEM."
        case .unreadableClientCertificate:
            "The file of the client certificate or of its unencrypted key can't be read, or isn't PEM."
        default: "The proxy's URL is invalid."
        }
    }
}
