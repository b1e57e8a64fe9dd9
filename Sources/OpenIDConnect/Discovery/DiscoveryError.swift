#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a provider's metadata could not be had.
public struct DiscoveryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case unreachable
            case unreadable
            case issuerMismatch
            case missingMember
            case invalidMember
        }

        private let value: Value

        /// No document was answered; ``DiscoveryError/underlying`` says why.
        public static let unreachable = Code(value: .unreachable)
        /// The document is no JSON object with an issuer.
        public static let unreadable = Code(value: .unreadable)
        /// The document names another issuer.
        ///
        /// Refused as unsafe.
        public static let issuerMismatch = Code(value: .issuerMismatch)
        /// The document lacks a member; ``DiscoveryError/member`` names it.
        public static let missingMember = Code(value: .missingMember)
        /// A member is no address that may be used; ``DiscoveryError/member`` names it.
        public static let invalidMember = Code(value: .invalidMember)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What happened.
    public let code: Code
    /// The wire name of the member to blame, where one is.
    public let member: String?
    /// The error underneath, where there is one.
    public let underlying: (any Error)?

    init(_ code: Code, member: String? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.member = member
        self.underlying = underlying
    }

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// One sentence.
    public var description: String {
        switch code {
        case .unreachable: "The provider's discovery document can't be had."
        case .unreadable: "The provider's discovery document can't be read."
        case .issuerMismatch: "The provider's discovery document names another issuer."
        case .missingMember: "The provider's discovery document lacks \(member ?? "a member")."
        default: "The provider's discovery document has an address that may not be used: \(member ?? "unknown")."
        }
    }
}

extension DiscoveryError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
