// SPDX-License-Identifier: Apache-2.0

/// The grant by which a session gets an access token for another API.
public enum ResourceTokenGrant: String, Sendable, Hashable, Codable {
    /// The session's refresh token, with the API's name or scope ([RFC 8707, 2.2](https://www.rfc-editor.org/rfc/rfc8707#section-2.2)).
    case refreshToken
    /// The session's access token, which is exchanged ([RFC 8693](https://www.rfc-editor.org/rfc/rfc8693)).
    case tokenExchange
}
