// SPDX-License-Identifier: Apache-2.0

public import Logging
public import SecureStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A kind of ``TokenAuthority`` that can issue a stored session.
public struct AuthorityKind: Sendable {
    let authority: @Sendable (AuthorityRecord) throws -> (any TokenAuthority)?
    let removeOverdueSignIns: @Sendable (any SecureStore, Date, Logger) async throws -> Void

    /// Creates a kind.
    ///
    /// - Parameters:
    ///   - authority: Creates the authority of a stored session. Returns nil if it is of another kind; throws
    ///     ``SessionRecordError`` (`damaged`) if it is of this kind and can't be read.
    ///   - removeOverdueSignIns: Removes pending sign-ins that can't be completed any more from a store.
    public init(
        _ authority: @escaping @Sendable (AuthorityRecord) throws -> (any TokenAuthority)?,
        removingOverdueSignIns removeOverdueSignIns:
            @escaping @Sendable (any SecureStore, Date, Logger) async throws -> Void = { _, _, _ in }
    ) {
        self.authority = authority
        self.removeOverdueSignIns = removeOverdueSignIns
    }
}

extension [AuthorityKind] {
    /// Returns the authority of a stored session; nil if no kind matches.
    ///
    /// - Throws: ``SessionRecordError`` (`damaged`).
    func authority(of record: AuthorityRecord) throws -> (any TokenAuthority)? {
        for kind in self {
            if let authority = try kind.authority(record) { return authority }
        }
        return nil
    }
}
