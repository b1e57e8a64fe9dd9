// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Foundation
import HTTPTypes
import Testing

/// The parts of a request that a server may repeat in an error.
@Suite struct EchoedSecretTests {
    private static func response(_ message: String, status: Int = 400) -> TransportResponse {
        .json(#"{"error":{"code":"refused","message":"\#(message)"}}"#, status: status)
    }

    @Test(arguments: [
        "access-token-1", "access%2Dtoken%2D1", "key-1-of-the-app", "%6bey-1-of-the-app",
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
        let echo = try #require(value.split { " =".contains($0) && value.utf8.last != $0.utf8.first }.last)
        let fixture = try CallFixture(isSignedIn: false) { _ in Self.response("not good: \(echo)") }
        let endpoint = Endpoint<CallFixture.Person>.get("/me").anonymous.with { $0.headers = [name: value] }
        #expect(await fixture.failure(of: endpoint)?.serverMessage == nil)
        // The scheme is not a secret.
        let other = try CallFixture(isSignedIn: false) { _ in Self.response("Basic is not good") }
        #expect(await other.failure(of: endpoint)?.serverMessage == "Basic is not good")
    }

    @Test(arguments: [
        ("correct horse", nil), ("correct%20horse", nil), ("correct%2", "correct%2"), ("short", "short"),
        ("ada@example.com", "ada@example.com"), ("s3cr3t value", nil),
        ("write +1 415 555 0100", "write +1 415 555 0100"), ("CORRECT HORSE", nil),
        ("0123456789abcde", "0123456789abcde"),
        ("9ABCdef0123456789a...", nil), ("not good: 2512", nil), ("at 12:30", "at 12:30"),
    ])
    func `a message that repeats a value of the body or query is withheld, but not a short one or the user's profile`(
        echo: String,
        shown: String?
    ) async throws {
        let fields = [
            "email": "ada@example.com", "password": "correct horse", "pin": "short", "phone": "415 555 0100",
            "refreshToken": "0123456789abcdef0123456789abcdef", "otp": "2512", "n": "12",
        ]
        for body in [try RequestBody.json(["a": fields]), .form(fields.map { ($0.key, $0.value) })] {
            let fixture = try CallFixture { _ in Self.response(echo) }
            let query = [("q", "s3cr3t value")]
            let endpoint = Endpoint<CallFixture.Person>.post("/me", query: query, body: body)
            #expect(await fixture.failure(of: endpoint)?.serverMessage == shown)
        }
    }

    @Test(arguments: [("not good: 2512", nil), ("at 12:30", "at 12:30")])
    func `a message that repeats a number of the body is withheld, but not a short one`(
        echo: String,
        shown: String?
    ) async throws {
        let fixture = try CallFixture { _ in Self.response(echo) }
        let endpoint = Endpoint<CallFixture.Person>.post("/me", body: try .json(["pin": 2512, "n": 12]))
        #expect(await fixture.failure(of: endpoint)?.serverMessage == shown)
    }

    @Test(arguments: [
        (#"{"pin": "correct horse", "pin": "another one"}"#, "application/json"),
        (#"{"pin": "correct horse", "other": "\ud800"}"#, "application/json"), ("correct horse", "text/plain"),
        (#"{"pin": "correct horse", "a": ""# + String(repeating: "a", count: 2_000_000) + #""}"#, "application/json"),
    ])
    func `a message that repeats a value of another body than strict JSON is withheld`(
        body: String,
        type: String
    ) async throws {
        for (echo, isShown) in [("not good: correct horse", false), ("not good", true)] {
            let fixture = try CallFixture { _ in Self.response(echo) }
            let requestBody = RequestBody(Array(body.utf8), contentType: type)
            let error = await fixture.failure(of: .post("/me", body: requestBody))
            #expect((error?.serverMessage != nil) == isShown)
        }
    }

    @Test func `a client secret in a Basic field is found as it is`() async throws {
        // RFC 6749, 2.3.1: form-encoded before it is joined.
        let secret = "c0rrect/horse"
        let fixture = try CallFixture(isSignedIn: false) { _ in Self.response("\(secret) is wrong for client-0815") }
        let other = try CallFixture(isSignedIn: false) { _ in Self.response("wrong secret for client-0815") }
        let endpoint = Endpoint<CallFixture.Person>.get("/me").anonymous.with {
            $0.headers = [.authorization: "Basic " + Data("client-0815:c0rrect%2Fhorse".utf8).base64EncodedString()]
        }
        #expect(await fixture.failure(of: endpoint)?.serverMessage == nil)
        #expect(await other.failure(of: endpoint)?.serverMessage != nil)
    }

    @Test func `a scope that repeats the token is withheld`() async throws {
        let source = try TokenSourceDouble(current: "access-token-1")
        let challenge = #"Bearer error="insufficient_scope", scope="admin access-token-1""#
        let fixture = try CallFixture(source: source) { _ in CallFixture.refusal(403, [challenge]) }
        let error = await fixture.failure()
        #expect(error?.code == .insufficientScope)
        #expect(error?.requiredScope == Scope(""))
        #expect(error?.stepUp == StepUpChallenge(scope: ""))
    }
}
