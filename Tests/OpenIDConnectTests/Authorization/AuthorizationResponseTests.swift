// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@testable import OpenIDConnect

@Suite struct AuthorizationResponseTests {
    private static func check(
        _ query: String,
        refusedAs expected: OpenIDError,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> OpenIDError? {
        let request = try await Provider.request()
        let query = query.replacing("STATE", with: request.state.unredacted)
        let error = #expect(throws: OpenIDError.self, sourceLocation: sourceLocation) {
            try AuthorizationResponse(query: query, to: request)
        }
        #expect(error == expected, sourceLocation: sourceLocation)
        return error
    }

    @Test(arguments: [
        "code=c%2F1&state=STATE", "state=STATE&code=c%2F1&iss=https%3A%2F%2Fprovider.example",
        "code=c%2F1&state=STATE&extra=1",
    ])
    func `a response to the request is accepted`(query: String) async throws {
        let request = try await Provider.request()
        let query = query.replacing("STATE", with: request.state.unredacted)
        #expect(try AuthorizationResponse(query: query, to: request).code == "c/1")
    }

    @Test(arguments: [
        "code=c", "", "code=c&state=", "code=c&state=STATEx", "code=c&state=state", "code=c&State=STATE",
        "error=access_denied", "error=access_denied&state=other", "code=c&state=other&iss=https%3A%2F%2Fevil.example",
    ])
    func `a response to another request is refused before any other check`(query: String) async throws {
        _ = try await Self.check(query, refusedAs: OpenIDError(.authorization, .stateMismatch))
    }

    @Test(arguments: [
        "code=c&code=d&state=STATE", "code=c&code=c&state=STATE", "code=c&state=STATE&state=STATE",
        "code=c&state=STATE&state=other", "code=c&state=STATE&iss=https%3A%2F%2Fprovider.example&iss=other",
        "code=c&state=STATE&iss=https%3A%2F%2Fprovider.example&iss=https%3A%2F%2Fprovider.example",
        "error=a&error=b&state=STATE", "code=c&%63ode=d&state=STATE",
        // The accent forms one character with the separator before it, which separates all the same.
        "code=c&code=\u{301}d&state=STATE", "code=c&\u{301}=&code=d&state=STATE",
    ])
    func `a duplicate parameter is refused`(query: String) async throws {
        _ = try await Self.check(query, refusedAs: OpenIDError(.authorization, .malformedResponse))
    }

    @Test(arguments: ["state=STATE", "state=STATE&code=", "state=STATE&code=%", "state=STATE&code=%FF"])
    func `a response without a readable code is refused`(query: String) async throws {
        _ = try await Self.check(query, refusedAs: OpenIDError(.authorization, .malformedResponse))
    }

    @Test func `a response that is too long is refused`() async throws {
        _ = try await Self.check(
            "state=STATE&code=" + String(repeating: "a", count: 8_192),
            refusedAs: OpenIDError(.authorization, .malformedResponse)
        )
    }

    /// RFC 9207, 2.4: simple string comparison, so a trailing slash is another issuer.
    @Test(arguments: [
        "https%3A%2F%2Fevil.example", "https%3A%2F%2Fprovider.example%2F", "HTTPS%3A%2F%2Fprovider.example", "",
    ])
    func `a response of another issuer is refused`(issuer: String) async throws {
        _ = try await Self.check(
            "code=c&state=STATE&iss=\(issuer)",
            refusedAs: OpenIDError(.authorization, .issuerMismatch)
        )
        _ = try await Self.check(
            "error=access_denied&state=STATE&iss=\(issuer)",
            refusedAs: OpenIDError(.authorization, .issuerMismatch)
        )
    }

    @Test func `access_denied is a cancellation, and the error has the provider's code`() async throws {
        let query = "error=access_denied&error_description=Not+assigned&state=STATE"
        let error = try await Self.check(query, refusedAs: OpenIDError(.authorization, .cancelled))
        #expect(error?.oauthCode == .accessDenied)
        #expect(error?.serverMessage == "Not assigned")
        #expect(error?.description.contains("(access_denied)") == true)
    }

    @Test(arguments: [("server_error", "server_error"), ("a%0Ab%1B%5B31m", "ab[31m"), ("%E2%80%AEx", "x")])
    func `the provider's error code is kept without unsafe characters`(sent: String, kept: String) async throws {
        let error = try await Self.check(
            "error=\(sent)&state=STATE&error_description=text",
            refusedAs: OpenIDError(.authorization, .refused)
        )
        #expect(error?.oauthCode?.rawValue == kept)
    }

    @Test func `the provider's description is kept without unsafe characters and truncated`() async throws {
        let long = String(repeating: "a", count: 1_000)
        let error = try await Self.check(
            "error=x&state=STATE&error_description=one%1B%5B2J%0Atwo%E2%80%AE\(long)",
            refusedAs: OpenIDError(.authorization, .refused)
        )
        #expect(error?.serverMessage == "one[2Jtwo" + String(repeating: "a", count: 291))
    }

    @Test(arguments: ["STATE", "public-1-nonce"])
    func `a description that repeats a secret of the request is withheld`(secret: String) async throws {
        let query = "error=x&state=STATE&error_description=wrong%20\(secret)"
        let error = try await Self.check(query, refusedAs: OpenIDError(.authorization, .refused))
        #expect(error?.oauthCode?.rawValue == "x")
        #expect(error?.serverMessage == nil)
    }

    /// RFC 9207, 2.4: a response without the promised issuer may be another provider's.
    @Test func `a response without the promised issuer is refused`() async throws {
        let document = Provider.document.dropLast() + #","authorization_response_iss_parameter_supported":true}"#
        let request = try await Provider.request(document: String(document))
        let error = #expect(throws: OpenIDError.self) {
            try AuthorizationResponse(query: "code=c&state=\(request.state.unredacted)", to: request)
        }
        #expect(error == OpenIDError(.authorization, .issuerMismatch))
    }

    @Test(arguments: ["recipe://callback?", "RECIPE://Callback?", "recipe://callback/?", "recipe://callback?x=1&"])
    func `a response at the app's redirect URI is accepted`(address: String) async throws {
        let request = try await Provider.request(redirectURI: "recipe://callback")
        let url = address + "code=c&state=\(request.state.unredacted)#_=_"
        #expect(try AuthorizationResponse(redirectedTo: url, to: request).code == "c")
    }

    @Test(arguments: [
        "recipe://callback2?", "recipe://callback/x?", "recipes://callback?", "recipe:callback?", "https://callback?",
        "recipe://evil@callback?", "?", "recipe://call?back",
    ])
    func `a response at another redirect URI is refused`(address: String) async throws {
        let request = try await Provider.request(redirectURI: "recipe://callback")
        let url = address + "code=c&state=\(request.state.unredacted)"
        let error = #expect(throws: OpenIDError.self) {
            try AuthorizationResponse(redirectedTo: url, to: request)
        }
        #expect(error == OpenIDError(.authorization, .redirectMismatch))
    }

    @Test func `an error takes precedence over a code`() async throws {
        _ = try await Self.check(
            "error=server_error&code=c&state=STATE",
            refusedAs: OpenIDError(.authorization, .refused)
        )
    }

    @Test func `a printed response shows no code`() async throws {
        let request = try await Provider.request()
        let query = "code=sk-code-4f1d&state=\(request.state.unredacted)"
        let response = try AuthorizationResponse(query: query, to: request)
        var dumped = ""
        dump([response], to: &dumped)
        for rendering in ["\(response)", String(reflecting: response), "\([response])", dumped] {
            #expect(!rendering.contains("4f1d"))
        }
    }

    @Test func `a printed request shows neither state nor verifier`() async throws {
        let request = try await Provider.request()
        var dumped = ""
        dump(request, to: &dumped)
        for rendering in ["\(request)", String(reflecting: request), dumped] {
            #expect(!rendering.contains(request.state.unredacted))
            #expect(!rendering.contains(request.codeVerifier.unredacted))
        }
    }
}
