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

    /// Makes a sending, without credentials.
    ///
    /// - Parameters:
    ///   - address: Where to, checked.
    ///   - head: Method and fields, for that address.
    ///   - body: The body.
    init(address: AbsoluteURL, head: HTTPRequest, body: RequestBody) {
        self.address = address
        self.head = head
        self.body = body
        carriesCredentials = false
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
    /// - Parameters:
    ///   - bearer: The access token, where one is sent.
    ///   - proof: What goes beside it, where it is bound to a key.
    ///   - apiKey: The API key, where there is one.
    ///   - timeout: What is left of the call's time.
    /// - Returns: The request.
    func request(
        bearer: BearerCredential?,
        proof: HTTPField? = nil,
        apiKey: APIKey?,
        timeout: Duration
    ) -> TransportRequest {
        var head = head
        if carriesCredentials {
            if let apiKey, let field = Self.apiKeyField { head.headerFields[field] = apiKey.unredacted }
            // A field of the caller's is looked for first: with one no token is asked for.
            if let bearer, let proof {
                // RFC 9449, 7.1: a bound token has a scheme of its own.
                head.headerFields[.authorization] = "DPoP \(bearer.token.unredacted)"
                head.headerFields.append(proof)
            } else if let bearer {
                head.headerFields.append(bearer.field)
            }
        }
        return TransportRequest(head: head, body: body, timeout: timeout)
    }
}
