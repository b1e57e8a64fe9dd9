// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes
import Logging

/// One call, from its first attempt to its final response.
///
/// One deadline covers all of it. The request is sent again:
/// 1. once with another token, after a 401 to the token that was sent;
/// 2. at most twice with a new nonce, if the token is bound to a key and the refusal gave a nonce;
/// 3. to the target of a redirect within the origin, if it is a GET or HEAD;
/// 4. after a pause, if an error may be transient and the request may be repeated.
/// Each reason has its own count, so that no reason uses up another's attempts, and so that the call ends.
struct Call {
    /// The redirects that are followed: more than any API needs.
    private static let maximumRedirects = 5
    /// The limits of the first pause before a retry, and of any that the server did not ask for.
    private static let (firstPause, longestPause) = (Duration.milliseconds(200), Duration.seconds(10))
    /// The longest `Retry-After` that is honored: an earlier retry would not help.
    private static let longestRetryAfter = Duration.seconds(60)
    private static let acceptsJSON = HTTPField(name: .accept, value: "application/json")

    private let client: APIClient
    private let deadline: Deadline
    private let maximumRetries: Int
    private let followsRedirects: Bool
    private var request: TransportRequest
    /// Nil for a call that does not require authentication, whose challenges say nothing about the session.
    private var authorizer: RequestAuthorizer?
    /// The meaning of the last response for the credential that was sent.
    private(set) var verdict = AuthorizationVerdict.final
    private var redirects = 0
    private var retries = 0
    private var sent = SentValues()
    private var mayHaveReachedServer = false

    /// Prepares a call, and starts its deadline.
    ///
    /// - Throws: ``APIError`` (`invalidRequest`, `originNotAllowed`). Nothing was sent.
    init<Response>(_ endpoint: Endpoint<Response>, by client: APIClient) throws {
        self.client = client
        deadline = Deadline(in: client.timeout, on: client.clock)
        var fields = endpoint.headers
        if let type = endpoint.body?.contentType, !fields.contains(.contentType) { fields[.contentType] = type }
        if !fields.contains(.accept) { fields.append(Self.acceptsJSON) }
        if let apiKey = client.apiKey { fields[.apiKey] = apiKey.unredacted }
        request = TransportRequest(
            head: HTTPRequest(
                method: endpoint.method,
                scheme: client.baseURL.scheme,
                authority: client.baseURL.authority,
                path: try endpoint.target(below: client.baseURL),
                headerFields: fields
            ),
            body: endpoint.body?.bytes,
            sendsOnce: endpoint.sendsOnce,
            sendGuard: endpoint.sendGuard
        )
        let isAuthenticated = endpoint.requiresAuthentication
        maximumRetries = isAuthenticated ? client.retries : 0
        // A sign-in request, for example, is meant for one address.
        followsRedirects = isAuthenticated && [.get, .head].contains(endpoint.method)
        // A request with its own `Authorization` field keeps it.
        guard isAuthenticated else { return }
        authorizer = RequestAuthorizer(
            source: fields.contains(.authorization) ? nil : client.source,
            for: [client.baseURL],
            refreshesWithoutBearerChallenge: client.refreshesWithoutBearerChallenge
        )
    }

    /// Adds the credentials of the next attempt to the request, with a proof of its own.
    ///
    /// - Throws: ``APIError`` (`timedOut`, `originNotAllowed`, `proofUnavailable`); the source's error if there is no
    ///   token; `CancellationError` at once.
    mutating func authorize() async throws {
        do {
            if authorizer?.takeFreshCredential() ?? true {
                try await authorizer?.authorize(&request.head)
            } else if let waiting = authorizer {
                let head = request.head
                (authorizer, request.head) = try await deadline.limit(throwing: APIError(.timedOut)) {
                    var (authorizer, head) = (waiting, head)
                    try await authorizer.authorize(&head)
                    return (authorizer, head)
                }
            }
            request.timeout = deadline.remaining
            guard request.timeout > .zero else { throw APIError(.timedOut) }
        } catch let error as APIError {
            throw error.after(mayHaveReachedServer)
        }
        try Task.checkCancellation()
    }

    /// Sends the request.
    ///
    /// - Returns: The response; nil if there was none and the request must be sent again.
    /// - Throws: ``APIError`` if the request may not be sent again; `CancellationError`.
    mutating func exchange() async throws -> TransportResponse? {
        sent.add(request)
        do {
            var response = try await client.transport.send(request)
            client.logger.debug("\(loggedName): \(response.head.status.code)")
            mayHaveReachedServer = true
            response.sent = sent
            return response
        } catch let fault as TransportError {
            client.logger.debug("\(loggedName): no response (\(fault.code))")
            mayHaveReachedServer = mayHaveReachedServer || fault.mayHaveReachedServer
            // An untrusted certificate or a response that is too large would be there again.
            guard [.connectionRefused, .hostNotFound, .timedOut, .connectionClosed].contains(fault.code),
                !fault.mayHaveReachedServer || request.isIdempotent, try await pause(nil)
            else { throw APIError(fault).after(mayHaveReachedServer) }
            return nil
        }
    }

    /// Decides what a response means, and prepares the next attempt if there is one.
    ///
    /// - Parameter head: The response. Untrusted.
    mutating func isFinal(_ head: HTTPResponse) async throws -> Bool {
        // Each response is judged, because it may bring the nonce of the next proof.
        verdict = authorizer?.verdict(on: head) ?? .final
        if verdict.sendsAgain, !request.sendsOnce { return false }
        if head.status.kind == .redirection, followsRedirects, redirects < Self.maximumRedirects,
            let target = redirectTarget(of: head)
        {
            redirects += 1
            request.head.path = target
            return false
        }
        guard HTTPFailure.isRetriedWithinCall(status: head.status.code), request.isIdempotent else { return true }
        return try await !pause(RetryAfter.duration(in: head.headerFields, now: client.now()))
    }

    /// Returns the path and query of a redirect that stays within the origin; nil for any other.
    private func redirectTarget(of head: HTTPResponse) -> String? {
        let locations = head.headerFields[values: .location]
        // Clients differ in which of two locations they follow.
        guard [301, 302, 303, 307, 308].contains(head.status.code), locations.count == 1,
            let here = URIReference("\(client.baseURL.origin)\(request.head.path ?? "/")"),
            let next = URIReference(locations[0])?.resolved(against: here), !FormEncoding.hasDotSegment(next.path),
            let address = try? AbsoluteURL(next, insecureHTTP: .insecurelyAllowHTTP),
            address.origin == client.baseURL.origin
        else { return nil }
        return address.target
    }

    /// Waits before a retry; returns false if the client, the server or the deadline does not allow one.
    ///
    /// Exponential backoff with full jitter, so that clients that failed together do not retry together.
    private mutating func pause(_ asked: Duration?) async throws -> Bool {
        var limit = Self.firstPause
        for _ in 0..<retries where limit < Self.longestPause { limit *= 2 }
        let asked = asked ?? .zero
        let pause = max(min(limit, Self.longestPause) * client.random(), asked)
        guard retries < maximumRetries, asked <= Self.longestRetryAfter, pause < deadline.remaining else {
            return false
        }
        retries += 1
        try await client.clock.sleep(until: client.clock.now + pause)
        return true
    }

    /// The method and path, for the log.
    private var loggedName: String {
        "\(request.head.method.rawValue) \((request.head.path ?? "").prefix { $0 != "?" })"
    }
}
