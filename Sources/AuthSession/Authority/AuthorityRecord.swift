// SPDX-License-Identifier: Apache-2.0

public import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The part of a stored session that names the ``TokenAuthority`` of its tokens.
public struct AuthorityRecord: Sendable, Hashable, Codable, Redacted {
    /// The authority.
    public let id: AuthorityID
    /// The APIs that the app's configuration named at the sign-in; empty if it named none.
    public let resources: [String]
    /// The authority's ``TokenAuthority/details``.
    ///
    /// Untrusted, because they are read from the store. May be secret.
    public let details: Data?

    init(_ authority: any TokenAuthority) {
        (id, resources, details) = (authority.id, authority.resources, authority.details)
    }

    package init(id: AuthorityID, resources: [String] = [], details: Data? = nil) {
        (self.id, self.resources, self.details) = (id, resources, details)
    }
}
