import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a sign-in on another device came to nothing.
public struct DeviceAuthorizationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case notOffered
            case unreachable
            case refused
            case unreadable
            case unsafeAnswer
            case expired
            case cancelled
        }

        private let value: Value

        /// The provider has no such endpoint.
        public static let notOffered = Code(value: .notOffered)
        /// The provider can't be reached or failed; ``DeviceAuthorizationError/underlying`` says why.
        public static let unreachable = Code(value: .unreachable)
        /// The provider refused to begin; ``DeviceAuthorizationError/underlying`` is the ``TokenEndpointError``.
        public static let refused = Code(value: .refused)
        /// The answer lacks a member that it must have.
        public static let unreadable = Code(value: .unreadable)
        /// The answer has an address or a code that may not be shown.
        ///
        /// Refused as unsafe.
        public static let unsafeAnswer = Code(value: .unsafeAnswer)
        /// The person did not type the code in time.
        public static let expired = Code(value: .expired)
        /// The person said no, which is no failure.
        public static let cancelled = Code(value: .cancelled)

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

    /// The provider's own code, if it gave one.
    ///
    /// Wire: `error`.
    public var oauthCode: OAuthErrorCode? { (underlying as? TokenEndpointError)?.oauthCode }

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// One sentence.
    public var description: String {
        switch code {
        case .notOffered: "The provider offers no sign-in on another device."
        case .unreachable: underlying.map { "\($0)" } ?? "The provider can't be reached."
        case .refused: underlying.map { "\($0)" } ?? "The provider refused the sign-in."
        case .unreadable: "The provider's answer can't be read."
        case .unsafeAnswer: "The provider's answer has an address or a code that may not be shown."
        case .expired: "The code was not typed in time\(oauthCode.map { " (\($0))" } ?? "")."
        default: "The sign-in was cancelled\(oauthCode.map { " (\($0))" } ?? "")."
        }
    }
}

extension DeviceAuthorizationError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
