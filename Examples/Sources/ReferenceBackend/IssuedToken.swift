// SPDX-License-Identifier: Apache-2.0

/// A token that the backend, or its stand-in for Apple, has just issued.
public struct IssuedToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// The kind of a token.
    public enum Kind: String, Sendable, CaseIterable {
        /// Contract A's session token.
        case sessionToken
        /// Contract B's access token.
        case accessToken
        /// Contract B's refresh token.
        case refreshToken
        /// The stand-in's identity token.
        case identityToken
        /// The stand-in's own access token, which no endpoint accepts.
        case standInAccessToken
        /// The stand-in's authorization code.
        case authorizationCode
        /// The state of a sign-in with Apple that the backend carries out.
        case redirectState
        /// The one-time code of a sign-in with Apple that the backend carried out.
        case oneTimeCode
        /// The backend's client secret at Apple.
        case clientSecret
    }

    /// The kind of the token.
    public let kind: Kind
    /// The token as sent.
    ///
    /// Secret.
    public let rawValue: String

    init(_ kind: Kind, _ rawValue: String) {
        self.kind = kind
        self.rawValue = rawValue
    }

    /// The kind, without the token.
    public var description: String { "\(kind.rawValue) <redacted>" }

    /// A mirror without the token.
    public var customMirror: Mirror { Mirror(self, children: ["kind": kind]) }
}
