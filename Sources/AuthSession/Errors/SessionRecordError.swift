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
    public enum Code: String, Sendable, CustomStringConvertible {
        /// The record is not JSON, lacks a member, or holds an invalid value.
        case damaged
        /// A newer version of this package wrote the record.
        case unknownVersion
        /// The record belongs to a sign-in at another backend, whose tokens are not for this one.
        case otherBackend

        public var description: String { rawValue }
    }

    /// The kind of failure.
    public let code: Code

    /// Creates an error.
    public init(_ code: Code) { self.code = code }

    public var description: String {
        switch code {
        case .unknownVersion: "The stored session was written by a newer version and can't be read by this one."
        case .otherBackend: "The stored session belongs to another server."
        case .damaged: "The stored session is damaged and can't be read."
        }
    }
}

extension SessionRecordError: LocalizedError {
    public var errorDescription: String? { description }
}
