// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

extension KeyringSuite {
    /// Sign in with Apple that the backend carries out, with the tool, the keyring, the backend and the stand-in.
    @Suite("Sign in with Apple in a browser")
    struct AppleBrowserTests {
        private func browser(_ settings: String...) -> String {
            (["env"] + settings + [Tool.browser]).joined(separator: " ")
        }

        @Test func `the first sign-in brings the name, and later ones keep it`() async throws {
            try await Stage.run { stage in
                let login = try await stage.appleLogin()
                #expect(login.exitCode == 0, "\(login.errorText)")
                #expect(login.text.isEmpty)
                #expect(login.notes.last == "Signed in as Dana Driver; the session is kept in the keyring.")
                #expect(try await stage.tool("logout").exitCode == 0)
                let again = try await stage.appleLogin("--json")
                #expect(again.exitCode == 0, "\(again.errorText)")
                let user = again.object["user"] as? [String: Any]
                #expect(user?["name"] as? String == "Dana Driver")
                #expect(user?["email"] as? String == "driver@example.com")
                let statistics = stage.backend.statistics
                #expect(statistics.count("GET", "/api/auth/apple/start", status: 303) == 2)
                #expect(statistics.count("POST", "/api/auth/apple/callback", status: 303) == 2)
                #expect(statistics.count("POST", "/api/auth/apple/redeem", status: 200) == 2)
            }
        }

        @Test func `a user who cancels at Apple ends the tool with exit code 130`() async throws {
            try await Stage.run { stage in
                var stage = stage
                stage.tool.environment["BROWSER"] = browser("STAND_IN_ACTION=cancel")
                let login = try await stage.appleLogin()
                #expect(login.exitCode == 130)
                #expect(login.notes.suffix(2) == ["The sign-in was cancelled.", "Nothing was changed."])
                #expect(try await stage.stored().isEmpty)
            }
        }

        @Test func `the tool tells that Apple can't be reached now`() async throws {
            try await Stage.run { stage in
                let (login, shown) = try await stage.waitingLogin()
                let (address, form) = try await AppleCurl.response(to: shown, email: "driver@example.com")
                await stage.backend.appleStandIn?.stop()
                try await AppleCurl.post(form, to: address)
                #expect(await login.waitUntilExit(timeout: .seconds(30)) == 6)
                #expect(try await stage.stored().isEmpty)
            }
        }

        @Test func `no browser is sent to a backend that is away`() async throws {
            try await Stage.run { stage in
                var stage = stage
                let opened = stage.folder.url.appending(path: "opened")
                stage.tool.environment["BROWSER"] = "touch \(opened.path())"
                let login = try await stage.tool("login", "--backend", "http://127.0.0.1:9", "--apple")
                #expect(login.exitCode == 6)
                let advice = "Check the address http://127.0.0.1:9, or try again later."
                #expect(login.notes == ["The server can't be reached.", advice])
                #expect(!FileManager.default.fileExists(atPath: opened.path()))
            }
        }

        @Test func `the tool tells that the backend has no registration at Apple`() async throws {
            try await Stage.run(configure: { $0.appleStandInPort = nil }) { stage in
                let login = try await stage.appleLogin()
                #expect(login.exitCode == 1)
                #expect(login.notes.contains("The server refused the sign-in (server_error)."))
            }
        }

        @Test func `an app that the backend doesn't know gets no sign-in`() async throws {
            try await Stage.run { stage in
                let login = try await stage.appleLogin("--client-id", "com.example.other", "--login-timeout", "3")
                #expect(login.exitCode == 1)
                #expect(stage.backend.statistics.count("GET", "/api/auth/apple/start", status: 400) == 1)
                #expect(try await stage.stored().isEmpty)
            }
        }

        @Test func `a stolen redirect is worth nothing, and a foreign one ends no sign-in`() async throws {
            try await Stage.run { stage in
                let (login, address) = try await stage.waitingLogin()
                let items = URLComponents(string: address)?.queryItems
                let back = try #require(items?.first { $0.name == "redirect_uri" }?.value)
                #expect(try await Curl.get(back + "?code=stolen&state=other").status == 400)
                let foreign = try await AppleCurl.redeem("stolen", at: stage.url)
                #expect(foreign.contains("invalid_grant"))
                #expect(try await Command(Tool.browser, [address]).run().exitCode == 0)
                #expect(await login.waitUntilExit(timeout: .seconds(30)) == 0)
            }
        }

        @Test func `a backend with an API key signs in, and the browser needs no key`() async throws {
            try await Stage.run(configure: { $0.apiKey = "key-of-the-app" }) { stage in
                var stage = stage
                stage.tool.environment["SALLYPORT_API_KEY"] = "key-of-the-app"
                let login = try await stage.appleLogin()
                #expect(login.exitCode == 0, "\(login.errorText)")
            }
        }

        @Test func `the provider that stands for Apple still works where the stand-in allows it`() async throws {
            try await Stage.run(configure: { $0.appleStandInAcceptsLoopback = true }) { stage in
                let login = try await stage.appleLogin("--apple-issuer", stage.issuer)
                #expect(login.exitCode == 0, "\(login.errorText)")
                #expect(stage.backend.statistics.count("POST", "/api/auth/apple", status: 200) == 1)
            }
            try await Stage.run { stage in
                let login = try await stage.appleLogin("--apple-issuer", stage.issuer, "--login-timeout", "3")
                #expect(login.exitCode == 1)
            }
        }

        @Test(.enabled(if: Executable.find("chromium") != nil, "needs chromium; Tests/run --all installs it"))
        func `a real browser signs in`() async throws {
            try await Stage.run { stage in
                let (login, address) = try await stage.waitingLogin()
                let chromium = try await Command(MisbehavingProvider.support("providers/chromium-person"), [address])
                    .run()
                #expect(chromium.exitCode == 0, "\(chromium.errorText)")
                #expect(chromium.text.contains("Signed in"), "\(chromium.text)")
                #expect(await login.waitUntilExit(timeout: .seconds(30)) == 0, "\(login.rest())")
                let me = try await stage.tool("api", "GET", "/api/me")
                #expect(me.object["name"] as? String == "Example Person")
                #expect(me.object["email"] as? String == "person@example.com")
            }
        }
    }
}
