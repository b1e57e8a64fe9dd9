#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The reason that a text is not the credential that it is given as.
///
/// Names the credential and holds nothing of the text.
public struct TokenFormatError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case empty
            case tooLong
            case tooShort
            case invalidCharacter
        }

        private let value: Value

        /// The text is empty.
        public static let empty = Code(value: .empty)
        /// The text is longer than the type allows.
        public static let tooLong = Code(value: .tooLong)
        /// The text is shorter than the type demands.
        ///
        /// No public initializer throws it: code verifiers are the one case.
        public static let tooShort = Code(value: .tooShort)
        /// A character stands in it that the specification does not allow.
        public static let invalidCharacter = Code(value: .invalidCharacter)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What was wrong.
    public let code: Code
    /// The credential's name in a sentence, `client secret` for one.
    public let credential: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The reason.
    ///   - credential: The credential's name in a sentence.
    package init(_ code: Code, in credential: String) {
        self.code = code
        self.credential = credential
    }

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// One sentence that holds nothing of the text.
    public var description: String {
        switch code {
        case .empty: "The \(credential) is empty."
        case .tooLong: "The \(credential) is too long."
        case .tooShort: "The \(credential) is too short."
        default: "The \(credential) contains a character that is not allowed in it."
        }
    }
}

extension TokenFormatError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
