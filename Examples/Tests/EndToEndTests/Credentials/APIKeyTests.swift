// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

extension KeyringSuite {
    @Suite("The API key of an app")
    struct APIKeyTests {
        private static let keyOfA = "key-of-backend-a"
        private static let keyOfB = "key-of-backend-b"

        /// Returns whether a record contains a key, plain or in its authority's details.
        private static func holds(_ record: String, _ key: String) -> Bool {
            record.contains(key) || record.contains(Data(key.utf8).base64EncodedString())
        }

        /// Runs a test with the profile `a` at a backend with an API key, and with the tool for a profile `b`.
        ///
        /// - Parameter test: The test, which gets the settings of a second backend.
        /// - Throws: The errors of the test.
        private func run(_ test: (Stage, BackendSettings) async throws -> Void) async throws {
            try await Stage.run(configure: { $0.apiKey = Self.keyOfA }) { stage in
                var stage = stage
                stage.tool.environment["SALLYPORT_API_KEY"] = Self.keyOfA
                try await stage.signedIn("--profile", "a")
                let port = try HeldPort()
                defer { withExtendedLifetime(port) {} }
                var settings = BackendSettings(databasePath: stage.folder.url.appending(path: "b.sqlite").path())
                settings.passwordCost = .insecurelyCheap
                settings.port = port.number
                settings.appleStandInPort = 0
                stage.tool.environment["SALLYPORT_PROFILE"] = "b"
                try await test(stage, settings)
                stage.tool.environment["SALLYPORT_API_KEY"] = nil
                let refresh = try await stage.tool("refresh", "--profile", "a")
                #expect(refresh.exitCode == 0, "\(refresh.errorText)")
            }
        }

        /// Runs a part of a test while the second backend requires a key.
        private func atBackend(
            _ settings: BackendSettings,
            requiring key: String?,
            _ part: (ReferenceBackend) async throws -> Void
        ) async throws {
            var settings = settings
            settings.apiKey = key
            let backend = try await ReferenceBackend.start(settings)
            do {
                try await backend.addAccount(email: Stage.email, password: Stage.password, name: "Ada")
                try await part(backend)
            } catch {
                await backend.stop()
                throw error
            }
            await backend.stop()
        }

        private func signIn(with tool: Tool, at backend: ReferenceBackend, withApple: Bool) async throws {
            let way = withApple ? ["--apple", "--login-timeout", "60"] : ["--email", Stage.email, "--password-stdin"]
            let arguments = ["login", "--backend", "http://127.0.0.1:\(backend.port)"] + way
            let login = try await tool.run(arguments, input: withApple ? "" : Stage.password + "\n")
            try #require(login.exitCode == 0, "\(login.errorText)")
        }

        @Test(arguments: [false, true])
        func `a session sends the API key of its sign-in, and never another one that is set later`(
            withApple: Bool
        ) async throws {
            try await run { stage, settings in
                try await atBackend(settings, requiring: Self.keyOfB) { backend in
                    var tool = stage.tool
                    tool.environment["SALLYPORT_API_KEY"] = Self.keyOfB
                    try await signIn(with: tool, at: backend, withApple: withApple)
                    for key in [Self.keyOfA, nil] {
                        tool.environment["SALLYPORT_API_KEY"] = key
                        for command in [["refresh"], ["status"], ["token"], ["api", "GET", "/api/me"]] {
                            let output = try await tool.run(command)
                            #expect(output.exitCode == 0, "\(command): \(output.errorText)")
                        }
                        #expect(try await tool("exec", "--", "true").exitCode == 0)
                        let record = try await stage.secret(key: "session", profile: "b")
                        #expect(Self.holds(record, Self.keyOfB))
                        #expect(!Self.holds(record, Self.keyOfA))
                    }
                    tool.environment["SALLYPORT_API_KEY"] = Self.keyOfA
                    #expect(try await tool("logout").exitCode == 0)
                    let logouts = backend.statistics.count("POST", "/api/v1/auth/logout", status: 204)
                    #expect(logouts == (withApple ? 0 : 1))
                }
            }
        }

        /// The second backend accepts the first one's key, so that each call that sent it would succeed.
        @Test(arguments: [false, true])
        func `a session without an API key sends none and stores none until the next sign-in`(
            withApple: Bool
        ) async throws {
            try await run { stage, settings in
                let tool = stage.tool
                var withoutKey = tool
                withoutKey.environment["SALLYPORT_API_KEY"] = nil
                try await atBackend(settings, requiring: nil) {
                    try await signIn(with: withoutKey, at: $0, withApple: withApple)
                }
                try await atBackend(settings, requiring: Self.keyOfA) { backend in
                    let refresh = try await tool("refresh")
                    #expect(refresh.exitCode == 1)
                    let advice = "Sign in again, with SALLYPORT_API_KEY set if the backend requires an API key."
                    #expect(refresh.notes.last == advice)
                    #expect(try await tool("api", "GET", "/api/me").exitCode == 1)
                    for command in [["status"], ["token", "--min-ttl", "100000"], ["profiles"]] {
                        _ = try await tool.run(command)
                    }
                    for path in ["/api/v1/auth/refresh", "/api/auth/refresh", "/api/auth/validate"] {
                        #expect(backend.statistics.count("POST", path, status: 200) == 0, "\(path)")
                    }
                    let record = try await stage.secret(key: "session", profile: "b")
                    #expect(record.contains("accessToken"))
                    #expect(!Self.holds(record, Self.keyOfA))
                    #expect(try await withoutKey("refresh").exitCode == 1)
                    _ = try await tool("logout")
                    #expect(backend.statistics.count("POST", "/api/v1/auth/logout", status: 204) == 0)
                    try await signIn(with: tool, at: backend, withApple: withApple)
                    #expect(try await withoutKey("refresh").exitCode == 0)
                    #expect(Self.holds(try await stage.secret(key: "session", profile: "b"), Self.keyOfA))
                }
            }
        }
    }
}
