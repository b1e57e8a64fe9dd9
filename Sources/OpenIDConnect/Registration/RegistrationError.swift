import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a provider did not take an app as a client.
public struct RegistrationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case notOffered
            case unreachable
            case refused
            case unreadable
        }

        private let value: Value

        /// The provider has no such endpoint.
        public static let notOffered = Code(value: .notOffered)
        /// The provider can't be reached or failed.
        public static let unreachable = Code(value: .unreachable)
        /// The provider refused; ``RegistrationError/underlying`` is the ``TokenEndpointError``.
        public static let refused = Code(value: .refused)
        /// The answer has no client ID, or asks for an authentication that is not known here.
        public static let unreadable = Code(value: .unreadable)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What happened.
    public let code: Code
    /// The error underneath, where there is one.
    public let underlying: (any Error)?

    init(_ code: Code, underlying: (any Error)? = nil) {
        self.code = code
        self.underlying = underlying
    }

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// One sentence.
    public var description: String {
        switch code {
        case .notOffered: "The provider lets no app register by itself."
        case .unreachable, .refused: underlying.map { "\($0)" } ?? "The provider did not register the app."
        default: "The provider's answer to the registration can't be read."
        }
    }
}

extension RegistrationError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
