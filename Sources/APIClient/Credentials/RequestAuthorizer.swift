// SPDX-License-Identifier: Apache-2.0

import AuthCore
public import HTTPTypes

/// The authorization of one call: adds the credential to its requests, and decides what its responses mean.
///
/// It brings a session's tokens to any HTTP client. ``APIClient`` uses the same value.
///
///     var authorizer = RequestAuthorizer(session)
///     try await authorizer.authorize(&request)
///     var response = try await client.send(request)
///     while authorizer.verdict(on: response).sendsAgain {
///         try await authorizer.authorize(&request)
///         response = try await client.send(request)
///     }
///
/// A call ends: another token is requested once, and a new nonce is used twice. The credential goes to the origin of
/// the first request alone. Use one authorizer for each call, and a client that follows no redirect by itself: it could
/// send the credential to another server.
public struct RequestAuthorizer: Sendable {
    /// The limit of retries with a new nonce.
    ///
    /// A nonce may be good for a few proofs only, so that the refusal of the second brings another.
    private static let maximumNonceRetries = 2

    private let source: (any AccessTokenSource)?
    private let insecureHTTP: BaseURL.InsecureHTTP
    private let refreshesWithoutBearerChallenge: Bool
    /// The origin of the first request; nil before it.
    private var origin: String?
    private var credential: AccessCredential?
    /// The rejected token, after which another one was sent.
    private var rejected: AccessToken?
    private var needsOtherToken = false
    private var hasAskedForOtherToken = false
    private var nonceRetries = 0
    /// The last request's origin and the nonce in its proof; nil if credentials may not go to that request.
    private var sent: (origin: String, nonce: String?)?
    /// Whether the client has followed a redirect of the last request to another origin.
    private var hasLeftOrigin = false

    /// Creates the authorizer of one call.
    ///
    /// - Parameters:
    ///   - source: The source of access tokens, such as a session.
    ///   - insecureHTTP: The policy for plain http to an address that is not loopback.
    ///   - refreshesWithoutBearerChallenge: Whether a 401 whose challenges name neither `Bearer` nor `DPoP` leads to
    ///     another token. A 401 without any challenge always does.
    public init(
        _ source: any AccessTokenSource,
        insecureHTTP: BaseURL.InsecureHTTP = .refuse,
        refreshesWithoutBearerChallenge: Bool = true
    ) {
        self.source = source
        self.insecureHTTP = insecureHTTP
        self.refreshesWithoutBearerChallenge = refreshesWithoutBearerChallenge
    }

    /// Creates the authorizer of a call of an ``APIClient``, which checks the origins itself.
    ///
    /// - Parameters:
    ///   - source: The source of access tokens; nil if no token is sent.
    ///   - refreshesWithoutBearerChallenge: Whether a 401 whose challenges name neither `Bearer` nor `DPoP` leads to
    ///     another token.
    init(withoutOriginCheck source: (any AccessTokenSource)?, refreshesWithoutBearerChallenge: Bool) {
        self.source = source
        self.insecureHTTP = .insecurelyAllowHTTP
        self.refreshesWithoutBearerChallenge = refreshesWithoutBearerChallenge
    }

    /// Adds the credential to a request: the `Authorization` field, and a new proof of possession if the token is bound
    /// to a key.
    ///
    /// Replaces fields of these names. A request to another origin than the first one's, as after a redirect, loses
    /// them and gets none.
    ///
    /// - Parameter request: The request, with scheme, authority and path.
    /// - Throws: ``APIError`` (`invalidRequest` if the address is invalid; `originNotAllowed` for plain http beyond
    ///   loopback, and for a server that the source does not allow; `proofUnavailable`); the source's error if there is
    ///   no token; `CancellationError`. The request then carries no credential.
    public mutating func authorize(_ request: inout HTTPRequest) async throws {
        let (scheme, authority) = (request.scheme ?? "", request.authority ?? "")
        try await authorize(&request, at: "\(scheme)://\(authority)\(request.path ?? "/")")
    }

    /// Adds the credential to a request whose address is kept apart from it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - url: The absolute URL that the client will send the request to.
    /// - Throws: As ``authorize(_:)``.
    public mutating func authorize(_ request: inout HTTPRequest, at url: String) async throws {
        request.headerFields[.authorization] = nil
        request.headerFields[.dpop] = nil
        request.headerFields.append(contentsOf: try await fields(for: request.method, url))
    }

    /// Decides what the response to the last authorized request means for its credential.
    ///
    /// Learns the server's nonce from the response. After ``AuthorizationVerdict/reauthenticate``, the next
    /// ``authorize(_:)`` obtains another token.
    ///
    /// - Parameter response: The response's head. Untrusted.
    /// - Returns: The verdict.
    public mutating func verdict(on response: HTTPResponse) -> AuthorizationVerdict {
        let verdict = judge(response)
        accept(verdict)
        return verdict
    }

    private func address(_ url: String) throws(APIError) -> AbsoluteURL {
        do {
            return try AbsoluteURL(url, insecureHTTP: insecureHTTP)
        } catch {
            throw APIError(error.code == .insecure ? .originNotAllowed : .invalidRequest, underlying: error)
        }
    }
}

// For clients that have other request types.
extension RequestAuthorizer {
    /// Returns the fields of the next request's credential.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - url: The request's absolute URL.
    /// - Returns: The fields; empty for another origin than the first request's. Secret.
    /// - Throws: As ``authorize(_:)``.
    package mutating func fields(for method: HTTPRequest.Method, _ url: String) async throws -> HTTPFields {
        (sent, hasLeftOrigin) = (nil, false)
        let address = try address(url)
        guard (origin ?? address.origin) == address.origin else { return [:] }
        guard allows(address) else { throw APIError(.originNotAllowed) }
        origin = address.origin
        if let need = tokenNeed { receive(try await need.credential()) }
        return try attach(to: HTTPFields(), of: method, address)
    }

    /// Returns the fields of the credential for a redirect that the client itself follows, without waiting.
    ///
    /// - Parameters:
    ///   - method: The method of the redirected request.
    ///   - url: The redirect's absolute URL. Untrusted.
    /// - Returns: The fields; empty for another origin, for an invalid or insecure address, and if an earlier redirect
    ///   of the same request has left the origin: the other server has chosen the address. Secret.
    package mutating func redirectFields(for method: HTTPRequest.Method, _ url: String) -> HTTPFields {
        sent = nil
        guard !hasLeftOrigin, let address = try? address(url), address.origin == origin else {
            hasLeftOrigin = true
            return [:]
        }
        guard let fields = try? attach(to: HTTPFields(), of: method, address) else {
            // Without its credential the request says nothing about the token.
            sent = nil
            return [:]
        }
        return fields
    }

    /// Decides what a response of another type means for the credential that its request carried.
    ///
    /// - Parameters:
    ///   - status: The response's status. Untrusted.
    ///   - values: The values of the response's fields of a name. Called for few responses. Untrusted.
    /// - Returns: The verdict, as of ``verdict(on:)``.
    package mutating func verdict(
        status: Int,
        _ values: (HTTPField.Name) -> some Sequence<String>
    ) -> AuthorizationVerdict {
        // `HTTPResponse.Status` traps outside of this range.
        guard (100...999).contains(status) else { return .final }
        var head = HTTPResponse(status: .init(code: status))
        if head.status == .unauthorized || head.status == .forbidden {
            head.append(.wwwAuthenticate, values(.wwwAuthenticate))
        }
        if credential?.binding != nil { head.append(.dpopNonce, values(.dpopNonce)) }
        return verdict(on: head)
    }
}

extension HTTPResponse {
    /// Adds the values that can be a field's.
    fileprivate mutating func append(_ name: HTTPField.Name, _ values: some Sequence<String>) {
        for value in values where HTTPField.isValidValue(value) {
            headerFields.append(HTTPField(name: name, value: value))
        }
    }
}

// The steps, which `Call` takes one by one: it waits within its deadline, and judges in a closure that changes nothing.
extension RequestAuthorizer {
    /// A credential that must be requested before the next attempt.
    struct TokenNeed: Sendable {
        let source: any AccessTokenSource
        /// The rejected token; nil for the first credential.
        let rejected: AccessToken?

        func credential() async throws -> AccessCredential {
            guard let rejected else { return try await source.credential() }
            return try await source.credential(insteadOf: rejected)
        }
    }

    /// The credential that must be requested now; nil if it is known, or if no token is sent.
    ///
    /// Takes a fresh credential without waiting.
    var tokenNeed: TokenNeed? {
        mutating get {
            guard let source else { return nil }
            if needsOtherToken { return TokenNeed(source: source, rejected: credential?.accessToken) }
            if credential == nil { credential = source.freshCredential }
            return credential == nil ? TokenNeed(source: source, rejected: nil) : nil
        }
    }

    /// Returns whether the source's credentials may go to an address.
    func allows(_ address: AbsoluteURL) -> Bool { source?.allowedOrigins?.contains(address.origin) ?? true }

    /// Takes the requested credential.
    mutating func receive(_ credential: AccessCredential) {
        self.credential = credential
        needsOtherToken = false
    }

    /// Adds the credential to a request.
    ///
    /// - Parameters:
    ///   - fields: The request's fields. Never with an `Authorization` field if a token is sent.
    ///   - method: The request's method.
    ///   - address: The request's address.
    /// - Returns: The fields with the credential. Secret.
    /// - Throws: ``APIError`` (`originNotAllowed` if the token may not go to the address; `proofUnavailable` if the token
    ///   is bound to a key that is not available: if a server accepts a bound token without a proof, anyone can use it
    ///   (RFC 9449, 7.1)); the key's error.
    mutating func attach(
        to fields: HTTPFields,
        of method: HTTPRequest.Method,
        _ address: AbsoluteURL
    ) throws -> HTTPFields {
        // A source that was not restored, or whose session changed meanwhile, has said nothing about this token.
        guard credential?.allowedOrigins?.contains(address.origin) ?? true else { throw APIError(.originNotAllowed) }
        sent = (address.origin, nil)
        guard let credential else { return fields }
        var fields = fields
        fields.append(credential.field)
        guard let (key, proofs) = credential.binding else {
            guard !credential.accessToken.isBound else { throw APIError(.proofUnavailable) }
            return fields
        }
        let nonce = proofs.nonce(for: address.origin)
        let proof = try proofs.field(
            by: key,
            method: method.rawValue,
            origin: address.origin,
            path: String(address.target.prefix { $0 != "?" }),
            token: credential.accessToken
        )
        sent = (address.origin, nonce)
        fields.append(proof)
        return fields
    }

    /// Notes that the next request carries no credentials.
    mutating func detach() { sent = nil }

    /// Decides what the response to the last request means, and remembers its nonce.
    ///
    /// - Parameter response: The response's head. Untrusted.
    /// - Returns: The verdict, for ``accept(_:)``.
    func judge(_ response: HTTPResponse) -> AuthorizationVerdict {
        guard let sent else { return .final }
        let given = credential?.binding?.proofs.noteNonce(in: response.headerFields, from: sent.origin)
        switch ChallengeVerdict(response, refreshesWithoutBearerChallenge: refreshesWithoutBearerChallenge) {
        case .none: return .final
        // A server may repeat a token in what it asks for.
        case .insufficientScope(let scope):
            return .insufficientScope(EchoFilter(secrets).passed(scope.description) == nil ? Scope("") : scope)
        case .stepUpRequired(let challenge): return .stepUpRequired(challenge.hiding(secrets))
        case .nonceRequired:
            // Compared with the nonce in this proof: a nonce that other calls have learnt meanwhile does not count.
            let isNew = given != nil && given != sent.nonce
            return isNew && nonceRetries < Self.maximumNonceRetries ? .renewProof : .nonceUnavailable
        case .tokenRejected:
            // Without the source's own token in the request, the response is about another token or no token.
            return credential == nil || hasAskedForOtherToken ? .final : .reauthenticate
        }
    }

    /// Prepares for the next attempt.
    mutating func accept(_ verdict: AuthorizationVerdict) {
        switch verdict {
        case .reauthenticate:
            rejected = credential?.accessToken
            needsOtherToken = true
            hasAskedForOtherToken = true
        case .renewProof: nonceRetries += 1
        case .final, .nonceUnavailable, .insufficientScope, .stepUpRequired: break
        }
    }

    /// The tokens that were sent, which no error may repeat.
    ///
    /// Secret.
    var secrets: [String] { [credential?.accessToken, rejected].compactMap { $0?.unredacted } }
}

extension AccessTokenSource {
    /// Adds the current credential to one request.
    ///
    /// Replaces the fields `Authorization` and `DPoP`. Send the request with redirects refused: some clients forward
    /// the credential to any host. Use a ``RequestAuthorizer`` to interpret the response, and to send the request once
    /// more after a 401.
    ///
    /// - Parameter request: The request, with scheme, authority and path.
    /// - Throws: As ``RequestAuthorizer/authorize(_:)``.
    public func authorize(_ request: inout HTTPRequest) async throws {
        var authorizer = RequestAuthorizer(self)
        try await authorizer.authorize(&request)
    }
}
