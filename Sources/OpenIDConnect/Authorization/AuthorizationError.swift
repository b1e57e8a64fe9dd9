import APIClient

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why an authorization did not give a code.
public struct AuthorizationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case malformed
            case stateMismatch
            case issuerMismatch
            case cancelled
            case refused
            case listenerFailed
        }

        private let value: Value

        /// The response lacks a code, repeats a parameter or can't be read.
        ///
        /// Refused as unsafe.
        public static let malformed = Code(value: .malformed)
        /// The response belongs to another attempt.
        ///
        /// Refused as unsafe.
        public static let stateMismatch = Code(value: .stateMismatch)
        /// The response names another issuer.
        ///
        /// Refused as unsafe.
        public static let issuerMismatch = Code(value: .issuerMismatch)
        /// The person cancelled, which is no failure.
        public static let cancelled = Code(value: .cancelled)
        /// The provider refused; ``AuthorizationError/providerCode`` is its code.
        public static let refused = Code(value: .refused)
        /// No loopback port could be listened on.
        public static let listenerFailed = Code(value: .listenerFailed)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What happened.
    public let code: Code
    /// The provider's `error`, bounded and cleaned.
    public let providerCode: String?

    init(_ code: Code, providerCode: String? = nil) {
        self.code = code
        self.providerCode = providerCode.flatMap { DisplayText.clean($0, limit: 64) }
    }

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// One sentence.
    public var description: String {
        switch code {
        case .stateMismatch: "The browser came back with an answer to another sign-in."
        case .issuerMismatch: "The browser came back with another provider's answer."
        case .cancelled: "The sign-in was cancelled."
        case .refused: "The provider refused the sign-in (\(providerCode ?? "no code given"))."
        case .listenerFailed: "No port on the loopback interface could be listened on."
        default: "The provider's answer can't be read."
        }
    }
}

extension AuthorizationError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
