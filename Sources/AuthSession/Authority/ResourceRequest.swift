// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// A request for an access token for another API.
public struct ResourceRequest: Sendable, Hashable, Codable {
    /// The API.
    public let target: TokenTarget
    /// The grant that gets the token.
    public let grant: ResourceTokenGrant

    /// Returns the APIs that the token is for, by their URLs.
    ///
    /// A request that names no API is for those of the session's sign-in.
    func resources(besides session: [String]) -> [String] {
        target.audiences.isEmpty && target.resources.isEmpty ? session : target.resources
    }
}

/// The grant by which a session gets an access token for another API.
public enum ResourceTokenGrant: String, Sendable, Hashable, Codable {
    /// The session's refresh token, with the API's name or scope ([RFC 8707, 2.2](https://www.rfc-editor.org/rfc/rfc8707#section-2.2)).
    case refreshToken
    /// The session's access token, which is exchanged ([RFC 8693](https://www.rfc-editor.org/rfc/rfc8693)).
    case tokenExchange
}
