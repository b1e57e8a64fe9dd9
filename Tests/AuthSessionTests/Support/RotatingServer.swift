// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The server's side of refresh token rotation: it has a grace window, and reuse ends the token family.
///
/// It issues `access-N` and `refresh-N`, and follows the contract `tokenPair`.
final class RotatingServer: Sendable {
    private struct Family {
        var current = 1
        var rotatedAt: TestClock.Instant?
        var hasEnded = false
        var reuses = 0
        var rotations = 0
    }

    private let family = Mutex(Family())
    private let clock: TestClock
    private let grace: Duration

    init(clock: TestClock, grace: Duration = .seconds(10)) {
        self.clock = clock
        self.grace = grace
    }

    /// The number of times an old token was used after its grace window.
    var reuses: Int { family.withLock { $0.reuses } }
    /// The number of rotations.
    var rotations: Int { family.withLock { $0.rotations } }
    /// Whether the family's tokens are refused.
    var hasEnded: Bool { family.withLock { $0.hasEnded } }

    /// Carries out a refresh, whether or not its response will arrive.
    func refresh(_ request: TransportRequest) throws -> TransportResponse {
        guard let presented = try presentedNumber(request) else {
            return Backend.failure(401, code: "invalid_refresh_token")
        }
        let now = clock.now
        let number = family.withLock { family -> Int? in
            guard !family.hasEnded else { return nil }
            if presented == family.current {
                family.current += 1
                family.rotations += 1
                family.rotatedAt = now
                return family.current
            }
            if presented == family.current - 1, let rotatedAt = family.rotatedAt, rotatedAt.duration(to: now) <= grace {
                return family.current
            }
            family.reuses += 1
            family.hasEnded = true
            return nil
        }
        guard let number else { return Backend.failure(401, code: "refresh_token_reused") }
        return Backend.pair(number)
    }

    private func presentedNumber(_ request: TransportRequest) throws -> Int? {
        struct Body: Decodable {
            let refreshToken: String
        }
        let body = try JSONDecoder().decode(Body.self, from: Data(request.body ?? []))
        return Int(body.refreshToken.dropFirst("refresh-".count))
    }

    /// Ends the token family, as a sign-out does.
    func end() { family.withLock { $0.hasEnded = true } }
}

extension Fixture {
    /// Answers the refreshes with a rotating server.
    ///
    /// - Parameter fault: A function between the server and the client; it gets the server's response.
    /// - Returns: The server.
    func rotating(
        _ fault: @escaping @Sendable (TransportResponse) async throws -> TransportResponse = { $0 }
    ) -> RotatingServer {
        let server = RotatingServer(clock: clock)
        backend.on(Backend.pairRefresh) { try await fault(server.refresh($0)) }
        return server
    }
}
