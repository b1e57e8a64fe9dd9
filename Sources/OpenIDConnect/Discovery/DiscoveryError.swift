// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error of fetching or reading a provider's metadata.
public struct DiscoveryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String, CaseIterable {
            case unreachable
            case malformedResponse
            case issuerMismatch
            case resourceMismatch
            case missingMember
            case invalidMember
        }

        private let value: Value

        /// No document was received; ``DiscoveryError/underlying`` or ``DiscoveryError/status`` is the cause.
        public static let unreachable = Code(value: .unreachable)
        /// The document is not a JSON object with an issuer.
        public static let malformedResponse = Code(value: .malformedResponse)
        /// The document names another issuer.
        ///
        /// Refused as unsafe.
        public static let issuerMismatch = Code(value: .issuerMismatch)
        /// The document is about another API than the requested one.
        ///
        /// Refused as unsafe. [RFC 9728, 3.3](https://www.rfc-editor.org/rfc/rfc9728#section-3.3).
        public static let resourceMismatch = Code(value: .resourceMismatch)
        /// The document lacks members; ``DiscoveryError/members`` names each.
        public static let missingMember = Code(value: .missingMember)
        /// A member has the wrong type, or is a URL that must not be used.
        ///
        /// ``DiscoveryError/members`` names it.
        public static let invalidMember = Code(value: .invalidMember)

        /// All codes.
        package static var allCases: [Code] { Value.allCases.map(Code.init) }

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// The kind of failure.
    public let code: Code
    /// The wire names of the missing or invalid members, if any.
    public let members: [String]
    /// The response's status, if a response without a success status came.
    public let status: Int?
    /// The underlying error, if any.
    public let underlying: (any Error)?

    /// Creates an error, for clients and their test doubles.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - members: The wire names of the missing or invalid members. Shown: must hold no secret.
    ///   - status: The response's status.
    ///   - underlying: The underlying error.
    public init(
        _ code: Code,
        members: [String] = [],
        status: Int? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.members = members
        self.status = status
        self.underlying = underlying
    }

    /// Returns whether both errors have the same code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    private var reason: String {
        if let status { return " (status \(status))" }
        // The underlying error's sentence, as the end of this one.
        guard let underlying else { return "" }
        let sentence = "\(underlying)"
        return ": " + sentence.prefix(1).lowercased() + sentence.dropFirst().prefix { $0 != "." }
    }

    /// The error in one sentence.
    public var description: String {
        switch code {
        case .unreachable: "The provider's discovery document can't be fetched\(reason)."
        case .malformedResponse: "The provider's discovery document can't be read."
        case .issuerMismatch: "The provider's discovery document names another issuer."
        case .resourceMismatch: "The API's metadata are about another API."
        case .missingMember: "The provider's discovery document lacks \(members.joined(separator: ", "))."
        default:
            "The provider's discovery document has an invalid member: \(members.joined(separator: ", "))."
        }
    }
}

extension DiscoveryError: LocalizedError {
    /// The same sentence as ``description``.
    public var errorDescription: String? { description }
}
