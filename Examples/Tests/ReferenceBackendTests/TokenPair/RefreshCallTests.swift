// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import ReferenceBackend
import Testing

@Suite("The refreshes that a backend reports")
struct RefreshCallTests {
    @Test func `each refresh is reported in order with its outcome`() async throws {
        let reported = Collected<RefreshCall>()
        try await TestBackend.run(configure: { $0.onRefresh = { reported.append($0) } }) { server in
            let first = try await server.login()
            let second = try server.pair(await server.refresh(first.refresh))
            server.clock.advance(by: .seconds(4))
            _ = try await server.refresh(first.refresh)
            server.clock.advance(by: .seconds(8))
            _ = try await server.refresh(first.refresh)
            _ = try await server.refresh(second.refresh)
            _ = try await server.refresh("of no form at all")
        }
        #expect(reported.all.map(\.outcome) == [.rotated, .repeated, .reused, .ended])
        #expect(reported.all.map(\.place) == [0, 0, 0, 1])
        #expect(reported.all.map(\.current) == [0, 1, 1, 1])
        #expect(Set(reported.all.map(\.accountID)).count == 1)
        let waits = reported.all.dropFirst().map { Int(($0.sinceRotation ?? -1).rounded(.down)) }
        #expect(waits == [4, 12, 12])
    }

    @Test func `an expired token is reported as expired`() async throws {
        let reported = Collected<RefreshCall>()
        try await TestBackend.run(configure: {
            $0.refreshTokenLifetime = .seconds(100)
            $0.onRefresh = { reported.append($0) }
        }) { server in
            let pair = try await server.login()
            server.clock.advance(by: .seconds(100))
            _ = try await server.refresh(pair.refresh)
        }
        #expect(reported.all.map(\.outcome) == [.expired])
    }
}
