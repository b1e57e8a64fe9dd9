// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// A request as the provider receives it.
struct ProviderRequest: Sendable {
    let method: HTTPRequest.Method
    /// The scheme and the authority.
    let origin: String
    /// The path without the query.
    let path: String
    /// The query without the question mark; empty if there is no query.
    let query: String
    let fields: HTTPFields
    let body: [UInt8]

    init(_ head: HTTPRequest, body: [UInt8]) {
        let target = head.path ?? "/"
        method = head.method
        origin = "\(head.scheme ?? "")://\(head.authority ?? "")".lowercased()
        path = String(target.prefix { $0 != "?" })
        query = String(target.dropFirst(path.count).dropFirst())
        fields = head.headerFields
        self.body = body
    }

    /// Creates the request that a browser sends for a URL.
    init(browsing url: String) {
        let scheme = url.prefix { $0 != ":" }
        let rest = url.dropFirst(scheme.count + "://".count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let target = rest.dropFirst(authority.count).prefix { $0 != "#" }
        self.init(
            HTTPRequest(method: .get, scheme: String(scheme), authority: String(authority), path: String(target)),
            body: []
        )
    }

    /// The URL without its query, as in a DPoP proof.
    var url: String { origin + path }

    /// Returns the parameters of the query.
    func queryParameters() throws(EndpointError) -> Parameters {
        guard let parameters = Parameters(formEncoded: query.utf8) else {
            throw .invalidRequest("The query is not form-encoded.")
        }
        return parameters
    }

    /// Returns the parameters of a form, each given once.
    ///
    /// [RFC 6749, 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2).
    func form() throws(EndpointError) -> Parameters {
        guard method == .post else { throw EndpointError("invalid_request", "Only POST is allowed.", status: 405) }
        guard hasContentType("application/x-www-form-urlencoded"), let form = Parameters(formEncoded: body) else {
            throw .invalidRequest("The body is not a form.")
        }
        // URLs end up in logs.
        guard query.isEmpty else { throw .invalidRequest("Parameters are not allowed in the query.") }
        guard form.isUnambiguous else { throw .invalidRequest("A parameter is repeated.") }
        return form
    }

    /// Whether the body has a media type, ignoring its parameters.
    func hasContentType(_ type: String) -> Bool {
        let field = fields[.contentType] ?? ""
        return field.prefix { $0 != ";" && $0 != " " }.lowercased() == type
    }
}
