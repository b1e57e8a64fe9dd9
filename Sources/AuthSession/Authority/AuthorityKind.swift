// SPDX-License-Identifier: Apache-2.0

/// A kind of ``TokenAuthority`` that can issue a stored session.
public struct AuthorityKind: Sendable {
    let authority: @Sendable (AuthorityRecord) throws -> (any TokenAuthority)?

    /// Creates a kind.
    ///
    /// - Parameter authority: Creates the authority of a stored session. Returns nil if it is of another kind; throws
    ///   ``SessionRecordError`` (`damaged`) if it is of this kind and can't be read.
    public init(_ authority: @escaping @Sendable (AuthorityRecord) throws -> (any TokenAuthority)?) {
        self.authority = authority
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
