// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The endpoint of an OAuth 2.0 server that describes the user, and the names of its members.
///
/// The first member that is present and not empty counts.
public struct OAuthUserEndpoint: Sendable, Hashable {
    /// The endpoint's URL, which gets the access token.
    public let url: EndpointURL
    /// The members that may hold the server's identifier of the user: a string or a whole number.
    public var id = ["sub", "id"]
    /// The members that may hold the user's name.
    public var name = ["name", "login", "username", "preferred_username"]
    /// The members that may hold the email address.
    public var email = ["email"]

    /// Creates a description with the usual names.
    public init(url: EndpointURL) {
        self.url = url
    }

    /// Returns a response's members, and the same values under the names of OpenID Connect.
    ///
    /// `sub` is missing if the response has no identifier.
    func claims(in members: [String: JSONValue]) -> [String: JSONValue] {
        var claims = members
        claims["sub"] = text(id, in: members).map { .string($0) }
        claims["name"] = text(name, in: members).map { .string($0) }
        claims["email"] = text(email, in: members).map { .string($0) }
        return claims
    }

    private func text(_ names: [String], in members: [String: JSONValue]) -> String? {
        names.lazy.compactMap { name in
            switch members[name] {
            case .string(let text)? where !text.isEmpty: text
            case .integer(let number)?: "\(number)"
            default: nil
            }
        }.first
    }
}
