// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import Hummingbird

/// The refusal of a request because of its access token.
///
/// The response has a challenge and no body. It contains nothing from the request.
public struct AccessTokenError: Error, Sendable, HTTPResponseError {
    /// The reason of a refusal.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        fileprivate enum Reason: String {
            case missingToken = "missing_token"
            case invalidRequest = "invalid_request"
            case invalidToken = "invalid_token"
            case invalidDPoPProof = "invalid_dpop_proof"
            case insufficientScope = "insufficient_scope"
            case insufficientUserAuthentication = "insufficient_user_authentication"
            case keysUnavailable = "keys_unavailable"
            case replayCacheFull = "replay_cache_full"
        }

        fileprivate let reason: Reason

        /// The `error` of the challenge, or a name in the same form if the specifications have none.
        public var description: String { reason.rawValue }

        /// The request has no token, so the challenge has no error: RFC 6750, 3.1.
        public static let missingToken = Code(reason: .missingToken)
        /// The request is malformed, such as one with two `Authorization` fields.
        public static let invalidRequest = Code(reason: .invalidRequest)
        /// The token is invalid, or bound to a key and presented without its proof.
        public static let invalidToken = Code(reason: .invalidToken)
        /// The DPoP proof is missing, invalid, or was used before: RFC 9449, 7.1.
        public static let invalidDPoPProof = Code(reason: .invalidDPoPProof)
        /// The token's scope is too small: RFC 6750, 3.1.
        public static let insufficientScope = Code(reason: .insufficientScope)
        /// The sign-in is too old or too weak: RFC 9470, 3.
        public static let insufficientUserAuthentication = Code(reason: .insufficientUserAuthentication)
        /// The issuer's keys can't be fetched.
        public static let keysUnavailable = Code(reason: .keysUnavailable)
        /// The server can't remember any more DPoP proofs.
        public static let replayCacheFull = Code(reason: .replayCacheFull)
    }

    /// The reason.
    public let code: Code
    /// The scheme of the challenge, or nil for every scheme.
    private let scheme: AuthenticationScheme?
    /// The parameters of the challenge after `error`.
    private let parameters: [(name: String, value: String)]

    init(_ code: Code, scheme: AuthenticationScheme? = nil, parameters: [(name: String, value: String)] = []) {
        self.code = code
        self.scheme = scheme
        self.parameters = parameters
    }

    /// Returns the error with the scheme of the request, unless it has one.
    func withScheme(_ presented: AuthenticationScheme) -> AccessTokenError {
        AccessTokenError(code, scheme: scheme ?? presented, parameters: parameters)
    }

    /// The status of the response.
    public var status: HTTPResponse.Status {
        switch code.reason {
        case .invalidRequest: .badRequest
        case .missingToken, .invalidToken, .invalidDPoPProof, .insufficientUserAuthentication: .unauthorized
        case .insufficientScope: .forbidden
        case .keysUnavailable, .replayCacheFull: .serviceUnavailable
        }
    }

    /// The fields of the response: a challenge, or the time after which to try again.
    public var headers: HTTPFields {
        if status == .serviceUnavailable { return [.retryAfter: "5"] }
        var error: [(name: String, value: String)] = []
        if code != .missingToken { error.append((name: "error", value: code.reason.rawValue)) }
        var fields = HTTPFields()
        let schemes: [AuthenticationScheme] = if let scheme { [scheme] } else { [.bearer, .dpop] }
        for each in schemes {
            fields.append(HTTPField(name: .wwwAuthenticate, value: each.challenge(error + parameters)))
        }
        return fields
    }

    /// Returns the response.
    public func response(from request: Request, context: some RequestContext) throws -> Response {
        Response(status: status, headers: headers)
    }
}

/// The equality of the code.
extension AccessTokenError: Equatable {
    /// Compares the codes.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}
