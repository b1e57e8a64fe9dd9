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
            case timedOut
            case invalidParameters
            case otherRedirect
            case noPendingRequest
            case pushFailed
            case noBrowser
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
        /// The user cancelled, or the provider answered `access_denied`: ``AuthorizationError/oauthCode`` tells which.
        public static let cancelled = Code(value: .cancelled)
        /// The provider refused; ``AuthorizationError/oauthCode`` is its code.
        public static let refused = Code(value: .refused)
        /// No loopback port could be listened on.
        public static let listenerFailed = Code(value: .listenerFailed)
        /// The person did not come back in time.
        public static let timedOut = Code(value: .timedOut)
        /// What the app asks for is none that may be asked: no `openid` in the scope, or a parameter of the protocol's.
        public static let invalidParameters = Code(value: .invalidParameters)
        /// The address is not the one that the request named, and none of its sign-in.
        public static let otherRedirect = Code(value: .otherRedirect)
        /// No sign-in waits for a response, or none any more.
        public static let noPendingRequest = Code(value: .noPendingRequest)
        /// No browser could be opened.
        public static let noBrowser = Code(value: .noBrowser)
        /// The request could not be put down at the provider; ``AuthorizationError/underlying`` says why.
        public static let pushFailed = Code(value: .pushFailed)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What happened.
    public let code: Code
    /// The provider's own code, where it gave one.
    ///
    /// Wire: `error`.
    public let oauthCode: OAuthErrorCode?
    /// The provider's own sentence, where it gave one: its word, bounded and cleaned.
    ///
    /// Wire: `error_description`.
    public let oauthDescription: String?
    /// The error underneath, where there is one.
    public let underlying: (any Error)?

    /// Makes an error.
    ///
    /// - Parameter code: What happened.
    package init(_ code: Code) {
        self.init(code, nil)
    }

    init(_ code: Code, _ refusal: OAuthRefusal?, underlying: (any Error)? = nil) {
        self.code = code
        oauthCode = refusal?.code
        oauthDescription = refusal?.message
        self.underlying = underlying
    }

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// One sentence.
    public var description: String {
        switch code {
        case .stateMismatch: "The browser came back without this sign-in's state, so its answer is not believed."
        case .issuerMismatch: "The browser came back with another provider's answer."
        case .cancelled: oauthCode.map { "The sign-in was cancelled (\($0))." } ?? "The sign-in was cancelled."
        case .refused: "The provider refused the sign-in (\(oauthCode?.rawValue ?? "no code given"))."
        case .listenerFailed: "No port on the loopback interface could be listened on."
        case .timedOut: "The browser did not come back in time."
        case .invalidParameters: "The sign-in asks for what may not be asked."
        case .otherRedirect: "This address belongs to no sign-in."
        case .noPendingRequest: "No sign-in waits for this answer, or it waited too long."
        case .noBrowser: "No browser could be opened."
        case .pushFailed: underlying.map { "\($0)" } ?? "The provider did not take the request."
        default: "The provider's answer can't be read."
        }
    }
}

extension AuthorizationError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
