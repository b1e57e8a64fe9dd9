// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// The description of a ``TokenAuthority`` that is stored with its tokens.
///
/// It is a JSON object. A member that other kinds don't have identifies the kind: `contract` for an app's own backend,
/// `provider` for an OpenID provider. It may hold an API key or a client secret, so printing it shows nothing.
public struct AuthorityRecord: Sendable, Hashable, Codable, Redacted {
    /// The object's members.
    public let members: [String: JSONValue]

    /// Creates a description.
    ///
    /// - Parameter members: The object's members.
    public init(_ members: [String: JSONValue]) {
        self.members = members
    }

    /// Whether the member that identifies the kind is missing or damaged.
    package var isUnidentified: Bool {
        if let contract = members["contract"] { return contract.string == nil }
        if let provider = members["provider"] { return provider.object == nil }
        return Set(members.keys).isSubset(of: ["baseURL", "apiKey", "insecureHTTP"])
    }

    /// Reads an object.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if the value is not an object.
    public init(from decoder: any Decoder) throws {
        members = try [String: JSONValue](from: decoder)
    }

    /// Writes the object.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: The errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        try members.encode(to: encoder)
    }
}
