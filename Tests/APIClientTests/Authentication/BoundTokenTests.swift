import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

/// A token that is bound to a key, and a source that has the token alone.
@Suite struct BoundTokenTests {
    /// As an app writes one that forwards to the session, for its log say.
    private struct Forwarding: AccessTokenSource {
        let tokens: [AccessToken]

        func accessToken() async throws -> AccessToken { tokens[0] }
        func accessToken(insteadOf rejected: AccessToken) async throws -> AccessToken { tokens[1] }
    }

    private func failure(_ tokens: [AccessToken], _ transport: ScriptedTransport) async throws -> APIError? {
        let client = APIClient(
            baseURL: try BaseURL("https://api.example.com"),
            authenticatedBy: Forwarding(tokens: tokens),
            transport: transport
        )
        return await #expect(throws: APIError.self) { _ = try await client.send(.raw(.get, "/me")) }
    }

    /// RFC 9449, 7.1: as a bearer token it would be good for whoever reads it, at a server that does not look.
    @Test func `it never goes out as a bearer token`() async throws {
        let transport = ScriptedTransport { _ in CallFixture.ada }
        let error = try await failure([try AccessToken("t1").bound], transport)
        #expect(error?.code == .proofUnavailable)
        #expect(transport.requests.isEmpty)
    }

    @Test func `nor does it after a refusal`() async throws {
        let transport = ScriptedTransport { _ in CallFixture.unauthorized() }
        let error = try await failure([try AccessToken("t1"), try AccessToken("t2").bound], transport)
        #expect(error?.code == .proofUnavailable)
        #expect(transport.requests.count == 1)
        #expect(error?.attempts.map(\.kind) == [.otherToken])
    }
}
