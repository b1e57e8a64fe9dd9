// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession
import Benchmark
import LocalBackend
import Synchronization

/// A way to get a token.
enum Server: String, CaseIterable {
    case session = "accessToken() of a session"
    case source = "credential() of any AccessTokenSource"
    case mutex = "a Mutex, read"
    case actor = "an actor, hopped to"
    case uptime = "ContinuousClock.now"
}

/// All servers, with the same token.
final class Servers: Sendable {
    private struct Parts {
        let session: AuthSession
        let guarded: Guarded
        let actor: Holder
    }

    private let parts = Mutex<Parts?>(nil)

    /// Signs a session in, once.
    func prepare() async throws {
        guard parts.withLock({ $0 == nil }) else { return }
        let backend = try await LocalBackend.start()
        let session = try await backend.signedIn(over: CurlTransport(settings: TransportSettings()))
        let token = try await session.accessToken()
        parts.withLock { $0 = Parts(session: session, guarded: Guarded(token), actor: Holder(token)) }
    }

    func serve(_ server: Server, times: Int) async throws {
        guard let parts = parts.withLock({ $0 }) else { throw CancellationError() }
        switch server {
        case .session:
            for _ in 0..<times { blackHole(try await parts.session.accessToken()) }
        case .source:
            let source: any AccessTokenSource = parts.session
            for _ in 0..<times { blackHole(try await source.credential()) }
        case .mutex:
            for _ in 0..<times { blackHole(parts.guarded.token) }
        case .actor:
            for _ in 0..<times { blackHole(await parts.actor.token) }
        case .uptime:
            for _ in 0..<times { blackHole(ContinuousClock.now) }
        }
    }
}

/// A token behind a lock.
private final class Guarded: Sendable {
    private let content: Mutex<AccessToken>

    init(_ token: AccessToken) { content = Mutex(token) }

    var token: AccessToken { content.withLock { $0 } }
}

/// A token in an actor.
private actor Holder {
    let content: AccessToken

    init(_ token: AccessToken) { content = token }

    // A computed property: a stored constant would be read without a hop.
    var token: AccessToken { content }
}
