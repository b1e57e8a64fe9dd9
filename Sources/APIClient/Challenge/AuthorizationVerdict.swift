// SPDX-License-Identifier: Apache-2.0

public import AuthCore
public import HTTPTypes

/// The consequence of a response for the credential that its request carried.
public enum AuthorizationVerdict: Sendable, Hashable {
    /// The response is the call's result: another credential would not change it.
    case final
    /// The server rejected the token: authorize the request again, which obtains another token, and send it once more.
    case reauthenticate
    /// The server wants its nonce in the proof (RFC 9449, 9): authorize the request again, and send it once more.
    case renewProof
    /// The server wants a nonce in the proof of possession and gave no usable one: the response is final.
    case nonceUnavailable
    /// The token is valid but its scope allows too little: the response is final.
    ///
    /// The required scope is untrusted, and empty if the server did not name one.
    case insufficientScope(Scope)
    /// The token is valid but the user must authenticate again: the response is final.
    case stepUpRequired(StepUpChallenge)

    /// Whether the request must be authorized again and sent once more, if its body can be sent again.
    public var sendsAgain: Bool { self == .reauthenticate || self == .renewProof }

    /// Reads what an untrusted response asks for, which an earlier attempt may have tried already.
    init(_ head: HTTPResponse, refreshesWithoutBearerChallenge: Bool) {
        self = .final
        // A 407 is the proxy's, and is never about the token.
        guard head.status == .unauthorized || head.status == .forbidden else { return }
        let all = AuthenticationChallenge.challenges(in: head.headerFields[values: .wwwAuthenticate])
        let ours = all.filter(\.isAboutAccessTokens)
        if head.status == .unauthorized, ours.contains(where: { $0.error == "use_dpop_nonce" }) {
            self = .renewProof
        } else if let demand = Self.unmetDemand(ours) {
            self = demand
        } else if head.status == .unauthorized, !ours.isEmpty || all.isEmpty || refreshesWithoutBearerChallenge {
            self = .reauthenticate
        }
    }

    /// Returns the demand that no other token of the same sign-in meets, unless a challenge says that the token is
    /// invalid.
    private static func unmetDemand(_ challenges: [AuthenticationChallenge]) -> AuthorizationVerdict? {
        guard !challenges.contains(where: { $0.error == "invalid_token" }) else { return nil }
        for challenge in challenges {
            switch challenge.error {
            case "insufficient_user_authentication": return .stepUpRequired(StepUpChallenge(challenge))
            case "insufficient_scope": return .insufficientScope(Scope(challenge.parameters["scope"] ?? ""))
            default: continue
            }
        }
        return nil
    }
}

/// The authentication, or the scope, that an API requires before it accepts a request.
///
/// All of it is untrusted. Values that can't be sent in an authorization request are left out.
///
/// Wire: `insufficient_user_authentication`, [RFC 9470, 3](https://www.rfc-editor.org/rfc/rfc9470#section-3);
/// `insufficient_scope`, [RFC 6750, 3.1](https://www.rfc-editor.org/rfc/rfc6750#section-3.1).
public struct StepUpChallenge: Sendable, Hashable {
    private static let maximumValues = 16
    private static let maximumScopes = 64
    private static let maximumLength = 256
    private static let maximumSeconds = 31_536_000

    /// `acr_values`: the authentication context class references that the API accepts, the preferred first.
    public let acrValues: [String]
    /// `max_age`: the longest time since the user authenticated, at most a year; nil if any time is accepted.
    public let maxAge: Duration?
    /// `scope`: the scopes that the token lacks, at most 64, empty if the API named none; nil if the scope suffices.
    public let scope: Scope?

    /// Creates a challenge.
    public init(acrValues: [String] = [], maxAge: Duration? = nil, scope: Scope? = nil) {
        (self.acrValues, self.maxAge, self.scope) = (acrValues, maxAge, scope)
    }

    /// Reads the challenge of an untrusted response; returns nil if the user need not authenticate again.
    public init?(_ response: HTTPResponse) {
        switch AuthorizationVerdict(response, refreshesWithoutBearerChallenge: false) {
        case .stepUpRequired(let challenge): self = challenge
        case .insufficientScope(let scope): self.init(required: scope)
        case .final, .reauthenticate, .renewProof, .nonceUnavailable: return nil
        }
    }

    /// Creates the challenge for an untrusted scope.
    init(required scope: Scope) {
        let values = scope.values.filter { $0.utf8.count <= Self.maximumLength }.prefix(Self.maximumScopes)
        self.init(scope: Scope(values.joined(separator: " ")))
    }

    fileprivate init(_ challenge: AuthenticationChallenge) {
        let values = (challenge.parameters["acr_values"] ?? "").utf8.split(separator: UInt8(ascii: " "))
        let valid = values.filter { $0.count <= Self.maximumLength && $0.allSatisfy(TokenCharacters.isScope) }
        acrValues = valid.prefix(Self.maximumValues).map { String(Substring($0)) }
        // Digits alone: `Int` reads a sign too.
        let digits = challenge.parameters["max_age"].flatMap { text in
            text.utf8.allSatisfy(ASCIIText.isDigit) ? Int(text) : nil
        }
        maxAge = digits.map { .seconds(min($0, Self.maximumSeconds)) }
        scope = nil
    }
}
