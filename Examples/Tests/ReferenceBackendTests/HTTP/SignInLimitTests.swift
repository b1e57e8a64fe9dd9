// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

@testable import ReferenceBackend

@Suite("Sign-in limits")
struct SignInLimitTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private static func network(_ address: String) throws -> ClientNetwork {
        let address: IPAddress = try #require(IPAddress(address))
        return ClientNetwork(address)
    }

    private static func login(_ server: TestBackend, _ email: String, _ password: String) async throws -> TestResponse {
        try await server.post(
            "/api/v1/auth/login",
            TestBackend.loginBody.merging(["email": email, "password": password]) { _, new in new }
        )
    }

    /// Signs in from another address of the loopback network, which is a network of its own.
    ///
    /// - Returns: The response's status.
    private static func loginFromElsewhere(_ server: TestBackend, _ password: String) async throws -> String {
        let body = TestBackend.loginBody.merging(["password": password]) { _, new in new }
        let arguments = [
            "--silent", "--noproxy", "*", "--interface", "127.0.0.2", "--output", "/dev/null", "--write-out",
            "%{http_code}", "--header", "Content-Type: application/json", "--data-binary", "@-",
            server.url + "/api/v1/auth/login",
        ]
        let input = try JSONSerialization.data(withJSONObject: body)
        return try await Command("curl", arguments, input: input).run().text
    }

    // MARK: By network

    @Test func `all addresses of a 64-bit prefix are one network, and the next prefix is another`() throws {
        let network = try Self.network("2001:db8:1:2::1")
        #expect(try Self.network("2001:db8:1:2:ffff:ffff:ffff:ffff") == network)
        #expect(try Self.network("2001:db8:1:3::1") != network)
    }

    @Test func `each IPv4 address is one network, also in its IPv4-mapped IPv6 form`() throws {
        let network = try Self.network("192.0.2.1")
        #expect(try Self.network("::ffff:192.0.2.1") == network)
        #expect(try Self.network("192.0.2.2") != network)
        #expect(try Self.network("::ffff:192.0.2.2") != network)
    }

    // MARK: By account

    @Test func `an account is blocked after too many wrong passwords, and other accounts are not`() async throws {
        try await TestBackend.run(configure: {
            $0.accountSignInLimit = SignInLimit(attempts: 3, window: .seconds(60))
        }) { server async throws in
            try await server.backend.addAccount(email: "eve@example.com", password: "another password")
            for spelling in ["ada@example.com", "ADA@example.com", " ada@example.com "] {
                #expect(try await Self.login(server, spelling, "wrong").status == 401)
            }
            server.clock.advance(by: .seconds(20))
            let refused = try await Self.login(server, TestBackend.email, TestBackend.password)
            #expect(refused.status == 429)
            #expect(refused.code == "rate_limited")
            #expect(refused.header("Retry-After") == "40")
            #expect(try await Self.login(server, "eve@example.com", "another password").status == 200)
            server.clock.advance(by: .seconds(40))
            #expect(try await Self.login(server, TestBackend.email, TestBackend.password).status == 200)
        }
    }

    @Test func `a right password resets the count of its account`() async throws {
        try await TestBackend.run(configure: {
            $0.accountSignInLimit = SignInLimit(attempts: 3, window: .seconds(60))
        }) { server async throws in
            for _ in 0..<3 {
                for _ in 0..<2 {
                    #expect(try await Self.login(server, TestBackend.email, "wrong").status == 401)
                }
                #expect(try await Self.login(server, TestBackend.email, TestBackend.password).status == 200)
            }
        }
    }

    @Test func `an address without an account is limited like one with an account`() async throws {
        try await TestBackend.run(configure: {
            $0.accountSignInLimit = SignInLimit(attempts: 1, window: .seconds(60))
        }) { server async throws in
            for email in [TestBackend.email, "nobody@example.com"] {
                #expect(try await Self.login(server, email, "wrong").status == 401)
                #expect(try await Self.login(server, email, "wrong").status == 429)
            }
        }
    }

    @Test(.enabled(if: Executable.find("curl") != nil, "needs curl; Tests/run installs it"))
    func `guesses from other networks don't lock out a network with an earlier sign-in`() async throws {
        try await TestBackend.run(configure: {
            $0.accountSignInLimit = SignInLimit(attempts: 3, window: .seconds(60))
        }) { server async throws in
            #expect(try await Self.login(server, TestBackend.email, TestBackend.password).status == 200)
            for _ in 0..<3 { #expect(try await Self.loginFromElsewhere(server, "wrong") == "401") }
            #expect(try await Self.loginFromElsewhere(server, TestBackend.password) == "429")
            #expect(try await Self.login(server, TestBackend.email, TestBackend.password).status == 200)
            // The known network has the same limit, but a count of its own.
            for _ in 0..<3 { #expect(try await Self.login(server, TestBackend.email, "wrong").status == 401) }
            #expect(try await Self.login(server, TestBackend.email, TestBackend.password).status == 429)
        }
    }

    @Test func `a right password from a known network does not reset the count of other networks`() throws {
        let limit = SignInLimit(attempts: 2, window: .seconds(60))
        let limiter = SignInLimiter(networks: limit, accounts: limit, now: { Self.start })
        let (known, other) = (try Self.network("192.0.2.1"), try Self.network("192.0.2.2"))
        limiter.noteSignIn(to: TestBackend.email, from: known)
        for _ in 0..<2 { try limiter.countAttempt(at: TestBackend.email, from: other) }
        try limiter.countAttempt(at: TestBackend.email, from: known)
        limiter.noteSignIn(to: TestBackend.email, from: known)
        #expect(throws: APIFailure.self) { try limiter.countAttempt(at: TestBackend.email, from: other) }
    }

    // MARK: In bounded memory

    @Test func `the number of known networks never exceeds the capacity`() throws {
        var known = KnownNetworks(accountCapacity: 4, networkCapacity: 2)
        for account in 0..<20 {
            for network in 0..<20 {
                known.insert(try Self.network("192.0.2.\(network)"), of: "\(account)")
                #expect(known.count <= 8)
            }
        }
    }

    @Test func `a new network replaces the account's network with the oldest sign-in`() throws {
        var known = KnownNetworks(accountCapacity: 2, networkCapacity: 2)
        let networks = try (1...3).map { try Self.network("192.0.2.\($0)") }
        known.insert(networks[0], of: "eve")
        for network in [0, 1, 0, 2] { known.insert(networks[network], of: "ada") }
        #expect(networks.map { known.contains($0, of: "ada") } == [true, false, true])
        #expect(networks.map { known.contains($0, of: "eve") } == [true, false, false])
    }

    @Test func `a new account replaces the account with the oldest sign-in`() throws {
        var known = KnownNetworks(accountCapacity: 2, networkCapacity: 2)
        let network = try Self.network("192.0.2.1")
        for account in ["ada", "bea", "ada", "eve"] { known.insert(network, of: account) }
        #expect(["ada", "bea", "eve"].map { known.contains(network, of: $0) } == [true, false, true])
    }

    private static func windows(capacity: Int, attempts: Int = 1) -> AttemptWindows<Int> {
        AttemptWindows(limit: SignInLimit(attempts: attempts, window: .seconds(60)), capacity: capacity)
    }

    @Test func `the number of windows never exceeds the capacity`() {
        var windows = Self.windows(capacity: 10)
        for key in 0..<1_000 {
            #expect(windows.countAttempt(by: key, at: Self.start) == nil)
            #expect(windows.count <= 10)
        }
    }

    @Test func `a new key replaces only the oldest key`() {
        var windows = Self.windows(capacity: 3)
        for key in 0..<4 {
            _ = windows.countAttempt(by: key, at: Self.start.addingTimeInterval(Double(key)))
        }
        let now = Self.start.addingTimeInterval(10)
        for key in 1..<4 { #expect(windows.countAttempt(by: key, at: now) != nil, "\(key)") }
        #expect(windows.countAttempt(by: 0, at: now) == nil)
    }

    @Test func `expired windows are forgotten`() {
        var windows = Self.windows(capacity: 100)
        for key in 0..<50 { _ = windows.countAttempt(by: key, at: Self.start) }
        #expect(windows.count == 50)
        #expect(windows.countAttempt(by: 99, at: Self.start.addingTimeInterval(60)) == nil)
        #expect(windows.count == 1)
    }

    @Test func `a clock set back by a day does not block sign-ins for a day`() {
        var windows = Self.windows(capacity: 10)
        #expect(windows.countAttempt(by: 1, at: Self.start) == nil)
        #expect(windows.countAttempt(by: 1, at: Self.start) == 60)
        #expect(windows.countAttempt(by: 1, at: Self.start.addingTimeInterval(-86_400)) == nil)
    }
}
