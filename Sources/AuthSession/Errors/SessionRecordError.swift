// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The reason that a stored session can't be read.
///
/// Holds no part of the session.
public struct SessionRecordError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String, CaseIterable {
            case damaged
            case unknownVersion
            case otherBackend
        }

        private let value: Value

        /// The record is not JSON, lacks a member, or holds an invalid value.
        public static let damaged = Code(value: .damaged)
        /// A newer version of this package wrote the record.
        public static let unknownVersion = Code(value: .unknownVersion)
        /// The record belongs to a sign-in at another backend, whose tokens are not for this one.
        public static let otherBackend = Code(value: .otherBackend)

        /// All codes.
        package static var allCases: [Code] { Value.allCases.map(Code.init) }

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// The kind of failure.
    public let code: Code

    /// Creates an error.
    ///
    /// - Parameter code: The kind of failure.
    public init(_ code: Code) {
        self.code = code
    }

    /// One sentence that describes the failure.
    public var description: String {
        switch code {
        case .unknownVersion: "The stored session was written by a newer version and can't be read by this one."
        case .otherBackend: "The stored session belongs to another server."
        default: "The stored session is damaged and can't be read."
        }
    }
}

extension SessionRecordError: LocalizedError {
    /// The description, for code that shows `localizedDescription`.
    public var errorDescription: String? { description }
}
