// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The reason for which a text is not a valid credential.
///
/// The error names the credential and contains nothing of the text.
public struct TokenFormatError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of error.
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
        /// For stored code verifiers and states, which no app creates from text.
        package static let tooShort = Code(value: .tooShort)
        /// The text contains a character that the specification does not allow.
        public static let invalidCharacter = Code(value: .invalidCharacter)

        public var description: String { value.rawValue }
    }

    /// The kind of error.
    public let code: Code
    /// The credential's name within a sentence, such as `client secret`.
    public let credential: String

    /// Creates an error.
    package init(_ code: Code, in credential: String) {
        self.code = code
        self.credential = credential
    }

    /// Compares the codes only.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// A sentence that contains nothing of the text.
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
    public var errorDescription: String? { description }
}
