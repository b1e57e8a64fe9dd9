// SPDX-License-Identifier: Apache-2.0

public import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The description of a ``TokenAuthority`` that a sign-in stores with its session; a refresh leaves it.
public struct AuthorityRecord: Sendable, Hashable, Codable, Redacted {
    /// The name of the authority, which is never sent tokens that were stored with another one.
    public let id: AuthorityID
    /// The APIs that the app's configuration names for all access tokens; empty if it names none.
    ///
    /// Wire: `resource`. [RFC 8707, 2](https://www.rfc-editor.org/rfc/rfc8707#section-2).
    public let resources: [String]
    /// The data from which an ``AuthorityKind`` makes the authority of a stored session; nil if the ID is enough.
    ///
    /// Secret if it holds an API key or a client secret. Untrusted after it was read from a store.
    public let details: Data?

    /// Creates a description.
    public init(id: AuthorityID, resources: [String] = [], details: Data? = nil) {
        (self.id, self.resources, self.details) = (id, resources, details)
    }
}

/// The name of a ``TokenAuthority`` and of the app as its client: whose tokens a stored session holds.
///
/// Tokens are sent to no authority of another ID. IDs are compared byte for byte.
public struct AuthorityID: Sendable, Hashable, Codable {
    /// The kind of authority, such as `openID`; each ``AuthorityKind`` has its own.
    public let kind: String
    /// The server: a provider's issuer, or a backend's address.
    public let server: String
    /// The client ID; nil if the server does not tell clients apart.
    public let client: String?
    /// The name of what else makes tokens of the same client unusable here; nil if nothing does.
    public let variant: String?

    /// Creates an ID.
    public init(kind: String, server: String, client: String? = nil, variant: String? = nil) {
        self.kind = kind
        self.server = server
        self.client = client
        self.variant = variant
    }

    private var bytes: [[UInt8]?] { [kind, server, client, variant].map { $0.map { Array($0.utf8) } } }

    public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// A kind of ``TokenAuthority`` that can issue a stored session.
public struct AuthorityKind: Sendable {
    let authority: @Sendable (AuthorityRecord) throws -> (any TokenAuthority)?

    /// Creates a kind by a closure that makes the authority of a stored session.
    ///
    /// It returns nil if the session is of another kind, and throws ``SessionRecordError`` (`damaged`) if it is of this
    /// kind and can't be read.
    public init(_ authority: @escaping @Sendable (AuthorityRecord) throws -> (any TokenAuthority)?) {
        self.authority = authority
    }
}

extension [AuthorityKind] {
    /// Returns the authority of a stored session; nil if no kind matches.
    ///
    /// - Throws: ``SessionRecordError`` (`damaged`).
    func authority(of record: AuthorityRecord) throws -> (any TokenAuthority)? {
        for kind in self { if let authority = try kind.authority(record) { return authority } }
        return nil
    }
}
