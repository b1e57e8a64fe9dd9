// SPDX-License-Identifier: Apache-2.0

/// An authentication scheme that a server offers in a response, or the error it reports for one.
///
/// All of it is untrusted. Schemes and parameter names are compared without regard to case, so they are kept in
/// lower case.
///
/// Wire: `WWW-Authenticate`. [RFC 9110, 11.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1).
public struct AuthenticationChallenge: Sendable, Hashable {
    /// The scheme in lower case, such as `bearer`.
    public let scheme: String
    /// The credential-like text that some schemes, such as `Negotiate`, have instead of parameters.
    public internal(set) var token68: String?
    /// The parameters, their names in lower case.
    ///
    /// If a name comes twice, which RFC 9110, 11.2 forbids, the first one counts.
    public internal(set) var parameters: [String: String]

    /// Creates a challenge.
    public init(scheme: String, token68: String? = nil, parameters: [String: String] = [:]) {
        self.scheme = scheme.lowercased()
        self.token68 = token68
        self.parameters = parameters
    }

    /// Reads the challenges in the lines of a `WWW-Authenticate` field, in order.
    ///
    /// - Parameter lines: The values of the field's lines. Untrusted.
    /// - Returns: The readable challenges; an empty array if the lines are longer than 16 KiB together.
    public static func challenges(in lines: [String]) -> [AuthenticationChallenge] {
        ChallengeParser.challenges(in: lines)
    }

    /// Whether the challenge is about an access token: `Bearer` or `DPoP`.
    ///
    /// [RFC 6750, 3](https://www.rfc-editor.org/rfc/rfc6750#section-3),
    /// [RFC 9449, 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1).
    public var isAboutAccessTokens: Bool { scheme == "bearer" || scheme == "dpop" }

    /// The error code, such as `invalid_token`; nil if the server gave no code.
    public var error: String? { parameters["error"] }
}
