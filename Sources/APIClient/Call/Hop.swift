import AuthCore
import HTTPTypes

/// What is sent next: where, how and with which body.
///
/// The client's credentials are added when it goes out.
struct Hop: Sendable {
    private static let apiKeyField = HTTPField.Name("X-API-Key")

    private(set) var address: AbsoluteURL
    /// To that address, without the client's own credentials; a field that the caller brought may be one.
    private(set) var head: HTTPRequest
    var body: RequestBody
    /// Whether token and API key go along: false outside of the client's origins, and once a redirect left the origin.
    var carriesCredentials: Bool

    /// Makes a sending.
    ///
    /// - Parameters:
    ///   - address: Where to, checked.
    ///   - head: Method and fields; its address counts only as far as it is the one that was checked.
    ///   - body: The body.
    ///   - carriesCredentials: Whether token and API key go along.
    init(address: AbsoluteURL, head: HTTPRequest, body: RequestBody, carriesCredentials: Bool) {
        self.address = address
        self.head = head
        self.body = body
        self.carriesCredentials = carriesCredentials
        if head.scheme != address.scheme || head.authority != address.authority || head.path != address.target {
            move(to: address)
        }
    }

    var method: HTTPRequest.Method {
        get { head.method }
        set { head.method = newValue }
    }

    var headers: HTTPFields {
        get { head.headerFields }
        set { head.headerFields = newValue }
    }

    /// Goes elsewhere.
    mutating func move(to address: AbsoluteURL) {
        self.address = address
        head.scheme = address.scheme
        head.authority = address.authority
        head.path = address.target
    }

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
        var head = head
        if carriesCredentials {
            if let apiKey, let field = Self.apiKeyField { head.headerFields[field] = apiKey.unredacted }
            if let token {
                // A field of the caller's is looked for first: with one no token is asked for.
                head.headerFields.append(HTTPField(name: .authorization, value: "Bearer \(token.unredacted)"))
            }
        }
        return TransportRequest(head: head, body: body, timeout: timeout)
    }
}
