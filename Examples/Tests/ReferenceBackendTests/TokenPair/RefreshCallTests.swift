import BackendTestSupport
import Foundation
import ReferenceBackend
import Testing

@Suite("What a backend tells of refreshes")
struct RefreshCallTests {
    @Test func `each refresh is told in its order, with what became of it`() async throws {
        let told = Collected<RefreshCall>()
        try await TestBackend.run(configure: { $0.onRefresh = { told.append($0) } }) { server in
            let first = try await server.login()
            let second = try server.pair(await server.refresh(first.refresh))
            server.clock.advance(by: .seconds(4))
            _ = try await server.refresh(first.refresh)
            server.clock.advance(by: .seconds(8))
            _ = try await server.refresh(first.refresh)
            _ = try await server.refresh(second.refresh)
            _ = try await server.refresh("of no form at all")
        }
        #expect(told.all.map(\.outcome) == [.rotated, .repeated, .reused, .ended])
        #expect(told.all.map(\.place) == [0, 0, 0, 1])
        #expect(told.all.map(\.current) == [0, 1, 1, 1])
        #expect(Set(told.all.map(\.accountID)).count == 1)
        let waits = told.all.dropFirst().map { Int(($0.sinceRotation ?? -1).rounded(.down)) }
        #expect(waits == [4, 12, 12])
    }

    @Test func `a token that is too old is told as expired`() async throws {
        let told = Collected<RefreshCall>()
        try await TestBackend.run(configure: {
            $0.refreshTokenLifetime = .seconds(100)
            $0.onRefresh = { told.append($0) }
        }) { server in
            let pair = try await server.login()
            server.clock.advance(by: .seconds(100))
            _ = try await server.refresh(pair.refresh)
        }
        #expect(told.all.map(\.outcome) == [.expired])
    }
}
