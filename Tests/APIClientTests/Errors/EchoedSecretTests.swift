// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

/// The parts of a request that a server may repeat in an error.
@Suite struct EchoedSecretTests {
    private static func response(_ message: String, status: Int = 400) -> TransportResponse {
        .json(#"{"error":{"code":"refused","message":"\#(message)"}}"#, status: status)
    }

    @Test(arguments: [
        "access-token-1", "ACCESS-TOKEN-1", "...-token-1", "access%2Dtoken%2D1", "key-1-of-the-app", "key-1-of...",
    ])
    func `a message that repeats the token or API key is withheld, but its code is kept`(echo: String) async throws {
        let source = try TokenSourceDouble(current: "access-token-1")
        for message in ["not good: \(echo)", "not good"] {
            let fixture = try CallFixture(source: source, apiKey: "key-1-of-the-app") { _ in Self.response(message) }
            let error = await fixture.failure()
            #expect(error?.serverCode?.rawValue == "refused")
            #expect(error?.serverMessage == (message == "not good" ? message : nil))
        }
    }

    /// The contract requires that this sentence is shown.
    @Test func `the message of a role conflict is shown even if the API key names a role`() async throws {
        let message = "This account is registered as a customer. Use the customer app to sign in."
        let fixture = try CallFixture(apiKey: "customer-ios-9f2c") { _ in
            .json(#"{"error":{"code":"role_conflict","message":"\#(message)"}}"#, status: 409)
        }
        let error = await fixture.failure()
        #expect(error?.serverCode?.rawValue == "role_conflict")
        #expect(error?.serverMessage == message)
    }

    @Test func `a code that repeats the token is withheld`() async throws {
        let source = try TokenSourceDouble(current: "access-token-1")
        let fixture = try CallFixture(source: source) { _ in
            .json(#"{"error":"access-token-1","error_description":"no"}"#, status: 400)
        }
        let error = await fixture.failure()
        #expect(error?.serverCode == nil)
        #expect(error?.description.contains("access-token-1") == false)
    }

    @Test func `a message that repeats the replaced token or the new one is withheld`() async throws {
        for echo in ["access-token-1", "access-token-2"] {
            let source = try TokenSourceDouble(current: "access-token-1", afterRefresh: "access-token-2")
            let fixture = try CallFixture(source: source) { _ in Self.response("not good: \(echo)", status: 401) }
            let error = await fixture.failure()
            #expect(error?.code == .unauthorized)
            #expect(fixture.authorizations.count == 2)
            #expect(error?.serverMessage == nil)
        }
    }

    @Test(arguments: [
        (HTTPField.Name.authorization, "Basic dXNlcjpwYXNzd29yZA=="), (.authorization, "opaque-credential-1"),
        (.cookie, "a=b; session=0123456789"),
    ])
    func `a message that repeats a credential in the caller's header is withheld`(
        name: HTTPField.Name,
        value: String
    ) async throws {
        let echo = String(value.suffix(9))
        let fixture = try CallFixture(isSignedIn: false) { _ in Self.response("not good: \(echo)") }
        let options = EndpointOptions(headers: [name: value], requiresAuthentication: false)
        #expect(await fixture.failure(options)?.serverMessage == nil)
        // The scheme is not a secret.
        let other = try CallFixture(isSignedIn: false) { _ in Self.response("Basic is not good") }
        #expect(await other.failure(options)?.serverMessage == "Basic is not good")
    }

    @Test func `a message that repeats a secret of the endpoint is withheld`() async throws {
        let fixture = try CallFixture { _ in Self.response("the password correct horse is wrong") }
        var endpoint = Endpoint<CallFixture.Person>.get("/me")
        #expect(await fixture.failure(of: endpoint)?.serverMessage != nil)
        endpoint.secrets = ["correct horse"]
        #expect(await fixture.failure(of: endpoint)?.serverMessage == nil)
    }

    @Test func `a scope that repeats the token is withheld`() async throws {
        let source = try TokenSourceDouble(current: "access-token-1")
        let challenge = #"Bearer error="insufficient_scope", scope="admin access-token-1""#
        let fixture = try CallFixture(source: source) { _ in CallFixture.refusal(403, [challenge]) }
        let error = await fixture.failure()
        #expect(error?.code == .insufficientScope)
        #expect(error?.requiredScope == Scope(""))
    }

    @Test func `the error of a failed download does not repeat the token`() async throws {
        let source = try TokenSourceDouble(current: "access-token-1")
        let fixture = try CallFixture(source: source) { _ in Self.response("not good: access-token-1") }
        let error = await #expect(throws: APIError.self) {
            try await fixture.client.download(.download("/file")) { _, _ in _ = Issue.record("read") }
        }
        #expect(error?.serverCode?.rawValue == "refused")
        #expect(error?.serverMessage == nil)
    }
}
