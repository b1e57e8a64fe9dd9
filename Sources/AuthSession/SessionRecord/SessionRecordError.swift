#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a stored session can't be read.
///
/// Holds nothing of it.
public struct SessionRecordError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case damaged
            case unknownVersion
            case otherBackend
        }

        private let value: Value

        /// The record is no JSON, lacks a member, or holds a value that is none.
        public static let damaged = Code(value: .damaged)
        /// A newer version of this package wrote it.
        public static let unknownVersion = Code(value: .unknownVersion)
        /// The record is of a sign-in at another backend, whose tokens are not for this one.
        public static let otherBackend = Code(value: .otherBackend)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What happened.
    public let code: Code

    /// Makes an error.
    ///
    /// - Parameter code: What happened.
    public init(_ code: Code) {
        self.code = code
    }

    /// One sentence.
    public var description: String {
        switch code {
        case .unknownVersion: "The stored session was written by a newer version and can't be read by this one."
        case .otherBackend: "The stored session is of a sign-in at another server."
        default: "The stored session is damaged and can't be read."
        }
    }
}

extension SessionRecordError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
