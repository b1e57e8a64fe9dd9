import AuthCore
import Testing

@testable import OpenIDConnect

@Suite struct AuthorizationResponseTests {
    private static func check(
        _ query: String,
        refusedAs code: AuthorizationError.Code,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> AuthorizationError? {
        let request = try await Provider.request()
        let query = query.replacing("STATE", with: request.state.unredacted)
        let error = #expect(throws: AuthorizationError.self, sourceLocation: sourceLocation) {
            try AuthorizationResponse(query: query, answering: request)
        }
        #expect(error?.code == code, sourceLocation: sourceLocation)
        return error
    }

    @Test(arguments: [
        "code=c%2F1&state=STATE", "state=STATE&code=c%2F1&iss=https%3A%2F%2Fprovider.example",
        "code=c%2F1&state=STATE&extra=1",
    ])
    func `an answer to the request is taken`(query: String) async throws {
        let request = try await Provider.request()
        let query = query.replacing("STATE", with: request.state.unredacted)
        #expect(try AuthorizationResponse(query: query, answering: request).code == "c/1")
    }

    @Test(arguments: [
        "code=c", "", "code=c&state=", "code=c&state=STATEx", "code=c&state=state", "code=c&State=STATE",
        "error=access_denied", "error=access_denied&state=other", "code=c&state=other&iss=https%3A%2F%2Fevil.example",
    ])
    func `an answer to another attempt is refused, before all else`(query: String) async throws {
        _ = try await Self.check(query, refusedAs: .stateMismatch)
    }

    @Test(arguments: [
        "code=c&code=d&state=STATE", "code=c&code=c&state=STATE", "code=c&state=STATE&state=STATE",
        "code=c&state=STATE&iss=https%3A%2F%2Fprovider.example&iss=https%3A%2F%2Fprovider.example",
        "error=a&error=b&state=STATE", "code=c&%63ode=d&state=STATE",
        // The accent forms one character with the separator before it, which separates all the same.
        "code=c&code=\u{301}d&state=STATE", "code=c&\u{301}=&code=d&state=STATE",
    ])
    func `a parameter that is given twice is refused`(query: String) async throws {
        _ = try await Self.check(query, refusedAs: .malformed)
    }

    @Test(arguments: ["state=STATE", "state=STATE&code=", "state=STATE&code=%", "state=STATE&code=%FF"])
    func `an answer without a readable code is refused`(query: String) async throws {
        _ = try await Self.check(query, refusedAs: .malformed)
    }

    @Test func `an answer that is too long is refused`() async throws {
        _ = try await Self.check("state=STATE&code=" + String(repeating: "a", count: 8_192), refusedAs: .malformed)
    }

    /// RFC 9207, 2.4: simple string comparison, so a trailing slash is another issuer.
    @Test(arguments: [
        "https%3A%2F%2Fevil.example", "https%3A%2F%2Fprovider.example%2F", "HTTPS%3A%2F%2Fprovider.example", "",
    ])
    func `another issuer's answer is refused`(issuer: String) async throws {
        _ = try await Self.check("code=c&state=STATE&iss=\(issuer)", refusedAs: .issuerMismatch)
        _ = try await Self.check("error=access_denied&state=STATE&iss=\(issuer)", refusedAs: .issuerMismatch)
    }

    @Test func `a refusal of the user's is a cancellation, and names the provider's code`() async throws {
        let query = "error=access_denied&error_description=Not+assigned&state=STATE"
        let error = try await Self.check(query, refusedAs: .cancelled)
        #expect(error?.oauthCode == .accessDenied)
        #expect(error?.oauthDescription == "Not assigned")
        #expect(error?.description.contains("(access_denied)") == true)
    }

    @Test(arguments: [("server_error", "server_error"), ("a%0Ab%1B%5B31m", "ab[31m"), ("%E2%80%AEx", "x")])
    func `a provider's code is carried, cleaned`(sent: String, kept: String) async throws {
        let error = try await Self.check("error=\(sent)&state=STATE&error_description=text", refusedAs: .refused)
        #expect(error?.oauthCode?.rawValue == kept)
    }

    @Test func `a provider's sentence is carried, cleaned and bounded`() async throws {
        let long = String(repeating: "a", count: 1_000)
        let error = try await Self.check(
            "error=x&state=STATE&error_description=one%1B%5B2J%0Atwo%E2%80%AE\(long)",
            refusedAs: .refused
        )
        #expect(error?.oauthDescription == "one[2Jtwo" + String(repeating: "a", count: 291))
    }

    @Test(arguments: ["STATE", "public-1-nonce", "public-1..."])
    func `a provider's sentence that repeats a secret of the request is withheld`(secret: String) async throws {
        let query = "error=x&state=STATE&error_description=wrong%20\(secret)"
        let error = try await Self.check(query, refusedAs: .refused)
        #expect(error?.oauthCode?.rawValue == "x")
        #expect(error?.oauthDescription == nil)
    }

    /// RFC 9207, 2.4: a response without the promised issuer may be another provider's.
    @Test func `an answer without the issuer that was promised is refused`() async throws {
        let document = Provider.document.dropLast() + #","authorization_response_iss_parameter_supported":true}"#
        let request = try await Provider.request(document: String(document))
        let error = #expect(throws: AuthorizationError.self) {
            try AuthorizationResponse(query: "code=c&state=\(request.state.unredacted)", answering: request)
        }
        #expect(error?.code == .issuerMismatch)
    }

    @Test(arguments: ["recipe://callback?", "RECIPE://Callback?", "recipe://callback/?", "recipe://callback?x=1&"])
    func `an answer to the app's own address is taken`(address: String) async throws {
        let request = try await Provider.request(redirectURI: "recipe://callback")
        let url = address + "code=c&state=\(request.state.unredacted)#_=_"
        #expect(try AuthorizationResponse(redirectedTo: url, answering: request).code == "c")
    }

    @Test(arguments: [
        "recipe://callback2?", "recipe://callback/x?", "recipes://callback?", "recipe:callback?", "https://callback?",
        "recipe://evil@callback?", "?", "recipe://call?back",
    ])
    func `an answer to another address is none`(address: String) async throws {
        let request = try await Provider.request(redirectURI: "recipe://callback")
        let url = address + "code=c&state=\(request.state.unredacted)"
        let error = #expect(throws: AuthorizationError.self) {
            try AuthorizationResponse(redirectedTo: url, answering: request)
        }
        #expect(error?.code == .redirectMismatch)
    }

    @Test func `an error wins over a code beside it`() async throws {
        _ = try await Self.check("error=server_error&code=c&state=STATE", refusedAs: .refused)
    }

    @Test func `a response shows no code when it is printed`() async throws {
        let request = try await Provider.request()
        let query = "code=sk-code-4f1d&state=\(request.state.unredacted)"
        let response = try AuthorizationResponse(query: query, answering: request)
        var dumped = ""
        dump([response], to: &dumped)
        for rendering in ["\(response)", String(reflecting: response), "\([response])", dumped] {
            #expect(!rendering.contains("4f1d"))
        }
    }

    @Test func `a request shows neither state nor verifier when it is printed`() async throws {
        let request = try await Provider.request()
        var dumped = ""
        dump(request, to: &dumped)
        for rendering in ["\(request)", String(reflecting: request), dumped] {
            #expect(!rendering.contains(request.state.unredacted))
            #expect(!rendering.contains(request.codeVerifier.unredacted))
        }
    }
}
