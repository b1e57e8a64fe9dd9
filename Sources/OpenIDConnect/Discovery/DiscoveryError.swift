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
        /// The document lacks members; ``DiscoveryError/members`` names each.
        public static let missingMember = Code(value: .missingMember)
        /// A member is of another type than it must be, or no address that may be used.
        ///
        /// ``DiscoveryError/members`` names it.
        public static let invalidMember = Code(value: .invalidMember)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What happened.
    public let code: Code
    /// The wire names of the members to blame, where any are.
    public let members: [String]
    /// The answer's status, where one came that is no success.
    public let status: Int?
    /// The error underneath, where there is one.
    public let underlying: (any Error)?

    init(_ code: Code, members: [String] = [], status: Int? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.members = members
        self.status = status
        self.underlying = underlying
    }

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    private var reason: String {
        if let status { return " (status \(status))" }
        // In its own words, as the end of this sentence: the server's name has no address, say.
        guard let underlying else { return "" }
        let sentence = "\(underlying)"
        return ": " + sentence.prefix(1).lowercased() + sentence.dropFirst().prefix { $0 != "." }
    }

    /// One sentence.
    public var description: String {
        switch code {
        case .unreachable: "The provider's discovery document can't be had\(reason)."
        case .unreadable: "The provider's discovery document can't be read."
        case .issuerMismatch: "The provider's discovery document names another issuer."
        case .missingMember: "The provider's discovery document lacks \(members.joined(separator: ", "))."
        default:
            "The provider's discovery document has a member that can't be used: \(members.joined(separator: ", "))."
        }
    }
}

extension DiscoveryError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
