// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Testing

@testable import AuthSession

/// Secrets of the request that a backend repeats in its error message.
@Suite struct EchoedSecretTests {
    private static func response(_ message: String, status: Int = 401) -> TransportResponse {
        .json(#"{"error":{"code":"invalid","message":"\#(message)"}}"#, status: status)
    }

    @Test(arguments: [
        "The password hunter2-hunter2 is wrong.", "The password %68unter2-hunter2 is wrong.",
        "The key key-1-of-the-app is wrong.",
    ])
    func `the error of a rejected sign-in contains no password and no API key`(message: String) async throws {
        let fixture = try Fixture(apiKey: "key-1-of-the-app")
        fixture.backend.on(Backend.login) { _ in Self.response(message) }
        let error = try await sessionError { try await fixture.signIn() }
        #expect(error.code == .signInRefused)
        #expect(error.serverMessage == nil)
        #expect(error.description == "The server refused the sign-in (invalid).")
        fixture.backend.on(Backend.login) { _ in Self.response("The password is wrong.") }
        #expect(try await sessionError { try await fixture.signIn() }.serverMessage == "The password is wrong.")
    }

    @Test(arguments: [500, 503]) func `the error of a failed server does not contain its message`(status: Int)
        async throws
    {
        let fixture = try Fixture()
        fixture.backend.on(Backend.login) { _ in Self.response("at login(hunter2-hunter2)", status: status) }
        let error = try await sessionError { try await fixture.signIn() }
        #expect(error.serverMessage == nil)
        #expect(error.description == "The server failed (status \(status)).")
    }

    @Test(arguments: ["refresh-1", "refresh%2D1"])
    func `the error of a rejected refresh contains no refresh token`(echo: String) async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.pairRefresh) { _ in Self.response("The token \(echo) is wrong.", status: 422) }
        let error = try await sessionError { try await fixture.session.refresh() }
        #expect(error.serverCode?.rawValue == "invalid")
        #expect(error.serverMessage == nil)
    }
}
