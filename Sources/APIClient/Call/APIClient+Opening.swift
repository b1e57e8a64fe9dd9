import AuthCore
import HTTPTypes

extension APIClient {
    private static let acceptsJSON = HTTPField(name: .accept, value: "application/json")

    /// Prepares a call, before interceptors see it.
    ///
    /// Starts the call's deadline.
    func opening<Response>(of endpoint: Endpoint<Response>) throws -> Opening {
        let deadline = Deadline(in: endpoint.timeout ?? configuration.timeout, on: tools.clock)
        let address = try address(of: endpoint)
        var head = HTTPRequest(
            method: endpoint.method,
            scheme: address.scheme,
            authority: address.authority,
            path: address.target,
            headerFields: endpoint.headers
        )
        if let type = endpoint.body.contentType, !head.headerFields.contains(.contentType) {
            head.headerFields.append(HTTPField(name: .contentType, value: type))
        }
        if !head.headerFields.contains(.accept) { head.headerFields.append(Self.acceptsJSON) }
        return Opening(
            address: address,
            head: head,
            body: endpoint.body,
            requiresAuthentication: endpoint.requiresAuthentication,
            retries: endpoint.retries ?? (endpoint.requiresAuthentication ? configuration.retries : .never),
            redirects: endpoint.redirects ?? (endpoint.requiresAuthentication ? configuration.redirects : .refuse),
            operationID: endpoint.operationID,
            secrets: endpoint.secrets,
            deadline: deadline
        )
    }

    /// Creates the call as the endpoint describes it, with credentials if they may go to its origin.
    func call(_ opening: Opening) throws -> Call {
        try call(opening, Hop(address: opening.address, head: opening.head, body: opening.body))
    }

    /// Creates the call as the interceptors changed it, with credentials if they may go to its origin.
    func call(_ opening: Opening, _ head: HTTPRequest, _ body: RequestBody) throws -> Call {
        var hop = Hop(address: opening.address, head: head, body: body)
        if let address = try changedAddress(of: head, opening) { hop.move(to: address) }
        return try call(opening, hop)
    }

    private func call(_ opening: Opening, _ hop: Hop) throws -> Call {
        var hop = hop
        let origin = hop.address.origin
        let fields = hop.headers
        hop.carriesCredentials = origin == baseURL.origin || origins.contains(origin)
        if !hop.carriesCredentials {
            let wantsCredentials = opening.requiresAuthentication && (tools.source != nil || tools.apiKey != nil)
            guard hop.address.isPrivate, !wantsCredentials,
                !CredentialFields.areIn(fields, names: credentialFields)
            else { throw APIError(.originNotAllowed) }
        }
        let rules = CallRules(
            // A request with its own `Authorization` field keeps it.
            requiresToken: hop.carriesCredentials && opening.requiresAuthentication
                && !fields.contains(.authorization),
            readsChallenges: opening.requiresAuthentication,
            retries: opening.retries,
            redirects: opening.redirects,
            refreshesWithoutBearerChallenge: configuration.refreshesWithoutBearerChallenge,
            credentialFields: credentialFields,
            secrets: opening.secrets
        )
        return Call(hop, tools: tools, rules: rules, deadline: opening.deadline)
    }

    private func address<Response>(of endpoint: Endpoint<Response>) throws(APIError) -> AbsoluteURL {
        guard let address = endpoint.address else {
            let target = RequestTarget.make(prefix: baseURL.pathPrefix, path: endpoint.path, query: endpoint.query)
            guard let target else { throw APIError(.invalidEndpoint) }
            return AbsoluteURL(baseURL, target: target)
        }
        return address.adding(endpoint.query)
    }

    /// Returns the URL that an interceptor changed the request to, or nil if the URL is unchanged.
    private func changedAddress(of head: HTTPRequest, _ opening: Opening) throws(APIError) -> AbsoluteURL? {
        let before = opening.head
        if head.scheme == before.scheme, head.authority == before.authority, head.path == before.path { return nil }
        guard let scheme = head.scheme, let authority = head.authority, let path = head.path, path.hasPrefix("/"),
            let address = try? AbsoluteURL("\(scheme)://\(authority)\(path)", insecureHTTP: .insecurelyAllowHTTP)
        else { throw APIError(.invalidEndpoint) }
        return address
    }
}

/// A call before its first attempt: the request that interceptors see, and its settings.
struct Opening: Sendable {
    let address: AbsoluteURL
    /// The request, without the client's credentials.
    let head: HTTPRequest
    let body: RequestBody
    let requiresAuthentication: Bool
    let retries: RetryPolicy
    let redirects: RedirectPolicy
    let operationID: String?
    /// The secrets in the body.
    let secrets: [String]
    let deadline: Deadline
}
