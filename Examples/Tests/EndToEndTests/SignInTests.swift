// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

extension KeyringSuite {
    @Suite("Signing in and out")
    struct SignInTests {
        @Test func `a session works from the password to the sign-out`() async throws {
            try await Stage.run { stage in
                let login = try await stage.login()
                #expect(login.exitCode == 0)
                #expect(login.text.isEmpty)
                #expect(login.notes == ["Signed in as Ada; the session is kept in the keyring."])

                let status = try await stage.tool("status")
                #expect(status.exitCode == 0)
                #expect(status.errorText.isEmpty)
                #expect(status.text.contains("Signed in as  Ada (customer)\n"))
                #expect(status.text.contains("Server        online\n"))

                let token = try await stage.tool("token")
                #expect(token.exitCode == 0)
                #expect(token.errorText.isEmpty)
                let issued = stage.issued.all.filter { $0.kind == .accessToken }.map { $0.rawValue + "\n" }
                #expect(issued == [token.text])

                let jobs = try await stage.tool("api", "GET", "/api/jobs")
                #expect(jobs.exitCode == 0)
                #expect(jobs.errorText.isEmpty)
                #expect(try JSONSerialization.jsonObject(with: jobs.standardOutput) is [Any])

                let refresh = try await stage.tool("refresh")
                #expect(refresh.exitCode == 0)
                #expect(refresh.text.isEmpty)
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/refresh", status: 200) == 1)

                let logout = try await stage.tool("logout")
                #expect(logout.exitCode == 0)
                #expect(logout.text.isEmpty)
                #expect(logout.notes == ["Signed out, here and at the server."])
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/logout", status: 204) == 1)
                #expect(try await stage.tool("status").exitCode == 3)
            }
        }

        @Test func `status prints one JSON object and nothing else`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                let status = try await stage.tool("status", "--json")
                #expect(status.exitCode == 0)
                #expect(status.errorText.isEmpty)
                #expect(status.object["profile"] as? String == "default")
                #expect(status.object["backend"] as? String == stage.url)
                #expect(status.object["contract"] as? String == "tokenPair")
                #expect(status.object["store"] as? String == "keyring")
                #expect(status.object["online"] as? Bool == true)
                #expect((status.object["user"] as? [String: Any])?["email"] as? String == Stage.email)
                let end = try #require(status.object["accessTokenExpiresAt"] as? String)
                #expect(try Date(end, strategy: .iso8601) > Date())
            }
        }

        @Test func `login prints the user as JSON and no token`() async throws {
            try await Stage.run { stage in
                let login = try await stage.login("--json")
                #expect(login.exitCode == 0)
                #expect(login.object["profile"] as? String == "default")
                #expect((login.object["user"] as? [String: Any])?["email"] as? String == Stage.email)
                for token in stage.issued.all {
                    #expect(!login.text.contains(token.rawValue), "\(token)")
                }
            }
        }

        @Test func `Sign in with Apple works through the browser`() async throws {
            try await Stage.run { stage in
                let login = try await stage.appleLogin()
                #expect(login.exitCode == 0, "\(login.errorText)")
                #expect(login.text.isEmpty)
                let status = try await stage.tool("status", "--json")
                #expect(status.exitCode == 0)
                #expect(status.object["contract"] as? String == "sessionToken")
                let me = try await stage.tool("api", "GET", "/api/me")
                #expect(me.exitCode == 0)
                #expect(me.object["email"] as? String == "driver@example.com")
                let refresh = try await stage.tool("refresh")
                #expect(refresh.exitCode == 0)
                #expect(stage.backend.statistics.count("POST", "/api/auth/refresh", status: 200) == 1)
                #expect(try await stage.tool("logout").exitCode == 0)
                #expect(try await stage.stored().isEmpty)
            }
        }

        @Test func `Ctrl-C during the wait for the browser ends with exit code 130`() async throws {
            try await Stage.run { stage in
                var tool = stage.tool
                tool.environment["BROWSER"] = "true"
                let login = try tool.start("login", "--backend", stage.url, "--apple")
                _ = try await login.read(until: "Waiting for the browser")
                login.send(SIGINT)
                #expect(await login.waitUntilExit(timeout: .seconds(30)) == 130)
                #expect(try await stage.stored().isEmpty)
            }
        }

        @Test func `a sign-in fails if the browser does not return in time`() async throws {
            try await Stage.run { stage in
                let login = try await stage.tool(
                    "login",
                    "--backend",
                    stage.url,
                    "--apple",
                    "--no-browser",
                    "--login-timeout",
                    "1"
                )
                #expect(login.exitCode == 1)
                #expect(login.text.isEmpty)
                #expect(login.notes.suffix(2).first == "The browser did not return in time.")
                #expect(login.notes.last?.contains("http://127.0.0.1/callback") == true)
                #expect(try await stage.stored().isEmpty)
            }
        }

        /// RFC 9207: another server's response to this request.
        @Test func `a callback that names another issuer ends with exit code 7`() async throws {
            try await Stage.run(configure: { $0.appleStandInAcceptsLoopback = true }) { stage in
                let (login, address) = try await stage.waitingLogin(issuer: stage.issuer)
                let (back, state) = try #require(Self.callback(in: address))
                // A foreign callback without the right state is refused and ends nothing.
                let stranger = try await Curl.get(back + "?code=c&state=other").status
                #expect(stranger == 400)
                let answer = try await Curl.get(back + "?code=c&iss=https://evil.example&state=" + state).status
                #expect(answer == 200)
                #expect(await login.waitUntilExit(timeout: .seconds(30)) == 7)
                #expect(try await stage.stored().isEmpty)
                #expect(stage.backend.statistics.count("POST", "/api/auth/apple", status: 200) == 0)
            }
        }

        private static func callback(in address: String) -> (redirectURI: String, state: String)? {
            let items = URLComponents(string: address)?.queryItems
            guard let uri = items?.first(where: { $0.name == "redirect_uri" })?.value,
                let state = items?.first(where: { $0.name == "state" })?.value
            else { return nil }
            return (uri, state)
        }

        @Test func `the address is shown without a browser`() async throws {
            try await Stage.run { stage in
                let (login, address) = try await stage.waitingLogin()
                #expect(try await Command(Tool.browser, [address]).run().exitCode == 0)
                #expect(await login.waitUntilExit(timeout: .seconds(30)) == 0)
                #expect(try await stage.tool("status").exitCode == 0)
            }
        }

        @Test func `an account can't be both customer and driver, and the tool says the server's sentence alone`()
            async throws
        {
            try await Stage.run { stage in
                let customer = try await stage.appleLogin()
                try #require(customer.exitCode == 0, "\(customer.errorText)")
                let driver = try await stage.appleLogin("--client-id", Stage.driverApp, "--profile", "driver")
                #expect(driver.exitCode == 1)
                #expect(driver.text.isEmpty)
                let sentence = "This account is registered as a customer. Contact support to become a driver."
                // Nothing follows it: no advice about the command's options.
                #expect(driver.notes.last == sentence)
                #expect(driver.notes.filter { $0.hasPrefix("Check ") }.isEmpty)
                #expect(try await stage.tool("status", "--profile", "driver").exitCode == 3)
                #expect(try await stage.tool("status").exitCode == 0)
            }
        }

        @Test func `a wrong password gives one sentence and one piece of advice`() async throws {
            try await Stage.run { stage in
                let login = try await stage.login(password: "wrong horse")
                #expect(login.exitCode == 1)
                #expect(login.text.isEmpty)
                #expect(login.notes.count == 2)
                #expect(login.notes.last == "Check the e-mail address and the password.")
                #expect(try await stage.stored().isEmpty)
            }
        }

        @Test func `an empty password is not sent`() async throws {
            try await Stage.run { stage in
                let login = try await stage.login(password: "")
                #expect(login.exitCode == 2)
                #expect(login.notes.first == "Standard input contains no password.")
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/login", status: 400) == 0)
            }
        }

        @Test func `a sign-in that can't reach the server names the address and the reason`() async throws {
            try await Stage.run { stage in
                let login = try await stage.tool.run(
                    ["login", "--backend", "http://127.0.0.1:9", "--email", Stage.email, "--password-stdin"],
                    input: "x\n"
                )
                #expect(login.exitCode == 6)
                #expect(
                    login.notes == [
                        "The server can't be reached.", "Check the address http://127.0.0.1:9, or try again later.",
                    ]
                )
            }
        }

        @Test func `a session that is not remembered leaves nothing in the keyring`() async throws {
            try await Stage.run { stage in
                let login = try await stage.login("--no-remember")
                #expect(login.exitCode == 0)
                #expect(login.notes == ["Signed in as Ada; the session ends with this command."])
                #expect(try await stage.stored().isEmpty)
                #expect(try await stage.tool("status").exitCode == 3)
            }
        }

        @Test func `a session that is not remembered leaves no credential of an earlier client`() async throws {
            try await Stage.run { stage in
                let credential = #"{"authority":{"kind":"openID","server":"https://id.example","client":"a"}"#
                let item = #"{"all":[\#(credential),"key":"k","usesCertificate":false}],"signIn":"1","version":1}"#
                try await stage.store(item, key: "client")
                #expect(try await stage.secret(key: "client") == item)
                #expect(try await stage.login("--no-remember").exitCode == 0)
                // An item that can't be decoded would stay.
                #expect(try await stage.stored().isEmpty)
            }
        }

        @Test func `a session that is not remembered can print its token`() async throws {
            try await Stage.run { stage in
                let login = try await stage.login("--no-remember", "--print-token")
                #expect(login.exitCode == 0)
                let issued = stage.issued.all.filter { $0.kind == .accessToken }.map { $0.rawValue + "\n" }
                #expect(issued == [login.text])
            }
        }

        @Test func `a sign-out of one profile does not affect another profile`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn("--profile", "work")
                try await stage.signedIn("--profile", "home")
                #expect(try await stage.tool("logout", "--profile", "work").exitCode == 0)
                #expect(try await stage.tool("status", "--profile", "work").exitCode == 3)
                #expect(try await stage.tool("status").exitCode == 3)
                #expect(try await stage.tool("status", "--profile", "home").exitCode == 0)
                #expect(try await stage.tool("refresh", "--profile", "home").exitCode == 0)
                #expect(try await stage.tool("api", "GET", "/api/jobs", "--profile", "home").exitCode == 0)
            }
        }

        @Test(arguments: [["status"], ["token"], ["api", "GET", "/api/jobs"], ["refresh"], ["logout"]])
        func `a command ends with exit code 3 if no user is signed in`(arguments: [String]) async throws {
            try await Stage.run { stage in
                let output = try await stage.tool.run(arguments)
                #expect(output.exitCode == 3)
                #expect(output.text.isEmpty)
                let advice =
                    "Sign in with: sallyport login NAME --client-id ID "
                    + "(at an app's own backend: sallyport login URL --email ADDRESS)"
                #expect(output.notes == ["You are not signed in.", advice])
            }
        }
    }
}
