// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// Sign-ins for an API that names its authorization server (RFC 9728), as MCP servers do in many ways.
@Suite(
    "A sign-in for an MCP server",
    .enabled(
        if: ProviderPlayer.isAvailable,
        "needs Python's cryptography, curl, gnome-keyring-daemon and network namespaces; Tests/run installs them"
    )
)
struct MCPLoginTests {
    private static let api = "https://mcp.example.com/mcp"
    private static let issuer = "https://auth.example.com/tenant"
    private static let login = "sallyport login --oauth --resource \(api)"

    /// Returns a parameter of the last authorization request.
    private func requested(_ name: String, _ stage: PlayerStage) async throws -> String? {
        try await stage.player.log().last { $0.path.contains("authorize") }?.parameters[name]
    }

    private func registrations(_ stage: PlayerStage) async throws -> Int {
        try await stage.player.log().count { $0.path.hasSuffix("/register") }
    }

    // MARK: Discovery

    @Test func `both documents are found where servers have them`() async throws {
        let root = "https://mcp.example.com/.well-known/oauth-protected-resource"
        let servers = [
            "https://auth.example.com/.well-known/openid-configuration/tenant",
            "https://auth.example.com/tenant/.well-known/openid-configuration",
        ]
        try await PlayerStage.run("mcp") { stage in
            for settings: [String: Any] in [
                ["get": false, "resource_metadata": "https://mcp.example.com/metadata", "elsewhere": 404],
                ["challenge": false, "resource_metadata": "\(root)/mcp", "elsewhere": 403],
                ["resource_metadata": root, "server_metadata": servers[0], "elsewhere": 200],
                ["server_metadata": servers[1], "elsewhere": 403],
            ] {
                try await stage.player.set(settings)
                let login = try await stage.run("\(Self.login) --client-id CLIENT_ID")
                #expect(login.exitCode == 0, "\(settings): \(login.errorText)")
            }
        }
    }

    @Test func `an API that names no server is named by the address that the user typed`() async throws {
        try await PlayerStage.run("mcp") { stage in
            let address = "https://mcp.example.com/other"
            for (status, said) in [(404, " (status 404)"), (200, "")] {
                try await stage.player.set(["resource_metadata": "", "elsewhere": status])
                let login = try await stage.run("sallyport login --oauth --resource \(address) --client-id ID")
                #expect(login.exitCode == 6, "\(login.errorText)")
                #expect(login.notes.first == "The API at \(address) names no authorization server\(said).")
                #expect(login.errorText.contains("--issuer beside --resource"), "\(login.errorText)")
            }
        }
    }

    // MARK: Names

    @Test(arguments: ["https://mcp.example.com", "https://mcp.example.com/"])
    func `a resource that is the API's origin is sent as the API writes it`(resource: String) async throws {
        try await PlayerStage.run("mcp") { stage in
            try await stage.player.set(["resource": resource])
            let login = try await stage.run("\(Self.login) --client-id CLIENT_ID")
            try #require(login.exitCode == 0, "\(login.errorText)")
            #expect(try await requested("resource", stage) == resource)
            #expect(try await stage.run("sallyport refresh").exitCode == 0)
            #expect(try await stage.run("sallyport api GET \(Self.api)").exitCode == 0)
        }
    }

    @Test func `a resource at another origin is refused, and both addresses are named`() async throws {
        try await PlayerStage.run("mcp") { stage in
            try await stage.player.set(["resource": "https://auth.example.com/mcp"])
            let login = try await stage.run("\(Self.login) --client-id CLIENT_ID")
            #expect(login.exitCode == 7, "\(login.errorText)")
            let said = "The metadata of the API at \(Self.api) are about another API: https://auth.example.com/mcp."
            #expect(login.notes.first == said)
            #expect(try await requested("resource", stage) == nil)
        }
    }

    @Test func `an issuer that differs by a slash is refused, and the message says what to type`() async throws {
        try await PlayerStage.run("mcp") { stage in
            try await stage.player.set(["named_issuer": Self.issuer + "/", "names_itself": false])
            let refused = try await stage.run("\(Self.login) --client-id CLIENT_ID")
            #expect(refused.exitCode == 7, "\(refused.errorText)")
            let way = "--issuer \(Self.issuer)/ beside --resource \(Self.api)"
            #expect(refused.errorText.contains("names the authorization server \(Self.issuer), "))
            #expect(refused.errorText.contains("another issuer: \(Self.issuer)/."), "\(refused.errorText)")
            #expect(refused.errorText.contains(way), "\(refused.errorText)")
            let named = try await stage.run("\(Self.login) --issuer \(Self.issuer)/ --client-id CLIENT_ID")
            #expect(named.exitCode == 0, "\(named.errorText)")
        }
    }

    // MARK: Clients

    @Test func `a client ID may be the address of the client's metadata if the server announces that`() async throws {
        try await PlayerStage.run("mcp") { stage in
            let line = "\(Self.login) --client-id https://app.example.com/client.json"
            let refused = try await stage.run(line)
            #expect(refused.exitCode == 1, "\(refused.errorText)")
            #expect(refused.errorText.contains("client_id_metadata_document_supported"), "\(refused.errorText)")
            #expect(refused.errorText.contains(#"--client-id """#), "\(refused.errorText)")
            try await stage.player.set(["client_documents": true])
            let login = try await stage.run(line)
            #expect(login.exitCode == 0, "\(login.errorText)")
            #expect(try await requested("client_id", stage) == "https://app.example.com/client.json")
            #expect(try await registrations(stage) == 0)
            #expect(try await stage.run("\(Self.login) --client-id https://app.example.com").exitCode == 2)
        }
    }

    @Test func `a client that the tool registered is used again, also after a logout`() async throws {
        try await PlayerStage.run("mcp") { stage in
            let line = "\(Self.login) --client-id ''"
            for _ in 0..<2 {
                let login = try await stage.run(line)
                #expect(login.exitCode == 0, "\(login.errorText)")
                #expect(try await stage.run("sallyport logout").exitCode == 0)
            }
            #expect(try await registrations(stage) == 1)
            // A redirect URI or scope that the client is not registered for needs another client.
            #expect(try await stage.run("\(line) --scope jobs:read").exitCode == 0)
            #expect(try await stage.run("\(line) --redirect-port 20017").exitCode == 0)
            #expect(try await registrations(stage) == 3)
            // The server may have forgotten the client, and shows a page.
            #expect(try await stage.run("\(line) --redirect-port 20017 --no-browser --login-timeout 1").exitCode == 1)
            #expect(try await stage.run("\(line) --redirect-port 20017").exitCode == 0)
            #expect(try await registrations(stage) == 4)
        }
    }

    // MARK: Scopes

    @Test func `the scopes of the challenge are requested, or else those of the API's document`() async throws {
        try await PlayerStage.run("mcp") { stage in
            for (challenge, scope) in [("", "jobs:read jobs:write"), ("jobs:write", "jobs:write")] {
                try await stage.player.set(["challenge_scope": challenge])
                let login = try await stage.run("\(Self.login) --client-id CLIENT_ID")
                #expect(login.exitCode == 0, "\(login.errorText)")
                #expect(try await requested("scope", stage) == scope)
            }
        }
    }

    @Test func `api names the command that adds the scope that the API demands`() async throws {
        try await PlayerStage.run("mcp") { stage in
            let login = try await stage.run("\(Self.login) --client-id CLIENT_ID --scope jobs:read")
            try #require(login.exitCode == 0, "\(login.errorText)")
            try await stage.player.set(["needed_scope": "jobs:write"])
            let refused = try await stage.run("sallyport api GET \(Self.api)")
            #expect(refused.exitCode == 1)
            #expect(refused.notes.first == "The API requires the scope jobs:write (insufficient_scope).")
            let advice = try #require(refused.notes.last)
            let command = try #require(advice.firstRange(of: "sallyport login"))
            let line = String(advice[command.lowerBound...])
            #expect(line == "sallyport login --step-up --scope 'jobs:read jobs:write'")
            let stepUp = try await stage.run(line)
            #expect(stepUp.exitCode == 0, "\(stepUp.errorText)")
            #expect(try await requested("resource", stage) == Self.api)
            #expect(try await stage.run("sallyport api GET \(Self.api)").exitCode == 0)
            // The token has these scopes: another sign-in would not help.
            try await stage.player.set(["needed_scope": "jobs:read jobs:write"])
            let again = try await stage.run("sallyport api GET \(Self.api)")
            #expect(again.notes.last == "The session stays. Ask the API's operator which scope the call needs.")
            // A server may take the token apart.
            let token = try await stage.run("sallyport token").text
            let part = token.prefix(20)
            try #require(part.count == 20 && !part.contains("\n"))
            try await stage.player.set(["needed_scope": "\(part)"])
            let echo = try await stage.run("sallyport api GET \(Self.api)")
            #expect(echo.exitCode == 1 && !echo.errorText.contains(part), "\(echo.errorText)")
        }
    }
}
