// SPDX-License-Identifier: Apache-2.0

#if Curl && os(Linux)
import APIClient
import AuthCore
import NIOHTTP1
import Synchronization

/// An authorization server and an API that know a client by the certificate of its TLS connection.
///
/// The endpoints for OAuth requests are those below `/mtls` alone, so that a client that ignores the aliases fails.
/// [RFC 8705](https://www.rfc-editor.org/rfc/rfc8705).
final class CertificateBoundServer: Sendable {
    /// A request, with the thumbprint of its connection's certificate.
    struct Request: Sendable {
        let path: String
        let issuer: String
        let authorization: String?
        let form: [String: String]
        /// The SHA-256 of the client's certificate in base64url; nil if the connection has none.
        let thumbprint: String?

        init(_ head: HTTPRequestHead, _ body: [UInt8], thumbprint: String?) {
            path = head.uri
            issuer = "https://" + (head.headers.first(name: "Host") ?? "")
            authorization = head.headers.first(name: "Authorization")
            let items = FormEncoding.decode(String(decoding: body, as: UTF8.self)) ?? []
            form = Dictionary(items, uniquingKeysWith: { first, _ in first })
            self.thumbprint = thumbprint
        }
    }

    struct Response: Sendable {
        let status: HTTPResponseStatus
        let headers: HTTPHeaders
        let body: String

        init(_ status: HTTPResponseStatus, _ body: String, headers: HTTPHeaders = [:]) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        static func error(_ code: String, _ status: HTTPResponseStatus) -> Response {
            Response(status, #"{"error":"\#(code)"}"#)
        }
    }

    /// The thumbprints of the registered clients, by client ID.
    private let clients = [
        CertificateClient.tool.id: CertificateClient.tool.thumbprint,
        CertificateClient.other.id: CertificateClient.other.thumbprint,
    ]
    private let grants = Mutex(CertificateBoundGrants())
    private let received = Mutex<[Request]>([])

    /// The requests that got through a handshake, in order.
    var requests: [Request] { received.withLock { $0 } }

    func response(to request: Request) -> Response {
        received.withLock { $0.append(request) }
        switch request.path {
        case "/.well-known/oauth-authorization-server": return Response(.ok, Self.metadata(of: request.issuer))
        case "/api/jobs": return jobs(request)
        case "/mtls/par", "/mtls/token", "/mtls/revoke": return authenticated(request)
        default: return .error("not_found", .notFound)
        }
    }

    /// Signs the user in with a pushed request, in place of a browser.
    ///
    /// - Parameter url: The URL that the browser would open.
    /// - Returns: The query of the redirect; nil if the request was not pushed.
    func redirectQuery(ofSignInAt url: String) -> String? {
        let query = url.split(separator: "?", maxSplits: 1).last.map { String($0) } ?? ""
        guard let uri = FormEncoding.decode(query)?.first(where: { $0.0 == "request_uri" })?.1 else { return nil }
        return grants.withLock { $0.authorize(uri) }
    }

    /// Responds to a client, which must be the owner of its connection's certificate (RFC 8705, 2).
    private func authenticated(_ request: Request) -> Response {
        guard let client = request.form["client_id"], let thumbprint = request.thumbprint,
            clients[client] == thumbprint
        else { return .error("invalid_client", .unauthorized) }
        switch request.path {
        case "/mtls/par":
            let uri = grants.withLock { $0.push(request.form) }
            return Response(.created, #"{"request_uri":"\#(uri)","expires_in":60}"#)
        case "/mtls/revoke":
            grants.withLock { $0.revoke(request.form["token"] ?? "", of: client) }
            return Response(.ok, "{}")
        default:
            let tokens = grants.withLock { grants -> String? in
                guard grants.redeem(request.form, of: client) else { return nil }
                return grants.issue(to: client, boundTo: thumbprint, by: request.issuer)
            }
            return tokens.map { Response(.ok, $0) } ?? .error("invalid_grant", .badRequest)
        }
    }

    /// Responds to a call of the API, which must come through a connection with the token's certificate.
    private func jobs(_ request: Request) -> Response {
        let scheme = "Bearer "
        let field = request.authorization ?? ""
        let token = field.hasPrefix(scheme) ? String(field.dropFirst(scheme.count)) : ""
        let isIssued = grants.withLock { $0.accessTokens.contains(token) }
        let claims = (try? UnverifiedJWT(token))?.claims.all
        let bound = claims?["cnf"]?.object?["x5t#S256"]?.string
        // RFC 8705, 3: status 401 with `invalid_token`.
        guard isIssued, let bound, bound == request.thumbprint else {
            return Response(.unauthorized, "{}", headers: ["WWW-Authenticate": #"Bearer error="invalid_token""#])
        }
        return Response(.ok, "[]")
    }

    private static func metadata(of issuer: String) -> String {
        """
        {"issuer":"\(issuer)","authorization_endpoint":"\(issuer)/authorize","token_endpoint":"\(issuer)/token",\
        "pushed_authorization_request_endpoint":"\(issuer)/par","revocation_endpoint":"\(issuer)/revoke",\
        "tls_client_certificate_bound_access_tokens":true,"mtls_endpoint_aliases":{\
        "token_endpoint":"\(issuer)/mtls/token","revocation_endpoint":"\(issuer)/mtls/revoke",\
        "pushed_authorization_request_endpoint":"\(issuer)/mtls/par"}}
        """
    }
}
#endif
