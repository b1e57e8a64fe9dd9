// SPDX-License-Identifier: Apache-2.0

import Foundation
import Sallyport
import SharedTestSupport
import Testing

/// The rules of each provider, with the tool against the provider's stand-in.
@Suite(
    "The rules of the providers",
    .enabled(
        if: ProviderPlayer.isAvailable,
        "needs Python's cryptography, curl, gnome-keyring-daemon and network namespaces; Tests/run installs them"
    )
)
struct ProviderRuleTests {
    private static let google =
        "sallyport login --provider google --client-id CLIENT_ID --client-secret-file secret.txt"
    private static let microsoft = "sallyport login --provider microsoft --client-id CLIENT_ID"

    // MARK: Known issuers

    @Test func `an issuer brings its rules without the provider's name`() async throws {
        try await PlayerStage.run("google") { stage in
            let line =
                "sallyport login --issuer https://accounts.google.com --client-id CLIENT_ID --client-secret-file secret.txt"
            let login = try await stage.run(line)
            #expect(login.exitCode == 0, "\(login.errorText)")
            let request = try #require(try await stage.player.log().first { $0.path.contains("auth") })
            #expect(request.parameters["scope"] == "openid profile email")
            #expect(request.parameters["access_type"] == "offline")
            #expect(request.parameters["prompt"] == "consent")
        }
    }

    // MARK: Google

    @Test func `Google's second sign-in gets a refresh token too, and a revoked user's session ends`() async throws {
        try await PlayerStage.run("google") { stage in
            try await stage.player.set(["consented_before": true])
            let login = try await stage.run(Self.google)
            #expect(login.exitCode == 0 && !login.errorText.contains("no refresh token"), "\(login.errorText)")
            #expect(try await stage.run("sallyport refresh").exitCode == 0)
            try await stage.player.set(["revoke_everything": true])
            let refresh = try await stage.run("sallyport refresh")
            #expect(refresh.exitCode == 4, "\(refresh.errorText)")
        }
    }

    @Test func `Google's quota of the device flow is named`() async throws {
        try await PlayerStage.run("google") { stage in
            try await stage.player.set(["device_quota": true])
            let login = try await stage.run(
                "sallyport login --provider google --client-id DEVICE_CLIENT_ID --client-secret-file device-secret.txt --device"
            )
            #expect(login.exitCode == 1, "\(login.errorText)")
            #expect(login.errorText.contains("rate_limit_exceeded"), "\(login.errorText)")
        }
    }

    // MARK: Microsoft

    @Test(arguments: [
        ("common", "acme"), ("common", "consumers"), ("organizations", "other"), ("consumers", "consumers"),
        ("acme", "acme"),
    ])
    func `users of each tenant sign in at Microsoft, and stay signed in`(address: String, tenant: String) async throws {
        try await PlayerStage.run("microsoft") { stage in
            let tenants = stage.player.tenants
            try await stage.player.set(["tid": try #require(tenants[tenant])])
            let named = tenants[address].flatMap { address == "acme" ? $0 : nil } ?? address
            let login = try await stage.run("\(Self.microsoft) --tenant \(named)")
            #expect(login.exitCode == 0, "\(login.errorText)")
            #expect(try await stage.run("sallyport refresh").exitCode == 0)
            #expect(try await stage.run("sallyport userinfo").exitCode == 0)
        }
    }

    @Test func `a token for another API costs no refresh at Microsoft, and only the command asks`() async throws {
        try await PlayerStage.run("microsoft") { stage in
            let scope = try #require(stage.player.scope)
            let login = try await stage.run("\(Self.microsoft) --scope 'openid profile offline_access \(scope)'")
            try #require(login.exitCode == 0, "\(login.errorText)")
            for _ in 1...2 {
                let userinfo = try await stage.run("sallyport userinfo")
                #expect(userinfo.exitCode == 1, "\(userinfo.errorText)")
                #expect(userinfo.errorText.contains("for another API"), "\(userinfo.errorText)")
                #expect(try await stage.run("sallyport status").exitCode == 0)
            }
            let log = try await stage.player.log()
            #expect(log.count { $0.path.contains("userinfo") } == 2)
            #expect(!log.contains { $0.parameters["grant_type"] == "refresh_token" })
        }
    }

    @Test func `Microsoft has no revocation, and logout says until when the token stays valid`() async throws {
        try await PlayerStage.run("microsoft") { stage in
            #expect(try await stage.run(Self.microsoft).exitCode == 0)
            let logout = try await stage.run("sallyport logout --no-browser")
            #expect(logout.exitCode == 0)
            #expect(logout.errorText.contains("has no revocation endpoint"), "\(logout.errorText)")
            #expect(logout.errorText.contains("stays valid until 20"), "\(logout.errorText)")
        }
    }

    // MARK: GitHub

    @Test func `GitHub's dead refresh token ends the session, although the status is 200`() async throws {
        try await PlayerStage.run("github") { stage in
            let line = "sallyport login --provider github --client-id CLIENT_ID --client-secret-file secret.txt"
            let login = try await stage.run(line, as: "app")
            try #require(login.exitCode == 0, "\(login.errorText)")
            #expect(try await stage.run("sallyport refresh", as: "app").exitCode == 0)
            try await stage.player.set(["revoke_everything": true])
            let refresh = try await stage.run("sallyport refresh", as: "app")
            #expect(refresh.exitCode == 4, "\(refresh.errorText)")
            #expect(refresh.errorText.contains("bad_refresh_token"), "\(refresh.errorText)")
        }
    }

    @Test func `GitHub Enterprise is at its own address, with its API below api v3`() async throws {
        try await PlayerStage.run("github") { stage in
            let address = "https://github.example.com"
            let login = try await stage.run(
                "sallyport login --provider github --issuer \(address) --client-id CLIENT_ID --client-secret-file secret.txt"
            )
            #expect(login.exitCode == 0, "\(login.errorText)")
            #expect(try await stage.run("sallyport api GET \(address)/api/v3/user").exitCode == 0)
            #expect(try await stage.player.log().allSatisfy { $0.host == "github.example.com" })
        }
    }

    /// RFC 6749, 5.1: `expires_in` is only recommended, and a token without it does not last forever.
    @Test func `a token without an end and a refresh token is described as one of unknown lifetime`() async throws {
        try await PlayerStage.run("github") { stage in
            let line = "sallyport login --provider github --client-id CLIENT_ID --client-secret-file secret.txt"
            let login = try await stage.run(line)
            try #require(login.exitCode == 0, "\(login.errorText)")
            let unknown = "the provider did not say how long the access token lasts"
            #expect(login.errorText.contains("The provider issued no refresh token; \(unknown)"), "\(login.errorText)")
            let status = try await stage.run("sallyport status").text
            #expect(status.contains("Access token  the server did not say how long it lasts"), "\(status)")
            #expect(status.contains("Refresh       no refresh token; \(unknown)"), "\(status)")
            #expect(try await stage.run("sallyport doctor").text.contains("access token of unknown lifetime"))
        }
    }

    // MARK: MCP

    private static let mcp = "sallyport login --oauth --resource https://mcp.example.com/mcp"

    /// The paths of the redirect URIs in the browser, in order.
    private static func redirectPaths(_ stage: PlayerStage) async throws -> [String] {
        try await stage.player.log().filter { $0.path.contains("authorize") }.map {
            try #require(URL(string: $0.parameters["redirect_uri"] ?? "")).path
        }
    }

    @Test func `a client that the tool registers at an API's server has a redirect URI of its own, and needs no iss`()
        async throws
    {
        try await PlayerStage.run("mcp") { stage in
            try await stage.player.set(["names_itself": false])
            let login = try await stage.run(Self.mcp + " --client-id ''")
            try #require(login.exitCode == 0, "\(login.errorText)")
            let again = try await stage.run("sallyport login --step-up")
            #expect(again.exitCode == 0, "\(again.errorText)")
            let own = "/2W7gNVnOj47SJFHeNwgAXQ/callback"
            #expect(try await Self.redirectPaths(stage) == [own, own])
        }
    }

    @Test func `a client ID at an API's server without iss is refused, unless --issuer names the server`() async throws
    {
        try await PlayerStage.run("mcp") { stage in
            try await stage.player.set(["names_itself": false])
            for more in ["", " --paste", " --no-browser"] {
                let refused = try await stage.run("\(Self.mcp) --client-id CLIENT_ID\(more)")
                #expect(refused.exitCode == 1, "\(refused.errorText)")
                #expect(refused.errorText.contains("--issuer beside --resource"), "\(refused.errorText)")
                let path = try Issuer("https://auth.example.com/tenant").distinctRedirectPath
                #expect(refused.errorText.contains("--redirect-path \(path)"), "\(refused.errorText)")
            }
            #expect(try await Self.redirectPaths(stage).isEmpty)
            let line = "\(Self.mcp) --issuer https://auth.example.com/tenant --client-id CLIENT_ID"
            let named = try await stage.run(line)
            #expect(named.exitCode == 0, "\(named.errorText)")
            try await stage.player.set(["names_itself": true])
            let known = try await stage.run("\(Self.mcp) --client-id CLIENT_ID")
            #expect(known.exitCode == 0, "\(known.errorText)")
            #expect(try await Self.redirectPaths(stage) == ["/callback", "/callback"])
        }
    }

    // MARK: Others

    @Test func `Okta's nonces for DPoP are good for one proof each`() async throws {
        try await PlayerStage.run("okta") { stage in
            try await stage.player.set(["nonce_uses": 1])
            let login = try await stage.run(
                "sallyport login --provider okta --issuer https://acme.okta.com/oauth2/default --client-id CLIENT_ID --dpop",
                as: "dpop"
            )
            #expect(login.exitCode == 0, "\(login.errorText)")
            #expect(try await stage.run("sallyport refresh", as: "dpop").exitCode == 0)
        }
    }

    @Test func `Auth0's demand for another factor keeps the session, and says that a sign-in helps`() async throws {
        try await PlayerStage.run("auth0") { stage in
            let login = try await stage.run(
                "sallyport login --provider auth0 --issuer https://acme.auth0.com --client-id CLIENT_ID"
            )
            try #require(login.exitCode == 0, "\(login.errorText)")
            try await stage.player.set(["mfa_required": true])
            let refresh = try await stage.run("sallyport refresh")
            #expect(refresh.exitCode == 1, "\(refresh.errorText)")
            #expect(refresh.errorText.contains("mfa_required") && refresh.errorText.contains("sign in again"))
            let status = try await stage.run("sallyport status")
            #expect(status.text.contains("refused since") && status.text.contains("mfa_required"), "\(status.text)")
            try await stage.player.set(["mfa_required": false])
            #expect(try await stage.run("sallyport refresh").exitCode == 0)
            #expect(try await stage.run("sallyport status").text.contains("refused") == false)
        }
    }

    @Test func `endpoints by hand need no metadata, also in the device flow`() async throws {
        try await PlayerStage.run("gitlab") { stage in
            let endpoints =
                "--authorization-endpoint https://gitlab.com/oauth/authorize --token-endpoint https://gitlab.com/oauth/token "
                + "--device-endpoint https://gitlab.com/oauth/authorize_device --userinfo-endpoint https://gitlab.com/oauth/userinfo"
            for (client, more) in [("desktop", ""), ("device", " --device")] {
                let line = "sallyport login --oauth \(endpoints) --client-id CLIENT_ID --scope 'openid profile'\(more)"
                let login = try await stage.run(line, as: client)
                #expect(login.exitCode == 0, "\(login.errorText)")
                let status = try await stage.run("sallyport status --json", as: client)
                #expect(status.object["contract"] as? String == "oauth")
                #expect(status.object["sub"] as? String == stage.player.user.sub)
            }
        }
    }

    // MARK: Help

    @Test func `a refusal on the provider's own page is explained after fifteen seconds`() async throws {
        try await PlayerStage.run("google") { stage in
            let login = try stage.start("\(Self.google) --scope 'openid offline_access'")
            let notes = try await login.read(until: "scope openid offline_access: ", timeout: .seconds(40))
            #expect(notes.contains("If the browser shows an error"))
            #expect(notes.contains(try #require(stage.player.clients["desktop"]).id), "\(notes)")
            #expect(notes.contains("redirect_uri http://127.0.0.1:"), "\(notes)")
            #expect(!login.hasEnded)
            login.send(SIGINT)
            #expect(await login.waitUntilExit(timeout: .seconds(20)) == 130)
            #expect(!login.rest().contains("redirect_uri"))
        }
    }

    @Test func `Ctrl-C shows the same help at once`() async throws {
        try await PlayerStage.run("okta") { stage in
            let login = try stage.start(
                "sallyport login --provider okta --issuer https://acme.okta.com/oauth2/default --client-id CLIENT_ID --redirect-port 9999"
            )
            _ = try await login.read(until: "Waiting for the browser")
            login.send(SIGINT)
            #expect(await login.waitUntilExit(timeout: .seconds(20)) == 130)
            #expect(login.rest().contains("redirect_uri http://127.0.0.1:9999/callback"))
        }
    }

    @Test func `the end of the wait names the values`() async throws {
        try await PlayerStage.run("okta") { stage in
            let login = try await stage.run(
                "sallyport login --provider okta --issuer https://acme.okta.com/oauth2/default --client-id CLIENT_ID "
                    + "--redirect-port 9999 --login-timeout 2"
            )
            #expect(login.exitCode == 1)
            #expect(
                login.errorText.contains("redirect_uri http://127.0.0.1:9999/callback"),
                "\(login.errorText)"
            )
            #expect(login.errorText.contains("Sign-in redirect URIs"), "\(login.errorText)")
        }
    }

    @Test func `a port that is taken is named`() async throws {
        try await PlayerStage.run("auth0") { stage in
            let first = try stage.start(
                "sallyport login --provider auth0 --issuer https://acme.auth0.com --client-id CLIENT_ID --no-browser"
            )
            _ = try await first.read(until: "Open this address in a browser:")
            let second = try await stage.run(
                "sallyport login --provider auth0 --issuer https://acme.auth0.com --client-id CLIENT_ID --profile other"
            )
            #expect(second.exitCode == 1)
            #expect(second.errorText.contains("Port 8484"), "\(second.errorText)")
            first.send(SIGINT)
            _ = await first.waitUntilExit(timeout: .seconds(20))
        }
    }

    // MARK: A pasted address

    @Test func `the address that the browser ended at can be pasted`() async throws {
        try await PlayerStage.run("keycloak") { stage in
            let line =
                "sallyport login --provider keycloak --issuer https://sso.example.com/realms/acme --client-id CLIENT_ID"
            let input = Pipe.make()
            let login = try stage.start(line + " --paste", input: input)
            let notes = try await login.read(until: "Paste the address")
            let url = try #require(notes.split(separator: "\n").last { $0.hasPrefix("https://sso.example.com/") })
            let visit = try await stage.run("curl -s -o /dev/null -w '%{redirect_url}' '\(url)'")
            #expect(visit.text.hasPrefix("http://127.0.0.1:"), "\(visit.text)")
            let wrong = "http://127.0.0.1:1/callback?code=a&state=b\n"
            try input.fileHandleForWriting.write(contentsOf: Data((wrong + visit.text + "\n").utf8))
            #expect(await login.waitUntilExit(timeout: .seconds(30)) == 0, "\(login.rest())")
            #expect(login.rest().contains("Signed in as"))
            #expect(try await stage.run("sallyport status").exitCode == 0)
        }
    }

    @Test func `a sign-in whose address nobody pastes ends, and leaves nothing behind`() async throws {
        try await PlayerStage.run("keycloak") { stage in
            let line =
                "sallyport login --provider keycloak --issuer https://sso.example.com/realms/acme --client-id CLIENT_ID --paste"
            let login = try await stage.run(line)
            #expect(login.exitCode == 1, "\(login.errorText)")
            #expect(login.errorText.contains("No address of this sign-in was pasted."))
            let started = try stage.start(line, input: Pipe.make())
            _ = try await started.read(until: "Paste the address")
            started.send(SIGINT)
            #expect(await started.waitUntilExit(timeout: .seconds(10)) == 130)
        }
    }
}
