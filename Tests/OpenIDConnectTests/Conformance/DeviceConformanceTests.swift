// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Synchronization
import Testing

@testable import OpenIDConnect

/// Sign-in on another device, on a test clock: no real time passes.
///
/// [RFC 8628](https://www.rfc-editor.org/rfc/rfc8628).
@Suite struct DeviceConformanceTests {
    /// The times of the token requests, in seconds of the clock.
    private final class Polls: Sendable {
        private let moments = Mutex<[Int]>([])
        let clock = TestClock()
        let start: TestClock.Instant

        init() { start = clock.now }

        var all: [Int] { moments.withLock { $0 } }

        func record() {
            let moment = Int(start.duration(to: clock.now) / .seconds(1))
            moments.withLock { $0.append(moment) }
        }

        func transport(_ server: InProcessProvider) -> any Transport {
            ChangedTransport(
                base: server,
                changeRequest: { request in
                    if request.path == InProcessProvider.Endpoint.token.path { self.record() }
                }
            )
        }
    }

    private let polls = Polls()

    private func app(
        _ client: OpenIDClient = .public(id: "native"),
        configure: (inout InProcessProvider.Configuration) -> Void = { _ in }
    ) async throws -> RelyingParty {
        try await RelyingParty(client, clock: polls.clock, configure: configure, through: { polls.transport($0) })
    }

    /// Starts the wait for the user, and advances the clock for a number of polls.
    private func waiting(
        _ app: RelyingParty,
        for device: DeviceAuthorization,
        polls count: Int
    ) async -> Task<OpenIDTokens, any Error> {
        let task = Task { try await app.provider.tokens(for: device) }
        for _ in 0..<count {
            await app.clock.sleepers()
            app.clock.advanceToNextSleeper()
        }
        return task
    }

    private func failure(_ task: Task<OpenIDTokens, any Error>) async -> OpenIDError? {
        let error = await #expect(throws: OpenIDError.self) { try await task.value }
        return error
    }

    // MARK: The polling interval

    @Test func `the client polls after each interval until the user has entered the code`() async throws {
        let app = try await app()
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        let task = await waiting(app, for: device, polls: 2)
        await app.clock.sleepers()
        #expect(app.server.approveDevice(userCode: device.userCode))
        app.clock.advanceToNextSleeper()
        let tokens = try await task.value
        #expect(tokens.idToken?.subject == "248289761001")
        #expect(polls.all == [5, 10, 15])
        #expect(try await app.userInfo(tokens).email == "jane@example.com")
    }

    @Test func `the client never polls before the interval is over`() async throws {
        let app = try await app()
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        let task = await waiting(app, for: device, polls: 0)
        await app.clock.sleepers()
        app.clock.advance(by: .milliseconds(4_999))
        #expect(app.clock.sleeperCount == 1)
        #expect(polls.all.isEmpty)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// RFC 8628, 3.2: five seconds if the provider gives no interval.
    ///
    /// The interval is capped at a minute, since the user waits, too.
    @Test(
        arguments: [
            (nil, 5), (.integer(0), 1), (.integer(7), 7), (.string("3"), 3), (.integer(60), 60), (.integer(61), 60),
            (.number(1e300), 60), (.string("999999999999999999"), 60),
        ] as [(JSONValue?, Int)]
    )
    func `the client polls at the provider's interval, up to a minute`(interval: JSONValue?, seconds: Int) async throws
    {
        let app = try await app()
        app.server.inject(
            interval.map { InProcessProvider.Fault.responseMember("interval", $0, at: .deviceAuthorization) }
                ?? .responseMember("interval", nil, at: .deviceAuthorization)
        )
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        app.server.approveDevice(userCode: device.userCode)
        #expect(try await waiting(app, for: device, polls: 1).value.idToken != nil)
        #expect(polls.all == [seconds])
    }

    /// RFC 8628, 3.5: five seconds more for this and all later polls.
    @Test func `slow_down adds five seconds to all later pauses`() async throws {
        let app = try await app()
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        app.server.inject(.error("slow_down", at: .token))
        app.server.inject(.error("authorization_pending", at: .token))
        app.server.inject(.error("slow_down", at: .token))
        app.server.approveDevice(userCode: device.userCode)
        #expect(try await waiting(app, for: device, polls: 4).value.idToken != nil)
        #expect(polls.all == [5, 15, 25, 40])
    }

    /// GitHub names the new interval.
    @Test func `slow_down with an interval sets it, and at most a minute`() async throws {
        for (named, expected) in [(30, [5, 35]), (3, [5, 15]), (9_000, [5, 65])] {
            let polls = Polls()
            let app = try await RelyingParty(clock: polls.clock, through: { polls.transport($0) })
            let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
            let body = #"{"error":"slow_down","interval":\#(named)}"#
            app.server.inject(.body(body, status: 400, at: .token))
            app.server.approveDevice(userCode: device.userCode)
            #expect(try await waiting(app, for: device, polls: 2).value.idToken != nil)
            #expect(polls.all == expected, "\(named)")
        }
    }

    /// Google's status while the user has not decided.
    @Test(arguments: [
        InProcessProvider.Fault.status(428, at: .token), .error("authorization_pending", status: 428, at: .token),
    ])
    func `a 428 means that the user has not decided yet`(fault: InProcessProvider.Fault) async throws {
        let app = try await app()
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        app.server.inject(fault)
        app.server.approveDevice(userCode: device.userCode)
        #expect(try await waiting(app, for: device, polls: 2).value.idToken != nil)
        #expect(polls.all == [5, 10])
    }

    @Test(arguments: [("access_denied", 403), ("authorization_declined", 400)])
    func `the user's refusal is a cancellation, whatever its code and status`(code: String, status: Int) async throws {
        let app = try await app()
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        app.server.inject(.error(code, status: status, at: .token))
        let task = await waiting(app, for: device, polls: 1)
        let error = await #expect(throws: OpenIDError.self) { try await task.value }
        #expect(error == OpenIDError(.deviceAuthorization, .cancelled))
    }

    /// Google reports an exceeded quota under another name, and only there.
    @Test func `error_code is read from the device authorization endpoint alone`() async throws {
        let app = try await app()
        app.server.inject(
            .body(#"{"error_code":"rate_limit_exceeded"}"#, status: 403, at: .deviceAuthorization)
        )
        let error = await #expect(throws: OpenIDError.self) {
            try await app.provider.deviceAuthorization(AuthorizationParameters())
        }
        #expect(error?.oauthCode?.rawValue == "rate_limit_exceeded")
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        app.server.inject(.body(#"{"error_code":"invalid_grant"}"#, status: 403, at: .token))
        let task = await waiting(app, for: device, polls: 1)
        let refusal = await #expect(throws: OpenIDError.self) { try await task.value }
        #expect(refusal?.oauthCode == nil)
    }

    /// RFC 8628, 3.5: polls less often after a connection timeout.
    @Test(
        arguments: [
            .unreachable(at: .token), .dropResponse(at: .token), .status(503, at: .token), .status(429, at: .token),
        ] as [InProcessProvider.Fault]
    )
    func `the pause doubles after a failed poll`(fault: InProcessProvider.Fault) async throws {
        let app = try await app()
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        app.server.inject(fault)
        app.server.inject(.error("authorization_pending", at: .token))
        let task = await waiting(app, for: device, polls: 2)
        await app.clock.sleepers()
        app.server.approveDevice(userCode: device.userCode)
        app.clock.advanceToNextSleeper()
        #expect(try await task.value.idToken != nil)
        #expect(polls.all == [5, 15, 25])
    }

    @Test func `a failed poll does not shorten a long interval`() async throws {
        let app = try await app()
        app.server.inject(.responseMember("interval", .integer(50), at: .deviceAuthorization))
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        app.server.inject(.unreachable(at: .token))
        app.server.approveDevice(userCode: device.userCode)
        #expect(try await waiting(app, for: device, polls: 2).value.idToken != nil)
        let pauses = zip(polls.all.dropFirst(), polls.all).map { $0 - $1 }
        #expect(pauses.count == 1)
        #expect(pauses.allSatisfy { $0 > 50 })
    }

    /// Otherwise a provider could keep a user waiting after the code was entered or has expired.
    @Test func `the client never waits past the code's expiry, whatever the interval`() async throws {
        let app = try await app { $0.deviceCodeLifetime = .seconds(30) }
        app.server.inject(.responseMember("interval", .integer(60), at: .deviceAuthorization))
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        app.server.inject(.error("authorization_pending", at: .token), times: .max)
        #expect(
            await failure(await waiting(app, for: device, polls: 1)) == OpenIDError(.deviceAuthorization, .timedOut)
        )
        #expect(polls.all.isEmpty)
        #expect(app.clock.now == polls.start.advanced(by: .seconds(30)))
    }

    /// RFC 8628, 3.5: the client waits at least the interval between two polls.
    @Test func `the code's expiry does not shorten the interval`() async throws {
        let app = try await app { $0.deviceCodeLifetime = .seconds(60) }
        app.server.inject(.responseMember("interval", .integer(40), at: .deviceAuthorization))
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        app.server.inject(.error("authorization_pending", at: .token), times: .max)
        #expect(
            await failure(await waiting(app, for: device, polls: 2)) == OpenIDError(.deviceAuthorization, .timedOut)
        )
        #expect(polls.all == [40])
    }

    @Test func `the client never waits past the code's expiry, whatever Retry-After says`() async throws {
        let app = try await app { $0.deviceCodeLifetime = .seconds(30) }
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        app.server.inject(.status(429, retryAfter: .seconds(86_400), at: .token), times: .max)
        #expect(
            await failure(await waiting(app, for: device, polls: 2)) == OpenIDError(.deviceAuthorization, .timedOut)
        )
        #expect(polls.all == [5])
    }

    @Test func `the client does not poll before Retry-After`() async throws {
        let app = try await app()
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        app.server.inject(.status(429, retryAfter: .seconds(45), at: .token))
        app.server.approveDevice(userCode: device.userCode)
        #expect(try await waiting(app, for: device, polls: 2).value.idToken != nil)
        #expect(polls.all == [5, 50])
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["authorization-1", "pending"])
    func `the client polls on if its secret shares a word with the provider's error code`(
        secret: String
    ) async throws {
        let client = OpenIDClient.confidential(id: "device", secret: try ClientSecret(secret))
        let app = try await app(client) { $0.clients = [.confidential(id: "device", secret: secret)] }
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        let task = await waiting(app, for: device, polls: 1)
        await app.clock.sleepers()
        app.server.approveDevice(userCode: device.userCode)
        app.clock.advanceToNextSleeper()
        #expect(try await task.value.idToken != nil)
        #expect(polls.all == [5, 10])
    }

    // MARK: The end of the wait

    @Test func `a code that is not entered expires when the provider says so`() async throws {
        let app = try await app { $0.deviceCodeLifetime = .seconds(15) }
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        #expect(
            await failure(await waiting(app, for: device, polls: 3)) == OpenIDError(.deviceAuthorization, .timedOut)
        )
        #expect(polls.all == [5, 10, 15])
    }

    @Test func `a code that is not entered expires even if the provider never says so`() async throws {
        let app = try await app { $0.deviceCodeLifetime = .seconds(20) }
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        app.server.inject(.error("authorization_pending", at: .token), times: .max)
        #expect(
            await failure(await waiting(app, for: device, polls: 4)) == OpenIDError(.deviceAuthorization, .timedOut)
        )
        #expect(polls.all == [5, 10, 15, 20])
    }

    @Test func `a denial by the user is a cancellation and ends the polling`() async throws {
        let app = try await app()
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        app.server.denyDevice(userCode: device.userCode)
        #expect(
            await failure(await waiting(app, for: device, polls: 1)) == OpenIDError(.deviceAuthorization, .cancelled)
        )
        #expect(polls.all == [5])
        #expect(app.clock.sleeperCount == 0)
    }

    @Test func `cancellation ends the polling at once`() async throws {
        let app = try await app()
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        let task = await waiting(app, for: device, polls: 1)
        await app.clock.sleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        app.clock.advance(by: .seconds(600))
        #expect(polls.all == [5])
    }

    @Test(arguments: ["invalid_grant", "invalid_client", "unsupported_grant_type", "an_error_of_its_own"])
    func `any other error ends the polling`(code: String) async throws {
        let app = try await app()
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        app.server.inject(.error(code, at: .token))
        let task = await waiting(app, for: device, polls: 1)
        let error = await #expect(throws: OpenIDError.self) { try await task.value }
        #expect(error?.oauthCode?.rawValue == code)
        #expect(polls.all == [5])
    }

    @Test(
        arguments: [
            (.claim("iss", .string("https://evil.example")), IDTokenError(.issuerMismatch)),
            (.claim("aud", .string("another-client")), IDTokenError(.audienceMismatch)),
            (.signature(.wrong), IDTokenError(.invalidSignature)),
        ] as [(InProcessProvider.Fault, IDTokenError)]
    )
    func `the ID token is verified like any other`(fault: InProcessProvider.Fault, reason: IDTokenError) async throws {
        let app = try await app()
        let device = try await app.provider.deviceAuthorization(AuthorizationParameters())
        app.server.approveDevice(userCode: device.userCode)
        app.server.inject(fault)
        let task = await waiting(app, for: device, polls: 1)
        let error = await #expect(throws: OpenIDError.self) { try await task.value }
        #expect(error == OpenIDError(.token, .idToken(reason)))
    }
}
