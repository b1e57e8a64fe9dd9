// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

extension APIClient {
    private static let acceptsJSON = HTTPField(name: .accept, value: "application/json")

    /// Prepares a call, before interceptors see it.
    ///
    /// Starts the call's deadline.
    func prepared<Response>(of endpoint: Endpoint<Response>) throws -> PreparedCall {
        let deadline = Deadline(in: endpoint.timeout ?? configuration.timeout, on: context.clock)
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
        return PreparedCall(
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
    func call(_ prepared: PreparedCall) throws -> Call {
        try call(prepared, OutgoingRequest(address: prepared.address, head: prepared.head, body: prepared.body))
    }

    /// Creates the call as the interceptors changed it, with credentials if they may go to its origin.
    func call(_ prepared: PreparedCall, _ head: HTTPRequest, _ body: RequestBody) throws -> Call {
        var outgoing = OutgoingRequest(address: prepared.address, head: head, body: body)
        if let address = try changedAddress(of: head, prepared) { outgoing.move(to: address) }
        return try call(prepared, outgoing)
    }

    private func call(_ prepared: PreparedCall, _ outgoing: OutgoingRequest) throws -> Call {
        var outgoing = outgoing
        let origin = outgoing.address.origin
        let fields = outgoing.headers
        outgoing.carriesCredentials = origin == baseURL.origin || origins.contains(origin)
        if !outgoing.carriesCredentials {
            let wantsCredentials = prepared.requiresAuthentication && (context.source != nil || context.apiKey != nil)
            guard outgoing.address.isSecure, !wantsCredentials,
                !SensitiveHeaderFields.areIn(fields, names: sensitiveHeaderFields)
            else { throw APIError(.originNotAllowed) }
        }
        let policy = CallPolicy(
            // A request with its own `Authorization` field keeps it.
            requiresToken: outgoing.carriesCredentials && prepared.requiresAuthentication
                && !fields.contains(.authorization),
            readsChallenges: prepared.requiresAuthentication,
            retries: prepared.retries,
            redirects: prepared.redirects,
            refreshesWithoutBearerChallenge: configuration.refreshesWithoutBearerChallenge,
            sensitiveHeaderFields: sensitiveHeaderFields,
            secrets: prepared.secrets
        )
        return Call(outgoing, context: context, policy: policy, deadline: prepared.deadline)
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
    private func changedAddress(of head: HTTPRequest, _ prepared: PreparedCall) throws(APIError) -> AbsoluteURL? {
        let before = prepared.head
        if head.scheme == before.scheme, head.authority == before.authority, head.path == before.path { return nil }
        guard let scheme = head.scheme, let authority = head.authority, let path = head.path, path.hasPrefix("/"),
            let address = try? AbsoluteURL("\(scheme)://\(authority)\(path)", insecureHTTP: .insecurelyAllowHTTP)
        else { throw APIError(.invalidEndpoint) }
        return address
    }
}

/// A call before its first attempt: the request that interceptors see, and its settings.
struct PreparedCall: Sendable {
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
