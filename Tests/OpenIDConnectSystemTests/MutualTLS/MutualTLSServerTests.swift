// SPDX-License-Identifier: Apache-2.0

#if Curl && os(Linux)
import APIClient
import AuthCore
import HTTPTypes
import OpenIDConnect
import TestSupport
import Testing

/// A client with a TLS certificate, at a server whose handshake demands one.
///
/// [RFC 8705](https://www.rfc-editor.org/rfc/rfc8705).
@Suite(.timeLimit(.minutes(3)))
struct MutualTLSServerTests {
    private static let invalidClient = TokenEndpointError(.refused, oauthCode: .invalidClient)
    private static let invalidGrant = TokenEndpointError(.refused, oauthCode: .invalidGrant)

    /// The files of a client's certificate and key.
    private struct Files {
        let certificate: TemporaryFile
        let key: TemporaryFile

        init(_ client: CertificateClient) throws {
            certificate = try TemporaryFile(Array(client.certificate.utf8))
            key = try TemporaryFile(Array(client.key.utf8))
        }
    }

    private let listener: MutualTLSListener
    private let authority: TemporaryFile
    private let files: [String: Files]

    init() async throws {
        listener = try await MutualTLSListener.start()
        authority = try TemporaryFile(Array(MutualTLSCertificates.authority.utf8))
        let clients: [CertificateClient] = [.tool, .other]
        files = try Dictionary(uniqueKeysWithValues: clients.map { ($0.id, try Files($0)) })
    }

    /// Returns a transport with a client's certificate; without a certificate for nil.
    private func transport(_ client: CertificateClient?) throws -> CurlTransport {
        let settings = TransportSettings(
            certificateAuthorities: authority.path,
            trustsSystemAuthorities: false,
            clientCertificate: client.flatMap { files[$0.id] }.map {
                .init(certificateFile: $0.certificate.path, privateKeyFile: $0.key.path)
            }
        )
        return try CurlTransport(settings: settings)
    }

    /// Returns the authorization server as the client of an ID knows it.
    private func provider(
        _ id: String = CertificateClient.tool.id,
        presentsClientCertificate: Bool = true,
        through carrier: any Transport
    ) async throws -> OpenIDProvider {
        var settings = ProviderSettings()
        // The document comes through a connection with a certificate, too.
        settings.transport = try transport(.tool)
        let issuer = try Issuer(listener.issuer)
        let metadata = try await ProviderMetadata.discover(authorizationServer: issuer, settings: settings)
        settings.transport = carrier
        settings.presentsClientCertificate = presentsClientCertificate
        settings.certificateBoundTokens = true
        let client = OpenIDClient.confidential(id: id, tls: .certificateAuthority)
        return OAuthProvider(metadata: metadata, client: client, settings: settings).server
    }

    /// Pushes a request, and returns it with the response of the user's sign-in.
    private func authorized(
        at provider: OpenIDProvider
    ) async throws -> (response: AuthorizationResponse, request: AuthorizationRequest) {
        let request = AuthorizationRequest(
            provider: provider.metadata,
            clientID: provider.client.id,
            redirectURI: "http://127.0.0.1:40123/callback",
            nonce: "nonce"
        )
        let url = try await provider.authorizationURL(for: request, pushed: true)
        let query = try #require(listener.server.redirectQuery(ofSignInAt: url))
        return (try AuthorizationResponse(query: query, to: request), request)
    }

    private func signIn(at provider: OpenIDProvider) async throws -> TokenSet {
        let (response, request) = try await authorized(at: provider)
        return try await provider.tokens(for: response, to: request).tokens
    }

    private func refreshed(_ tokens: TokenSet, at provider: OpenIDProvider) async throws -> TokenSet {
        let refreshToken = try #require(tokens.refreshToken)
        let response = try await provider.refreshed(
            with: refreshToken,
            previous: nil,
            dpopKey: nil,
            sendGuard: { true }
        )
        var renewed: TokenSet?
        if case .tokens(let new, _) = response { renewed = new }
        return try #require(renewed)
    }

    /// Calls the API with an access token, and returns the response's head.
    private func jobs(with tokens: TokenSet, through carrier: any Transport) async throws -> HTTPResponse {
        var head = HTTPRequest(method: .get, scheme: "https", authority: listener.authority, path: "/api/jobs")
        head.headerFields[.authorization] = "Bearer \(tokens.accessToken.unredacted)"
        return try await carrier.send(TransportRequest(head: head, timeout: .seconds(60))).head
    }

    /// Returns the thumbprint that an access token is bound to.
    private func thumbprint(of tokens: TokenSet) throws -> String? {
        let claims = try UnverifiedJWT(tokens.accessToken.unredacted).claims.all
        return claims["cnf"]?.object?["x5t#S256"]?.string
    }

    @Test func `every OAuth request presents the certificate, and the API accepts the bound tokens`() async throws {
        let carrier = try transport(.tool)
        let app = try await provider(through: carrier)
        let tokens = try await signIn(at: app)
        let renewed = try await refreshed(tokens, at: app)
        for issued in [tokens, renewed] {
            #expect(try thumbprint(of: issued) == CertificateClient.tool.thumbprint)
            #expect(try await jobs(with: issued, through: carrier).status == .ok)
        }
        #expect(renewed.accessToken != tokens.accessToken)
        try await app.revoke(try #require(renewed.refreshToken))
        let sent = listener.server.requests.filter { $0.path.hasPrefix("/mtls/") }
        #expect(sent.map(\.path) == ["/mtls/par", "/mtls/token", "/mtls/token", "/mtls/revoke"])
        #expect(sent.allSatisfy { $0.thumbprint == CertificateClient.tool.thumbprint })
        #expect(sent.allSatisfy { $0.form["client_id"] == CertificateClient.tool.id && $0.authorization == nil })
    }

    @Test func `a revoked refresh token is refused`() async throws {
        let app = try await provider(through: try transport(.tool))
        let tokens = try await signIn(at: app)
        try await app.revoke(try #require(tokens.refreshToken))
        await #expect(throws: Self.invalidGrant) { try await refreshed(tokens, at: app) }
    }

    @Test func `the API refuses a bound token on a connection with another certificate`() async throws {
        let tokens = try await signIn(at: try await provider(through: try transport(.tool)))
        let refusal = try await jobs(with: tokens, through: try transport(.other))
        #expect(refusal.status == .unauthorized)
        #expect(refusal.headerFields[.wwwAuthenticate] == #"Bearer error="invalid_token""#)
        // A new connection with the right certificate.
        #expect(try await jobs(with: tokens, through: try transport(.tool)).status == .ok)
    }

    @Test func `another client's certificate is refused at every endpoint`() async throws {
        let app = try await provider(through: try transport(.tool))
        let thief = try await provider(through: try transport(.other))
        let tokens = try await signIn(at: app)
        let (response, request) = try await authorized(at: app)
        let pushed = await #expect(throws: AuthorizationError.self) { try await authorized(at: thief) }
        #expect(pushed?.code == .pushedAuthorizationFailed)
        #expect((pushed?.underlying as? TokenEndpointError) == Self.invalidClient)
        await #expect(throws: Self.invalidClient) { try await thief.tokens(for: response, to: request) }
        await #expect(throws: Self.invalidClient) { try await refreshed(tokens, at: thief) }
        let refreshToken = try #require(tokens.refreshToken)
        let revocation = await #expect(throws: RevocationError.self) { try await thief.revoke(refreshToken) }
        #expect(revocation?.code == .refused)
        #expect(revocation?.oauthCode == .invalidClient)
        // Nothing was used up.
        let later = try await app.tokens(for: response, to: request).tokens
        #expect(try thumbprint(of: later) == CertificateClient.tool.thumbprint)
        let renewed = try await refreshed(tokens, at: app)
        #expect(try thumbprint(of: renewed) == CertificateClient.tool.thumbprint)
    }

    @Test func `another client can't use a refresh token with its own certificate`() async throws {
        let tokens = try await signIn(at: try await provider(through: try transport(.tool)))
        let thief = try await provider(CertificateClient.other.id, through: try transport(.other))
        await #expect(throws: Self.invalidGrant) { try await refreshed(tokens, at: thief) }
        let own = try await signIn(at: thief)
        #expect(try thumbprint(of: own) == CertificateClient.other.thumbprint)
    }

    @Test func `a client without its certificate sends nothing`() async throws {
        let tokens = try await signIn(at: try await provider(through: try transport(.tool)))
        let app = try await provider(presentsClientCertificate: false, through: try transport(nil))
        let before = listener.server.requests.count
        await #expect(throws: ClientPolicyError(.noClientCertificate)) { try await refreshed(tokens, at: app) }
        #expect(listener.server.requests.count == before)
    }

    /// With TLS 1.3 the server refuses the client after the client's part of the handshake, so the client can't know
    /// whether the request arrived.
    @Test func `the handshake refuses a connection without a certificate`() async throws {
        let tokens = try await signIn(at: try await provider(through: try transport(.tool)))
        let bare = try transport(nil)
        let app = try await provider(through: bare)
        let before = listener.server.requests.count
        let codes: [TransportError.Code?] = [.insecureConnection, .connectionClosed]
        let error = await #expect(throws: TokenEndpointError.self) { try await refreshed(tokens, at: app) }
        #expect(error?.code == .unreachable)
        let cause = (error?.underlying as? APIError)?.underlying as? TransportError
        #expect(codes.contains(cause?.code))
        let call = await #expect(throws: TransportError.self) { try await jobs(with: tokens, through: bare) }
        #expect(codes.contains(call?.code))
        #expect(listener.server.requests.count == before)
    }
}
#endif
