// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

/// The authorization of requests that another client sends.
@Suite struct RequestAuthorizerTests {
    private let source: TokenSourceDouble
    private var request = HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: "/jobs?page=2")

    init() throws {
        source = try TokenSourceDouble(current: "t1", afterRefresh: "t2")
    }

    private static func unauthorized(_ challenge: String? = nil) -> HTTPResponse {
        var response = HTTPResponse(status: .unauthorized)
        if let challenge { response.headerFields[.wwwAuthenticate] = challenge }
        return response
    }

    @Test mutating func `a call is authorized again once`() async throws {
        var authorizer = RequestAuthorizer(source)
        try await authorizer.authorize(&request)
        #expect(request.headerFields[values: .authorization] == ["Bearer t1"])
        #expect(authorizer.verdict(on: Self.unauthorized()) == .reauthenticate)
        try await authorizer.authorize(&request)
        #expect(request.headerFields[values: .authorization] == ["Bearer t2"])
        #expect(authorizer.verdict(on: Self.unauthorized()) == .final)
        #expect(source.refreshes == 1)
    }

    @Test mutating func `fields of the caller are replaced`() async throws {
        request.headerFields[.authorization] = "Basic abc"
        request.headerFields[try #require(HTTPField.Name("DPoP"))] = "old"
        var authorizer = RequestAuthorizer(source)
        try await authorizer.authorize(&request)
        #expect(request.headerFields.map(\.value) == ["Bearer t1"])
    }

    @Test mutating func `a request to another origin loses the token`() async throws {
        var authorizer = RequestAuthorizer(source)
        try await authorizer.authorize(&request)
        for (scheme, authority) in [
            ("https", "other.example.com"), ("https", "api.example.com:8443"), ("https", "api.example.com."),
        ] {
            (request.scheme, request.authority) = (scheme, authority)
            try await authorizer.authorize(&request)
            #expect(request.headerFields[.authorization] == nil)
            #expect(authorizer.verdict(on: Self.unauthorized()) == .final)
        }
        #expect(source.rejected.isEmpty)
    }

    @Test mutating func `an origin is the same in other case and with its port`() async throws {
        var authorizer = RequestAuthorizer(source)
        try await authorizer.authorize(&request)
        (request.scheme, request.authority) = ("https", "API.example.com:443")
        try await authorizer.authorize(&request)
        #expect(request.headerFields[.authorization] == "Bearer t1")
    }

    /// The other server has chosen the address.
    @Test(arguments: [true, false])
    func `a request that comes back from another origin gets no token`(namesServer: Bool) async throws {
        let servers: Set = [try BaseURL("https://api.example.com")]
        var authorizer = RequestAuthorizer(source, for: namesServer ? servers : nil)
        var (there, back) = (request, request)
        there.authority = "other.example.com"
        var first = request
        try await authorizer.authorize(&first)
        #expect(first.headerFields[.authorization] == "Bearer t1")
        for request in [there, back] { #expect(request.headerFields[.authorization] == nil) }
        try await authorizer.authorize(&there)
        #expect(there.headerFields[.authorization] == nil)
        try await authorizer.authorize(&back)
        #expect(back.headerFields[.authorization] == nil)
        #expect(authorizer.verdict(on: Self.unauthorized()) == .final)
        #expect(source.rejected.isEmpty)
    }

    @Test(arguments: [
        ("http", "api.example.com", APIError.Code.originNotAllowed), ("ftp", "api.example.com", .invalidRequest),
        ("https", "user@api.example.com", .invalidRequest), ("https", "", .invalidRequest),
    ])
    func `an unsafe or invalid address gets no token`(
        scheme: String,
        authority: String,
        code: APIError.Code
    ) async throws {
        var request = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
        request.headerFields[.authorization] = "Bearer old"
        var authorizer = RequestAuthorizer(source)
        let error = await #expect(throws: APIError.self) { try await authorizer.authorize(&request) }
        #expect(error?.code == code)
        #expect(request.headerFields[.authorization] == nil)
    }

    @Test(arguments: ["@evil.example/", ".evil.example/", ":8443/", "evil"], [false, true])
    func `a path that goes on with the host gets no token`(path: String, namesServers: Bool) async throws {
        var request = HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: path)
        let servers = try namesServers ? Set([BaseURL("https://api.example.com")]) : nil
        var authorizer = RequestAuthorizer(source, for: servers)
        await #expect(throws: APIError.self) { try await authorizer.authorize(&request) }
        #expect(request.headerFields[.authorization] == nil)
    }

    private func refusal(of authority: String, for servers: Set<BaseURL>, by source: TokenSourceDouble) async throws
        -> APIError.Code?
    {
        var request = request
        request.authority = authority
        var authorizer = RequestAuthorizer(source, for: servers)
        do {
            try await authorizer.authorize(&request)
            return nil
        } catch let error as APIError {
            #expect(request.headerFields[.authorization] == nil)
            return error.code
        }
    }

    @Test func `a token goes to the named servers alone`() async throws {
        let api = try BaseURL("https://api.example.com/v1")
        let servers: Set = [api, try BaseURL("https://files.example.com")]
        for authority in ["api.example.com", "files.example.com", "FILES.example.com:443"] {
            #expect(try await refusal(of: authority, for: servers, by: source) == nil)
        }
        for authority in ["other.example.com", "api.example.com:8443", "files.example.com.evil.example"] {
            #expect(try await refusal(of: authority, for: servers, by: source) == .originNotAllowed)
        }
        #expect(try await refusal(of: "files.example.com", for: [api], by: source) == .originNotAllowed)
        // Nobody is signed in, and no token is requested.
        let signedOut = try TokenSourceDouble(current: nil)
        #expect(try await refusal(of: "other.example.com", for: [api], by: signedOut) == .originNotAllowed)
    }

    /// A source that names the servers of its credentials.
    private struct Limited: AccessTokenSource {
        let base: TokenSourceDouble
        var allowedOrigins: Set<String>? { ["https://api.example.com"] }

        func credential() async throws -> AccessCredential { try await base.credential() }
        func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential {
            try await base.credential(insteadOf: rejected)
        }
    }

    @Test func `an APIClient for another server sends nothing of a source that names its servers`() async throws {
        let transport = ScriptedTransport { _ in TransportResponse(head: HTTPResponse(status: .ok)) }
        let client = APIClient(
            baseURL: try BaseURL("https://other.example.com"),
            authenticatedBy: Limited(base: source),
            transport: transport
        )
        let error = await #expect(throws: APIError.self) { _ = try await client.send(.raw(.get, "/jobs")) }
        #expect(error?.code == .originNotAllowed)
        #expect(transport.requests.isEmpty)
    }

    @Test mutating func `plain http is accepted from a caller who allows it`() async throws {
        request.scheme = "http"
        let server = try BaseURL("http://api.example.com", insecureHTTP: .insecurelyAllowHTTP)
        var authorizer = RequestAuthorizer(source, for: [server])
        try await authorizer.authorize(&request)
        #expect(request.headerFields[.authorization] == "Bearer t1")
    }

    @Test mutating func `a verdict needs an authorized request`() async throws {
        var authorizer = RequestAuthorizer(source)
        #expect(authorizer.verdict(on: Self.unauthorized()) == .final)
    }

    @Test mutating func `a token that only a refusal of the caller's own could explain is kept`() async throws {
        var authorizer = RequestAuthorizer(source, refreshesWithoutBearerChallenge: false)
        try await authorizer.authorize(&request)
        #expect(authorizer.verdict(on: Self.unauthorized("Basic realm=\"x\"")) == .final)
        #expect(authorizer.verdict(on: Self.unauthorized("Bearer")) == .reauthenticate)
    }

    @Test(
        arguments: [
            (
                #"Bearer error="insufficient_user_authentication", acr_values="mfa phr", max_age="60""#,
                ["mfa", "phr"], 60
            ),
            (#"DPoP error="insufficient_user_authentication", max_age=0"#, [], 0),
            (#"Bearer error="insufficient_user_authentication""#, [], nil),
            (#"Bearer error="insufficient_user_authentication", max_age="-1""#, [], nil),
            (#"Bearer error="insufficient_user_authentication", max_age="+1""#, [], nil),
            (#"Bearer error="insufficient_user_authentication", max_age="99999999999999999999""#, [], nil),
            (#"Bearer error="insufficient_user_authentication", max_age="99999999999""#, [], 31_536_000),
            (#"Bearer error="insufficient_user_authentication", acr_values="a\"b c\\d ok""#, ["ok"], nil),
        ] as [(String, [String], Int?)]
    )
    func `a step-up challenge is read as far as it is valid`(
        challenge: String,
        values: [String],
        seconds: Int?
    ) async throws {
        let response = Self.unauthorized(challenge)
        let stepUp = try #require(StepUpChallenge(response))
        #expect(stepUp.acrValues == values)
        #expect(stepUp.maxAge == seconds.map { .seconds($0) })
        var authorizer = RequestAuthorizer(source)
        var request = request
        try await authorizer.authorize(&request)
        #expect(authorizer.verdict(on: response) == .stepUpRequired(stepUp))
    }

    @Test func `an invalid token comes before a step-up, and only a 401 or 403 asks for one`() {
        let both = #"Bearer error="insufficient_user_authentication", Bearer error="invalid_token""#
        #expect(StepUpChallenge(Self.unauthorized(both)) == nil)
        var response = Self.unauthorized(#"Bearer error="insufficient_user_authentication""#)
        response.status = .badRequest
        #expect(StepUpChallenge(response) == nil)
        #expect(StepUpChallenge(Self.unauthorized("Basic error=\"insufficient_user_authentication\"")) == nil)
    }

    @Test func `a scope that the token lacks is a step-up, of at most 64 scopes`() {
        let scopes = (0..<100).map { "scope-\($0)" }
        let challenge = #"Bearer error="insufficient_scope", scope="\#(scopes.joined(separator: " "))""#
        #expect(StepUpChallenge(Self.unauthorized(challenge))?.scope?.values == Array(scopes.prefix(64)))
        let long = String(repeating: "a", count: 257)
        let other = #"Bearer error="insufficient_scope", scope="\#(long) b""#
        #expect(StepUpChallenge(Self.unauthorized(other)) == StepUpChallenge(scope: "b"))
        let unnamed = StepUpChallenge(Self.unauthorized(#"Bearer error="insufficient_scope""#))
        #expect(unnamed == StepUpChallenge(scope: ""))
    }

    @Test func `a client reports a step-up without a retry, and hides a token in it`() async throws {
        let token = "secret-token-0123456789"
        let challenge = #"Bearer error="insufficient_user_authentication", acr_values="\#(token) mfa""#
        let fixture = try CallFixture(source: try TokenSourceDouble(current: token, afterRefresh: "t2")) { _ in
            CallFixture.unauthorized(challenge)
        }
        let error = try #require(await fixture.failure())
        #expect(error.code == .stepUpRequired)
        #expect(error.stepUp?.acrValues == ["mfa"])
        #expect(fixture.transport.requests.count == 1)
        #expect(fixture.refreshes == 0)
    }
}
