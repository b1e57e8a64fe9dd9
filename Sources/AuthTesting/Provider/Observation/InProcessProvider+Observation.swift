// SPDX-License-Identifier: Apache-2.0

extension InProcessProvider {
    /// Every request so far, in order, including those that never arrived and those to unknown paths.
    public var requests: [Request] { read { $0.requests } }

    /// Returns the requests to one endpoint, in order.
    public func requests(at endpoint: Endpoint) -> [Request] { requests.filter { $0.endpoint == endpoint } }

    /// Counts the requests that reached an endpoint, without those that an injected fault kept away.
    public func count(at endpoint: Endpoint) -> Int {
        requests(at: endpoint).count { $0.outcome != .unreachable }
    }

    /// All codes, tokens and client secrets ever issued, for tests that search for leaks.
    public var issuedSecrets: [String] { read { $0.secrets } }

    /// The number of current refresh tokens, without replaced ones in their grace window.
    public var activeRefreshTokenCount: Int {
        read { state in state.families.count { $0.end == nil && $0.current != nil } }
    }

    /// The number of sign-ins that were ended by the reuse of a code or a refresh token.
    public var sessionsEndedByReuse: Int {
        read { state in state.families.count { $0.end == .codeReused || $0.end == .refreshTokenReused } }
    }

    /// The number of sign-ins.
    public var signInCount: Int { read { $0.families.count } }

    /// The number of refreshes that issued tokens, without responses repeated within the grace window.
    public var refreshCount: Int { read { state in state.families.reduce(0) { $0 + $1.refreshes } } }
}
