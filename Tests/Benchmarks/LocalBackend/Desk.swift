// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1
import Synchronization

/// The decisions of the backend, and its counts.
public final class Desk: Sendable {
    /// The access tokens that the API accepts.
    public enum Admission: Sendable {
        /// The newest token.
        case newest
        /// The newest token if it came from a refresh: the sign-in's token is refused, whatever its lifetime.
        case refreshed
        /// No token.
        case nobody
    }

    /// The requests since the last sign-in.
    public struct Counts: Sendable, Equatable {
        /// The refreshes, all of them successful.
        public var refreshes = 0
        /// The calls of the API.
        public var sends = 0
        /// The calls of the API that got a 401.
        public var refusals = 0
    }

    struct Answer {
        let status: HTTPResponseStatus
        let body: String
    }

    private struct State {
        var counts = Counts()
        var admission = Admission.newest
        var generation = 1
        var lifetime = 3_600
        /// The one `Authorization` value that is accepted.
        var admitted: String?
    }

    private let state = Mutex(State())

    /// The size of an access token, in bytes: as long as a usual provider's.
    private static let tokenLength = 800
    private static let tokenEnd = String(repeating: "x", count: tokenLength)
    private static let jobs = #"{"jobs":["\#(String(repeating: "j", count: 1_000))"]}"#

    /// The requests since the last sign-in.
    public var counts: Counts { state.withLock { $0.counts } }

    /// Accepts other tokens from now on.
    public func admit(_ admission: Admission) {
        state.withLock { state in
            state.admission = admission
            state.admitted = Self.admitted(admission, state.generation)
        }
    }

    func reset(lifetime: Int) {
        state.withLock { state in
            state = State(lifetime: lifetime)
            state.admitted = Self.admitted(.newest, 1)
        }
    }

    func answer(_ path: String, authorization: String?) -> Answer {
        switch path {
        case LocalBackend.path: call(authorization)
        case "/api/v1/auth/login": Answer(status: .ok, body: state.withLock { Self.pair(1, lifetime: $0.lifetime) })
        case "/api/v1/auth/refresh": Answer(status: .ok, body: refresh())
        default: Answer(status: .notFound, body: "{}")
        }
    }

    private func call(_ authorization: String?) -> Answer {
        let isAdmitted = state.withLock { state in
            let isAdmitted = authorization != nil && authorization == state.admitted
            state.counts.sends += 1
            if !isAdmitted { state.counts.refusals += 1 }
            return isAdmitted
        }
        return isAdmitted ? Answer(status: .ok, body: Self.jobs) : Answer(status: .unauthorized, body: "{}")
    }

    private func refresh() -> String {
        state.withLock { state in
            state.counts.refreshes += 1
            state.generation += 1
            state.admitted = Self.admitted(state.admission, state.generation)
            return Self.pair(state.generation, lifetime: 3_600)
        }
    }

    private static func admitted(_ admission: Admission, _ generation: Int) -> String? {
        switch admission {
        case .newest: "Bearer \(token(generation))"
        case .refreshed: generation > 1 ? "Bearer \(token(generation))" : nil
        case .nobody: nil
        }
    }

    private static func token(_ generation: Int) -> String { "access-\(generation)-\(tokenEnd)" }

    private static func pair(_ generation: Int, lifetime: Int) -> String {
        """
        {"user": {"id": "u1", "name": "Ada"}, "accessToken": "\(token(generation))", \
        "refreshToken": "refresh-\(generation)", "tokenType": "Bearer", "expiresIn": \(lifetime)}
        """
    }
}
