#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a text is no address of a server.
///
/// Holds nothing of the text.
public struct BaseURLError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case malformed
            case unsupportedScheme
            case insecure
            case unexpectedPart
        }

        private let value: Value

        /// Not an absolute URL.
        public static let malformed = Code(value: .malformed)
        /// Neither https nor http.
        public static let unsupportedScheme = Code(value: .unsupportedScheme)
        /// Plain http to an address that is not loopback.
        public static let insecure = Code(value: .insecure)
        /// A user, password, query, fragment or dot segment, which a base address has not.
        public static let unexpectedPart = Code(value: .unexpectedPart)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What was wrong.
    public let code: Code

    package init(_ code: Code) {
        self.code = code
    }

    /// One sentence.
    public var description: String {
        switch code {
        case .unsupportedScheme: "A server's address begins with https://."
        case .insecure: "Plain http is only taken for a loopback address; use https."
        case .unexpectedPart: "A server's address has no user, query, fragment or dot segment."
        default: "This is not the address of a server."
        }
    }
}

extension BaseURLError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
