// SPDX-License-Identifier: Apache-2.0

import SecureStore

/// The outcome of a measured operation, or the kind of its error.
///
/// A name from a closed set. It never holds text of a server, a user or an error.
struct MeasuredOutcome: Hashable, Sendable {
    static let success = MeasuredOutcome(name: "success")
    static let failed = MeasuredOutcome(name: "failed")
    static let cancelled = MeasuredOutcome(name: "cancelled")
    /// The app gave the operation up, and no error was recorded.
    static let abandoned = MeasuredOutcome(name: "abandoned")
    /// No refresh was sent: the tokens of another process were taken over, or the current ones are still accepted.
    static let adopted = MeasuredOutcome(name: "adopted")
    /// No error.
    static let noError = MeasuredOutcome(name: "none")

    static let acquired = MeasuredOutcome(name: "acquired")
    static let busy = MeasuredOutcome(name: "busy")
    static let unavailable = MeasuredOutcome(name: "unavailable")

    /// The package's other types of errors, which are recorded without their codes.
    private static let otherErrors: Set<String> = [
        "APIError", "AuthorizationError", "BaseURLError", "ClientAssertionError", "ClientPolicyError",
        "DeviceAuthorizationError", "DiscoveryError", "IDTokenError", "JWTDecodingError", "RegistrationError",
        "RevocationError", "SessionRecordError", "TokenEndpointError", "TokenFormatError", "TransportError",
        "UserInfoError",
    ]

    let name: String

    init(name: String) {
        self.name = name
    }

    /// Creates the kind of an error: its code, or its type, or `other`.
    init(_ error: any Error) {
        switch error {
        case is CancellationError: self = .cancelled
        case let error as AuthSessionError: self.init(name: error.code.description)
        case let error as SecureStoreError: self.init(name: error.code.description)
        default:
            let typeName = String(describing: type(of: error))
            self.init(name: Self.otherErrors.contains(typeName) ? typeName : "other")
        }
    }

    /// Creates the outcome of a refresh that was sent.
    init(_ outcome: RefreshOutcome) {
        switch outcome {
        case .refreshed: self.init(name: "refreshed")
        case .rotated: self.init(name: "rotated")
        case .mismatched: self.init(name: "mismatched")
        case .refused: self.init(name: "refused")
        case .unknown: self.init(name: "unknown")
        case .doubtful: self.init(name: "doubtful")
        case .failed: self = .failed
        }
    }
}
