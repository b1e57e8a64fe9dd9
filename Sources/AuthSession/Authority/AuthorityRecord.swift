// SPDX-License-Identifier: Apache-2.0

public import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a sign-in stores of its ``TokenAuthority``; a refresh leaves it.
public struct AuthorityRecord: Sendable, Hashable, Codable, Redacted {
    /// The name of the authority, which is never sent tokens that were stored with another one.
    public let id: AuthorityID
    /// The APIs that the app's configuration names for all access tokens; empty if the app knows them.
    ///
    /// Wire: `resource`. [RFC 8707, 2](https://www.rfc-editor.org/rfc/rfc8707#section-2).
    public let resources: [String]
    /// The data from which an ``AuthorityKind`` makes the authority of a stored session; nil if the ID is enough.
    ///
    /// Secret if it holds an API key or a client secret. Untrusted after it was read from a store.
    public let details: Data?

    public init(id: AuthorityID, resources: [String] = [], details: Data? = nil) {
        (self.id, self.resources, self.details) = (id, resources, details)
    }
}
