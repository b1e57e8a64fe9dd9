// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Foundation
import Testing

@testable import AuthSession

/// One session with very many callers at once.
@Suite struct ManyCallersTests {
    /// Whether this is a run of `Tests/run --long`, which runs nothing else in parallel.
    private static let isLong = ProcessInfo.processInfo.environment["SALLYPORT_LONG"] == "1"

    /// The number of callers: ten thousand only in a long run, since they would slow down tests that run in parallel.
    private static let callers = isLong ? 10_000 : 500

    @Test func `many requests with an expired token share one refresh, and all succeed`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on("/api/jobs") { request in
            request.header("Authorization") == "Bearer access-2" ? .json("[1]") : Backend.failure(401, code: "expired")
        }
        let client = Self.client(of: fixture)
        let successes = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<Self.callers {
                group.addTask {
                    let response: [Int] = try await client.send(.get("/api/jobs"))
                    return response == [1]
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(successes == Self.callers)
        #expect(fixture.refreshes == 1)
        #expect(fixture.transport.count(of: "/api/jobs") == Self.callers)
    }

    @Test func `a new token that is rejected too is not replaced again: five requests, one refresh, ten sends`()
        async throws
    {
        let fixture = try await Fixture.signedIn()
        // No request continues before all five have been refused.
        let turnstile = Gate()
        fixture.backend.on("/api/jobs") { request in
            if request.header("Authorization") == "Bearer access-1" { await turnstile.pass() }
            return Backend.failure(401, code: "unauthorized")
        }
        let client = Self.client(of: fixture)
        let codes = await withTaskGroup(of: APIError.Code?.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    do {
                        let _: [Int] = try await client.send(.get("/api/jobs"))
                        return nil
                    } catch {
                        return (error as? APIError)?.code
                    }
                }
            }
            while fixture.transport.count(of: "/api/jobs") < 5 { await Task.yield() }
            turnstile.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: .unauthorized, count: 5))
        #expect(fixture.refreshes == 1)
        #expect(fixture.transport.count(of: "/api/jobs") == 10)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `forty-nine cancelled waiters of fifty return at once, and the refresh continues`() async throws {
        let fixture = try await Fixture.expired()
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { _ in
            await gate.pass()
            return Backend.pair(2)
        }
        let waiters = (0..<50).map { _ in Task { try await fixture.session.accessToken().unredacted } }
        await gate.waitForArrival()
        let clock = ContinuousClock()
        var spans: [Duration] = []
        for waiter in waiters.dropFirst() {
            spans.append(
                await clock.measure {
                    waiter.cancel()
                    // The gate is still closed: a task that waited for the refresh would never return.
                    await #expect(throws: CancellationError.self) { try await waiter.value }
                }
            )
        }
        gate.open()
        #expect(try await waiters[0].value == "access-2")
        #expect(fixture.refreshes == 1)
        // Also a measurement of the machine.
        if Self.isLong {
            let slowest = try #require(spans.max())
            #expect(slowest < .milliseconds(10))
            print("the slowest of 49 cancelled waiters left after \(slowest)")
        }
    }

    private static func client(of fixture: Fixture) -> APIClient {
        APIClient(
            baseURL: fixture.session.backend.baseURL,
            authenticatedBy: fixture.session,
            transport: fixture.transport,
            timeout: .seconds(300)
        )
    }
}
