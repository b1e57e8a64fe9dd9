import AuthCore
import HTTPTypes

/// What is sent next: where, how and with which body.
///
/// The client's credentials are added when it goes out.
struct Hop: Sendable {
    private static let apiKeyField = HTTPField.Name("X-API-Key")

    var address: AbsoluteURL
    var method: HTTPRequest.Method
    /// Without the client's own credentials; a field that the caller brought may be one.
    var headers: HTTPFields
    var body: RequestBody
    /// Whether token and API key go along: false outside of the client's origins, and once a redirect left the origin.
    var carriesCredentials: Bool

    /// Method and path: what a log may show.
    ///
    /// Elsewhere the path may be a secret itself, that of a signed download for one.
    var loggedName: String {
        "\(method.rawValue) \(carriesCredentials ? String(address.target.prefix { $0 != "?" }) : "elsewhere")"
    }

    /// The request as it goes out.
    ///
    /// Wire: `Authorization: Bearer`. [RFC 6750, 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1).
    ///
    /// - Parameters:
    ///   - token: The access token, where one is sent.
    ///   - apiKey: The API key, where there is one.
    ///   - timeout: What is left of the call's time.
    /// - Returns: The request.
    func request(token: AccessToken?, apiKey: APIKey?, timeout: Duration) -> TransportRequest {
        var head = HTTPRequest(
            method: method,
            scheme: address.scheme,
            authority: address.authority,
            path: address.target,
            headerFields: headers
        )
        if carriesCredentials {
            if let apiKey, let field = Self.apiKeyField { head.headerFields[field] = apiKey.unredacted }
            if let token { head.headerFields[.authorization] = "Bearer \(token.unredacted)" }
        }
        return TransportRequest(head: head, body: body, timeout: timeout)
    }
}
