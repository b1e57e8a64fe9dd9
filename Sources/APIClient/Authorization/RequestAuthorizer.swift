// SPDX-License-Identifier: Apache-2.0

import AuthCore
public import HTTPTypes

/// The authorization of one call: adds the credential to its requests, and decides what its responses mean.
///
/// It brings a session's tokens to any HTTP client, and is the only place that decides where a token may go.
/// ``APIClient`` uses the same value.
///
///     var authorizer = RequestAuthorizer(session, for: [api])
///     try await authorizer.authorize(&request)
///     var response = try await client.send(request)
///     while authorizer.verdict(on: response).sendsAgain {
///         try await authorizer.authorize(&request)
///         response = try await client.send(request)
///     }
///
/// A call ends: another token is requested once, and a new nonce is used twice. Use one authorizer for each call, and a
/// client that follows no redirect by itself: it could send the credential to another server.
public struct RequestAuthorizer: Sendable {
    /// A nonce may be good for a few proofs only, so that the refusal of the second brings another.
    private static let maximumNonceRetries = 2

    private let source: (any AccessTokenSource)?
    private let refreshesWithoutBearerChallenge: Bool
    /// The origins that the credential may go to; nil until the first request names it.
    private var origins: Set<String>?
    private var credential: AccessCredential?
    private var needsOtherToken = false
    private var hasAskedForOtherToken = false
    private var nonceRetries = 0
    /// The last request's origin and the nonce in its proof; nil if it got no credential.
    private var sent: (origin: String, nonce: String?)?
    private var hasBegun = false
    /// Whether a request went elsewhere: that server has chosen the addresses that follow.
    private var hasLeft = false

    /// Creates the authorizer of one call.
    ///
    /// - Parameters:
    ///   - servers: The servers that the credential may go to, of which only the origins count; nil for the origin of
    ///     the first request, which must be https or loopback. Name them for URLs from a response.
    ///   - refreshesWithoutBearerChallenge: Whether a 401 whose challenges name neither `Bearer` nor `DPoP` leads to
    ///     another token. A 401 without any challenge always does.
    public init(
        _ source: any AccessTokenSource,
        for servers: Set<BaseURL>? = nil,
        refreshesWithoutBearerChallenge: Bool = true
    ) {
        self.init(source: source, for: servers, refreshesWithoutBearerChallenge: refreshesWithoutBearerChallenge)
    }

    /// Creates the authorizer of one call; without a source, it adds nothing and reads challenges alone.
    init(source: (any AccessTokenSource)?, for servers: Set<BaseURL>?, refreshesWithoutBearerChallenge: Bool) {
        self.source = source
        origins = servers.map { Set($0.map(\.origin)) }
        self.refreshesWithoutBearerChallenge = refreshesWithoutBearerChallenge
    }

    /// Adds the credential to a request: the field `Authorization`, and a new `DPoP` proof if the token is bound to a key.
    ///
    /// Replaces fields of these names. Once a request goes to another server, as after a redirect, it and all later
    /// requests of the call lose the credential.
    ///
    /// - Throws: ``APIError`` (`invalidRequest` if the address is invalid; `originNotAllowed` if the first request may
    ///   not have the credential: it is plain http beyond loopback, not one of the servers, or not allowed by the source;
    ///   `proofUnavailable`); the source's error; `CancellationError`. The request then carries no credential.
    public mutating func authorize(_ request: inout HTTPRequest) async throws {
        let (origin, path) = ("\(request.scheme ?? "")://\(request.authority ?? "")", request.path ?? "/")
        // Another path would go on with the host: `@evil.example/`.
        let isPath = path.isEmpty || path.utf8.first == UInt8(ascii: "/")
        // A checked origin is not parsed again, which took most of a short call's own time.
        guard source != nil, isPath, origins?.contains(origin) ?? false else {
            return try await authorize(&request, at: isPath ? origin + path : "")
        }
        request.headerFields[.authorization] = nil
        request.headerFields[.dpop] = nil
        request.headerFields.append(contentsOf: try await fields(for: request.method, origin, path))
    }

    /// Adds the credential to a request that the client will send to an absolute URL, as ``authorize(_:)``.
    public mutating func authorize(_ request: inout HTTPRequest, at url: String) async throws {
        guard source != nil else { return sent = ("", nil) }
        request.headerFields[.authorization] = nil
        request.headerFields[.dpop] = nil
        request.headerFields.append(contentsOf: try await fields(for: request.method, url))
    }

    /// Returns the fields of the next request's credential, for clients that have other request types.
    ///
    /// Secret; empty once a request of the call went elsewhere. Throws as ``authorize(_:)``.
    package mutating func fields(for method: HTTPRequest.Method, _ url: String) async throws -> HTTPFields {
        sent = nil
        let address: AbsoluteURL
        do {
            // The policy on plain http of a server that was named is its own.
            address = try AbsoluteURL(url, insecureHTTP: origins == nil ? .refuse : .insecurelyAllowHTTP)
        } catch {
            throw APIError(error.code == .insecure ? .originNotAllowed : .invalidRequest, underlying: error)
        }
        return try await fields(for: method, address.origin, address.target)
    }

    private mutating func fields(
        for method: HTTPRequest.Method,
        _ origin: String,
        _ target: String
    ) async throws -> HTTPFields {
        sent = nil
        let allowed = origins ?? [origin]
        guard allowed.contains(origin), !hasLeft else {
            guard hasBegun else { throw APIError(.originNotAllowed) }
            hasLeft = true
            return [:]
        }
        guard let source, source.allowedOrigins?.contains(origin) ?? true else { throw APIError(.originNotAllowed) }
        (origins, hasBegun) = (allowed, true)
        if !takeFreshCredential() {
            if needsOtherToken, let rejected = credential?.accessToken {
                credential = try await source.credential(insteadOf: rejected)
            } else {
                credential = try await source.credential()
            }
            needsOtherToken = false
        }
        guard let credential else { return [:] }
        // A source that was not restored, or whose session changed meanwhile, has said nothing about this token.
        guard credential.allowedOrigins?.contains(origin) ?? true else { throw APIError(.originNotAllowed) }
        let (token, nonce) = (credential.accessToken, credential.binding?.proofs.nonce(for: origin))
        var fields: HTTPFields = [:]
        fields.append(credential.field)
        if let (key, proofs) = credential.binding {
            let path = String(target.prefix { $0 != "?" })
            fields.append(try proofs.field(by: key, method: method.rawValue, origin: origin, path: path, token: token))
        } else if token.isBound {
            // If a server accepts a bound token without a proof, anyone can use it (RFC 9449, 7.1).
            throw APIError(.proofUnavailable)
        }
        sent = (origin, nonce)
        return fields
    }

    /// Takes the source's credential if it is at hand; returns whether ``authorize(_:)`` need not wait.
    mutating func takeFreshCredential() -> Bool {
        if needsOtherToken { return false }
        if credential == nil { credential = source?.freshCredential }
        return credential != nil || source == nil
    }

    /// Decides what the response to the last authorized request means for its credential.
    ///
    /// Learns the server's nonce from the response. After ``AuthorizationVerdict/reauthenticate``, the next
    /// ``authorize(_:)`` obtains another token.
    public mutating func verdict(on response: HTTPResponse) -> AuthorizationVerdict {
        guard let sent else { return .final }
        let given = credential?.binding?.proofs.noteNonce(in: response.headerFields, from: sent.origin)
        let verdict = AuthorizationVerdict(response, refreshesWithoutBearerChallenge: refreshesWithoutBearerChallenge)
        switch verdict {
        case .renewProof:
            // Compared with the nonce in this proof: a nonce that other calls have learnt meanwhile does not count.
            guard given != nil, given != sent.nonce, nonceRetries < Self.maximumNonceRetries else {
                return .nonceUnavailable
            }
            nonceRetries += 1
        case .reauthenticate:
            // Without the source's own token in the request, the response is about another token or no token.
            guard credential != nil, !hasAskedForOtherToken else { return .final }
            (needsOtherToken, hasAskedForOtherToken) = (true, true)
        case .final, .nonceUnavailable, .insufficientScope, .stepUpRequired: break
        }
        return verdict
    }

    /// Decides what a response of another type means; the values of a field are read for few responses.
    package mutating func verdict(
        status: Int,
        _ values: (HTTPField.Name) -> some Sequence<String>
    ) -> AuthorizationVerdict {
        // `HTTPResponse.Status` traps outside of this range.
        guard (100...999).contains(status) else { return .final }
        var head = HTTPResponse(status: .init(code: status))
        let names: [HTTPField.Name] = [401, 403].contains(status) ? [.wwwAuthenticate] : []
        for name in names + (credential?.binding == nil ? [] : [.dpopNonce]) {
            for value in values(name) where HTTPField.isValidValue(value) {
                head.headerFields.append(HTTPField(name: name, value: value))
            }
        }
        return verdict(on: head)
    }
}
