// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes

/// The network between one process and the server: slow and lossy; a sent request travels on its own.
///
/// A request arrives even if its sender has given up or is dead.
struct Network: Transport {
    let world: World
    let life: Life

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        await life.pass()
        let token = request.head.path == SimulatedServer.refresh ? SimulatedServer.presented(by: request) : nil
        let fate = world.fate(of: token)
        let target = SimulatedServer.target(in: request).map { " for \($0)" } ?? ""
        let text = "\(request.head.path ?? "") \(token.map(\.description) ?? "")\(target)"
        world.note("process \(life.number) sends \(text): \(fate)")
        if fate == .notSent {
            throw TransportError(.connectionRefused, mayHaveReachedServer: false)
        }
        if let token {
            world.presents(tokenOf: token.family, life)
            world.pending(token, of: life, isPending: true)
        }
        defer { if let token { world.pending(token, of: life, isPending: false) } }
        let reply = Reply()
        carry(request, token, fate, reply)
        limit(reply, to: request.timeout)
        let response = try await reply.value()
        await life.pass()
        if token != nil, let issued = SimulatedServer.issued(in: response) { world.delivered(issued, to: life) }
        return response
    }

    /// Ends the wait for a response, as every transport must.
    private func limit(_ reply: Reply, to timeout: Duration) {
        let clock = world.clock
        Task {
            // A test clock's sleep ends only by time.
            try? await clock.sleep(for: timeout)
            reply.finish(.failure(TransportError(.timedOut, mayHaveReachedServer: true)))
        }
    }

    private func carry(_ request: TransportRequest, _ token: SimulatedServer.Number?, _ fate: Fate, _ reply: Reply) {
        let world = world
        let transit = world.transitTime(of: token)
        Task {
            let lost = TransportError(.connectionClosed, mayHaveReachedServer: true)
            do {
                world.inTransit(1)
                try await world.clock.sleep(for: transit)
                world.inTransit(-1)
                if fate == .requestLost { return reply.finish(.failure(lost)) }
                let (response, reuse) = world.server.response(request)
                if let reuse { await world.judge(reuse) }
                try await world.delay(.response)
                switch fate {
                case .responseLost: reply.finish(.failure(lost))
                case .silent: break
                case .gateway: reply.finish(.success(.json("{}", status: 502)))
                default: reply.finish(.success(response))
                }
            } catch {
                reply.finish(.failure(error))
            }
        }
    }
}

/// The fate of a request.
enum Fate: Sendable {
    case arrives
    case notSent
    case requestLost
    /// The server carried out the request, and the connection breaks.
    case responseLost
    /// The server carried out the request, and the client gets no response.
    case silent
    /// The server carried out the request, and a proxy responds with 502.
    case gateway
}
