/// Why a transport can't be made with its settings.
public struct TransportSettingsError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case noCertificate
            case unreadableCertificates
            case invalidProxy
            case unsupported
        }

        private let value: Value

        /// What should be certificates in PEM has none, or one that can't be read.
        public static let noCertificate = Code(value: .noCertificate)
        /// The file of certificates can't be read.
        public static let unreadableCertificates = Code(value: .unreadableCertificates)
        /// The proxy's host, port or user name is none.
        public static let invalidProxy = Code(value: .invalidProxy)
        /// The platform's transport has no such setting.
        public static let unsupported = Code(value: .unsupported)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What is wrong.
    public let code: Code
    /// What the system said, where it said anything.
    public let underlying: (any Error)?

    package init(_ code: Code, underlying: (any Error)? = nil) {
        self.code = code
        self.underlying = underlying
    }

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// One sentence.
    public var description: String {
        switch code {
        case .noCertificate: "The certificate authorities are not certificates in PEM."
        case .unreadableCertificates: "The file of certificate authorities can't be read."
        case .invalidProxy: "The proxy's host, port or user name is not one."
        default: "The platform's transport does not support these settings."
        }
    }
}
