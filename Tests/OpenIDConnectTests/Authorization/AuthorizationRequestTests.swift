import AuthCore
import Testing

@testable import OpenIDConnect

@Suite struct AuthorizationRequestTests {
    @Test func `the address asks for a code, with PKCE, state and nonce`() async throws {
        let request = try await Provider.request()
        let parts = request.url.split(separator: "?")
        #expect(parts.first == "https://provider.example/authorize")
        let items = try #require(FormEncoding.decode(String(parts[1])))
        #expect(
            Dictionary(uniqueKeysWithValues: items) == [
                "response_type": "code", "client_id": "client & co", "redirect_uri": "http://127.0.0.1:1/callback",
                "scope": "openid profile email", "state": request.state.unredacted, "nonce": "public-nonce",
                "code_challenge": request.codeVerifier.codeChallenge, "code_challenge_method": "S256",
            ]
        )
    }

    @Test func `the verifier is not in the address`() async throws {
        let request = try await Provider.request()
        #expect(!request.url.contains(request.codeVerifier.unredacted))
    }

    @Test func `two requests share neither state nor verifier`() async throws {
        let one = try await Provider.request()
        let other = try await Provider.request()
        #expect(one.state != other.state)
        #expect(one.codeVerifier != other.codeVerifier)
    }
}
