// SPDX-License-Identifier: Apache-2.0

import AuthCore
public import HTTPTypes

/// The authentication that an API requires before it accepts a request.
///
/// All of it is untrusted. Values that can't be sent in an authorization request are left out.
///
/// Wire: `insufficient_user_authentication`. [RFC 9470, 3](https://www.rfc-editor.org/rfc/rfc9470#section-3).
public struct StepUpChallenge: Sendable, Hashable {
    private static let maximumValues = 16
    private static let maximumLength = 256
    private static let maximumSeconds = 31_536_000

    /// The authentication context class references that the API accepts, the preferred first; empty if it named none.
    ///
    /// Wire: `acr_values`.
    public let acrValues: [String]
    /// The longest time since the user authenticated; nil if any time is accepted.
    ///
    /// At most a year. Wire: `max_age`, in seconds.
    public let maxAge: Duration?

    /// Creates a challenge.
    public init(acrValues: [String] = [], maxAge: Duration? = nil) {
        self.acrValues = acrValues
        self.maxAge = maxAge
    }

    /// Reads the challenge of a response; returns nil if it does not require the user to authenticate again.
    ///
    /// - Parameter response: The response's head. Untrusted.
    public init?(_ response: HTTPResponse) {
        let verdict = AuthorizationVerdict(response, refreshesWithoutBearerChallenge: false)
        guard case .stepUpRequired(let challenge) = verdict else { return nil }
        self = challenge
    }

    /// Reads the parameters of a challenge.
    init(_ challenge: AuthenticationChallenge) {
        let values = (challenge.parameters["acr_values"] ?? "").utf8.split(separator: UInt8(ascii: " "))
        let valid = values.filter { $0.count <= Self.maximumLength && $0.allSatisfy(TokenCharacters.isScope) }
        acrValues = valid.prefix(Self.maximumValues).map { String(Substring($0)) }
        // Digits alone: `Int` reads a sign too.
        let digits = challenge.parameters["max_age"].flatMap { text in
            text.utf8.allSatisfy(ASCIIText.isDigit) ? Int(text) : nil
        }
        maxAge = digits.map { .seconds(min($0, Self.maximumSeconds)) }
    }
}
