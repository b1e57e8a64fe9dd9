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
        try await source.authorize(&request)
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
        (request.scheme, request.authority) = ("https", "API.example.com:443")
        try await authorizer.authorize(&request)
        #expect(request.headerFields[.authorization] == "Bearer t1")
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
        let error = await #expect(throws: APIError.self) { try await source.authorize(&request) }
        #expect(error?.code == code)
        #expect(request.headerFields[.authorization] == nil)
    }

    private func refusal(of authority: String, by source: some AccessTokenSource) async throws -> APIError.Code? {
        var request = request
        request.authority = authority
        do {
            try await source.authorize(&request)
            return nil
        } catch let error as APIError {
            #expect(request.headerFields[.authorization] == nil)
            return error.code
        }
    }

    @Test func `a restricted source's token goes to the named servers alone`() async throws {
        let api = try BaseURL("https://api.example.com/v1")
        let restricted = source.restricted(to: api, try BaseURL("https://files.example.com"))
        for authority in ["api.example.com", "files.example.com", "FILES.example.com:443"] {
            #expect(try await refusal(of: authority, by: restricted) == nil)
        }
        for authority in ["other.example.com", "api.example.com:8443", "files.example.com.evil.example"] {
            #expect(try await refusal(of: authority, by: restricted) == .originNotAllowed)
        }
        #expect(try await refusal(of: "files.example.com", by: restricted.restricted(to: api)) == .originNotAllowed)
        // Nobody is signed in, and no token is requested.
        let signedOut = try TokenSourceDouble(current: nil).restricted(to: api)
        #expect(try await refusal(of: "other.example.com", by: signedOut) == .originNotAllowed)
    }

    @Test func `an APIClient for another server sends nothing of a restricted source`() async throws {
        let transport = ScriptedTransport { _ in TransportResponse(head: HTTPResponse(status: .ok)) }
        let client = APIClient(
            baseURL: try BaseURL("https://other.example.com"),
            authenticatedBy: source.restricted(to: try BaseURL("https://api.example.com")),
            transport: transport
        )
        let error = await #expect(throws: APIError.self) { _ = try await client.send(.raw(.get, "/jobs")) }
        #expect(error?.code == .originNotAllowed)
        #expect(transport.requests.isEmpty)
    }

    @Test mutating func `plain http is accepted from a caller who allows it`() async throws {
        request.scheme = "http"
        var authorizer = RequestAuthorizer(source, insecureHTTP: .insecurelyAllowHTTP)
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
