// SPDX-License-Identifier: Apache-2.0

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
