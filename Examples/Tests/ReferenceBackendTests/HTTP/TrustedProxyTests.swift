// SPDX-License-Identifier: Apache-2.0

import ReferenceBackend
import Testing

@Suite("Clients behind a proxy")
struct TrustedProxyTests {
    /// Runs a test, which sends its requests from 127.0.0.1, against a backend that trusts an address.
    private func run(
        trusting proxy: String? = "127.0.0.1",
        configure: (inout BackendSettings) -> Void,
        _ test: (TestBackend) async throws -> Void
    ) async throws {
        let proxy = try proxy.map { try #require(IPAddress($0)) }
        try await TestBackend.run(
            configure: { settings in
                settings.trustedProxy = proxy
                configure(&settings)
            },
            test
        )
    }

    /// Returns the status of a login that a proxy passes on.
    private func login(
        _ server: TestBackend,
        from hops: String?,
        password: String = TestBackend.password
    ) async throws -> Int {
        let body = TestBackend.loginBody.merging(["password": password]) { _, new in new }
        let headers = hops.map { ["X-Forwarded-For": $0] } ?? [:]
        return try await server.post("/api/v1/auth/login", body, headers: headers).status
    }

    private static func limitNetworks(_ attempts: Int) -> (inout BackendSettings) -> Void {
        { $0.signInLimit = SignInLimit(attempts: attempts, window: .seconds(60)) }
    }

    @Test(arguments: ["127.0.0.1", "::ffff:127.0.0.1"])
    func `each client of a trusted proxy has a limit of its own`(proxy: String) async throws {
        try await run(trusting: proxy, configure: Self.limitNetworks(2)) { server async throws in
            for _ in 0..<2 { #expect(try await login(server, from: "192.0.2.1") == 200) }
            #expect(try await login(server, from: "192.0.2.1") == 429)
            #expect(try await login(server, from: "192.0.2.2") == 200)
            #expect(try await login(server, from: "2001:db8::1") == 200)
        }
    }

    @Test func `guesses of another client of the proxy don't lock the user out`() async throws {
        try await run(configure: {
            $0.accountSignInLimit = SignInLimit(attempts: 3, window: .seconds(60))
        }) { server async throws in
            #expect(try await login(server, from: "192.0.2.1") == 200)
            for _ in 0..<3 { #expect(try await login(server, from: "192.0.2.2", password: "wrong") == 401) }
            #expect(try await login(server, from: "192.0.2.2") == 429)
            #expect(try await login(server, from: "192.0.2.1") == 200)
        }
    }

    @Test func `the last hop is the client, because the client can invent the others`() async throws {
        try await run(configure: Self.limitNetworks(1)) { server async throws in
            #expect(try await login(server, from: "192.0.2.1") == 200)
            #expect(try await login(server, from: "192.0.2.2, 192.0.2.1") == 429)
            #expect(try await login(server, from: "192.0.2.1,192.0.2.2") == 200)
        }
    }

    @Test(arguments: ["unknown", "192.0.2.1:80", "192.0.2.1,", "192.0.2.1, name.example", "fe80::1%lo"])
    func `without an address as the last hop, the client is the proxy`(hops: String) async throws {
        try await run(configure: Self.limitNetworks(1)) { server async throws in
            #expect(try await login(server, from: nil) == 200)
            #expect(try await login(server, from: hops) == 429)
        }
    }

    @Test(arguments: [nil, "192.0.2.9"] as [String?])
    func `the hops of a peer that is not trusted are ignored`(proxy: String?) async throws {
        try await run(trusting: proxy, configure: Self.limitNetworks(1)) { server async throws in
            #expect(try await login(server, from: "192.0.2.1") == 200)
            #expect(try await login(server, from: "192.0.2.2") == 429)
        }
    }
}
