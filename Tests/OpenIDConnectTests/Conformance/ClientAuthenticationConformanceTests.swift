// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import HTTPTypes
import Testing

@testable import OpenIDConnect

/// Client authentication at the token endpoint.
///
/// [OpenID Connect Core 1.0, 9](https://openid.net/specs/openid-connect-core-1_0.html#ClientAuthentication).
@Suite struct ClientAuthenticationConformanceTests {
    /// Characters that RFC 6749, 2.3.1 requires to be encoded before the join with a colon.
    private static let id = "web client:1"
    private static let secret = "s%20e+c:r&e=t/"

    private static func app(
        _ method: ClientAuthentication.Method,
        secret: String = secret,
        registered: InProcessProvider.Client.Authentication
    ) async throws -> RelyingParty {
        try await RelyingParty(
            .confidential(id: id, secret: ClientSecret(secret), method: method),
            configure: {
                $0.clients = [.confidential(id: Self.id, secret: Self.secret, authentication: registered)]
            }
        )
    }

    @Test func `oidcc-client-test-client-secret-basic: the secret is only in the header`() async throws {
        let app = try await Self.app(.basic, registered: .basic)
        let tokens = try await app.signIn()
        let request = try app.onlyRequest(at: .token)
        #expect(request.fields[.authorization]?.hasPrefix("Basic ") == true)
        #expect(request.formValue("client_secret") == nil)
        #expect(try await app.refreshed(tokens).tokens.refreshToken != nil)
    }

    @Test func `oidcc-client-test-client-secret-post: the secret is only in the form`() async throws {
        let app = try await Self.app(.post, registered: .post)
        let tokens = try await app.signIn()
        let request = try app.onlyRequest(at: .token)
        #expect(request.formValue("client_secret") == Self.secret)
        #expect(request.formValue("client_id") == Self.id)
        #expect(request.fields[.authorization] == nil)
        #expect(try await app.refreshed(tokens).tokens.refreshToken != nil)
    }

    @Test(arguments: [ClientAuthentication.Method.basic, .post])
    func `a wrong secret is refused by the provider and not sent again`(
        method: ClientAuthentication.Method
    ) async throws {
        let registered: InProcessProvider.Client.Authentication = method == .basic ? .basic : .post
        let app = try await Self.app(method, secret: "wrong", registered: registered)
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        #expect(error == OpenIDError(.token, .refused))
        #expect(error?.oauthCode == .invalidClient)
        #expect(app.server.count(at: .token) == 1)
        #expect(try await Self.app(method, registered: registered).signIn().idToken != nil)
    }

    /// A try with the other method would expose the secret in an unexpected place.
    @Test func `a secret is sent only with the configured method`() async throws {
        let app = try await Self.app(.basic, registered: .post)
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        #expect(error?.oauthCode == .invalidClient)
        #expect(try app.onlyRequest(at: .token).formValue("client_secret") == nil)
    }

    @Test func `the URL that the browser opens does not contain the secret`() async throws {
        let app = try await Self.app(.post, registered: .post)
        let request = app.request()
        let plain = try await app.provider.authorizationURL(for: request)
        let pushed = try await app.provider.authorizationURL(for: request, pushed: true)
        for url in [plain, pushed] {
            #expect(!url.contains("client_secret"))
            #expect(!url.contains("s%2520e"))
        }
        #expect(try app.onlyRequest(at: .pushedAuthorizationRequest).formValue("client_secret") == Self.secret)
    }
}
