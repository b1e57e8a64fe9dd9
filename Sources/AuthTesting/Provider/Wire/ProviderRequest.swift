import HTTPTypes

/// One request as a provider receives it.
struct ProviderRequest: Sendable {
    let method: HTTPRequest.Method
    /// Scheme and authority.
    let origin: String
    /// Without the query.
    let path: String
    /// Without the question mark; empty where there is none.
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

    /// What a browser sends that is led to an address.
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

    /// The address without its query, as a DPoP proof names it.
    var url: String { origin + path }

    /// The parameters of the query.
    func queryParameters() throws(OAuthRefusal) -> Parameters {
        guard let parameters = Parameters(formEncoded: query.utf8) else {
            throw OAuthRefusal("invalid_request", "The query is not form-encoded.")
        }
        return parameters
    }

    /// The parameters of a form, each given once.
    ///
    /// [RFC 6749, 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2).
    func form() throws(OAuthRefusal) -> Parameters {
        guard method == .post else { throw OAuthRefusal("invalid_request", "Only POST is taken.", status: 405) }
        guard hasContentType("application/x-www-form-urlencoded"), let form = Parameters(formEncoded: body) else {
            throw OAuthRefusal("invalid_request", "The body is no form.")
        }
        // What stands in an address ends up in logs.
        guard query.isEmpty else { throw OAuthRefusal("invalid_request", "Parameters are not taken from the query.") }
        guard form.isUnambiguous else { throw OAuthRefusal("invalid_request", "A parameter is given twice.") }
        return form
    }

    /// Whether the body is of a type, whatever its parameters.
    func hasContentType(_ type: String) -> Bool {
        let field = fields[.contentType] ?? ""
        return field.prefix { $0 != ";" && $0 != " " }.lowercased() == type
    }
}
