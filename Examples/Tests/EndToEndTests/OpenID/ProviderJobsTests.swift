// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// The access tokens that the tool gets from a provider, at an API that verifies them by itself.
@Suite(
    "Access tokens of a provider at the reference backend",
    .enabled(
        if: MisbehavingProvider.isAvailable && PrivateKeyring.isAvailable,
        "needs Python's cryptography, curl and gnome-keyring-daemon; Tests/run installs them"
    )
)
struct ProviderJobsTests {
    /// The options of a sign-in, and the scheme of its access token.
    private static let kinds: [([String], String)] = [([], "Bearer"), (["--dpop"], "DPoP")]

    /// Signs in with a token for the backend, which verifies it, and runs a test.
    private func signedIn(
        _ options: [String],
        _ test: (OpenIDStage, BackendProcess) async throws -> Void
    ) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            try await stage.provider.setAudience(BackendProcess.audience)
            let login = try await stage.login(as: "public", options)
            try #require(login.exitCode == 0, "\(login.errorText)")
            try await BackendProcess.run(trusting: stage.provider, in: stage.folder) { backend in
                try await test(stage, backend)
            }
        }
    }

    /// Sends a request without any proof, as another program that got hold of the token.
    private func status(of url: String, with authorization: String) async throws -> Int {
        try await Curl.get(url, authorization: authorization).status
    }

    /// A DPoP proof is accepted once: the second request has a proof of its own.
    @Test(arguments: kinds)
    func `a token for the backend is accepted, also after a refresh`(options: [String], scheme: String) async throws {
        try await signedIn(options) { stage, backend in
            for command in [["status"], ["refresh"]] {
                #expect(try await stage.tool.run(command).exitCode == 0)
                let output = try await stage.tool("api", "GET", backend.url, "--include")
                #expect(output.exitCode == 0, "\(output.errorText)")
                #expect(output.text.hasPrefix("200"), "\(output.text)")
                #expect(output.text.contains("job-1"), "\(output.text)")
            }
            #expect(try await stage.tool("token", "--header").text.hasPrefix("Authorization: \(scheme) "))
            // Neither request needed a second attempt, which would have refreshed the token.
            #expect(try await stage.provider.log().count { $0.grantType == "refresh_token" } == 1)
        }
    }

    @Test(arguments: kinds)
    func `a token for another API is refused, and the session stays`(options: [String], scheme: String) async throws {
        try await signedIn(options) { stage, backend in
            try await stage.provider.setAudience("https://billing.example")
            let login = try await stage.login(as: "public", options)
            try #require(login.exitCode == 0, "\(login.errorText)")
            #expect(try await stage.tool("token", "--header").text.hasPrefix("Authorization: \(scheme) "))
            let refused = try await stage.tool("api", "GET", backend.url, "--include")
            #expect(refused.exitCode == 1)
            #expect(refused.text.hasPrefix("401"), "\(refused.text)")
            #expect(refused.text.contains(#"\#(scheme) error="invalid_token""#), "\(refused.text)")

            try await stage.provider.setAudience(BackendProcess.audience)
            #expect(try await stage.tool("refresh").exitCode == 0)
            let accepted = try await stage.tool("api", "GET", backend.url)
            #expect(accepted.exitCode == 0, "\(accepted.errorText)")
        }
    }

    @Test func `a token that is bound to a key is refused without the proof`() async throws {
        try await signedIn(["--dpop"]) { stage, backend in
            let token = try await stage.tool("token").text.dropLast()
            #expect(try await status(of: backend.url, with: "Bearer \(token)") == 401)
            #expect(try await status(of: backend.url, with: "DPoP \(token)") == 401)
            #expect(try await stage.tool("api", "GET", backend.url).exitCode == 0)
        }
    }

    /// Shows that the requests of the test before are refused because of the missing proof alone.
    @Test func `a bearer token is accepted from another program, but not with the scheme DPoP`() async throws {
        try await signedIn([]) { stage, backend in
            let token = try await stage.tool("token").text.dropLast()
            #expect(try await status(of: backend.url, with: "Bearer \(token)") == 200)
            #expect(try await status(of: backend.url, with: "DPoP \(token)") == 401)
        }
    }
}
