// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// An OpenID provider, at which the app is registered with a redirect URI of its own scheme.
struct SchemeProvider: Sendable {
    /// Whether this machine has the required programs.
    static let isAvailable = Python.has("cryptography") && Executable.find("curl") != nil

    /// The name of the provider's only user.
    static let userName = "Jane Doe"

    private struct Startup: Decodable {
        let issuer: String
    }

    private struct Logged: Decodable {
        let path: String
    }

    private struct Registration: Decodable {
        let client_id: String
    }

    let issuer: String
    let clientID: String

    /// The options of an app at this provider.
    var options: [String] { ["--issuer", issuer, "--client-id", clientID] }

    /// Runs a test with the provider.
    static func run(redirectURI: String, _ test: (SchemeProvider) async throws -> Void) async throws {
        let program = URL(filePath: #filePath).appending(path: "../../../Support/misbehaving-provider/provider")
        let process = try RunningProcess.server(program.standardizedFileURL.path()).process
        do {
            let startup = try JSONDecoder().decode(Startup.self, from: Data(await process.read(until: "\n").utf8))
            let wish =
                #"{"redirect_uris":["\#(redirectURI)"],"token_endpoint_auth_method":"none","#
                + #""grant_types":["authorization_code","refresh_token"]}"#
            let answer = try await curl([
                "-H", "Content-Type: application/json", "-d", wish, startup.issuer + "/register",
            ])
            let client = try JSONDecoder().decode(Registration.self, from: Data(answer.utf8))
            try await test(SchemeProvider(issuer: startup.issuer, clientID: client.client_id))
        } catch {
            await process.end()
            throw error
        }
        await process.end()
    }

    /// Opens the page of a sign-in, as a browser does, and returns the address that it opens the app with.
    func redirect(from page: String) async throws -> String {
        let head = try await Self.curl(["-o", "/dev/null", "-D", "-", page])
        let line = try #require(
            head.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("location: ") }
        )
        return String(line.dropFirst("location: ".count))
    }

    /// The number of requests to the token endpoint.
    func tokenRequests() async throws -> Int {
        let log = try await Self.curl([issuer + "/_log"])
        return try JSONDecoder().decode([Logged].self, from: Data(log.utf8)).count { $0.path == "/token" }
    }

    private static func curl(_ arguments: [String]) async throws -> String {
        let output = try await Command("curl", ["-sS"] + arguments).run()
        try #require(output.exitCode == 0, "\(output.errorText)")
        return output.text
    }
}
