extension InProcessProvider {
    /// Every request so far, in order; those that no answer or no way was found for, too.
    public var requests: [Request] { read { $0.requests } }

    /// The requests to one endpoint.
    ///
    /// - Parameter endpoint: Which one.
    /// - Returns: The requests, in order.
    public func requests(at endpoint: Endpoint) -> [Request] { requests.filter { $0.endpoint == endpoint } }

    /// How many requests reached an endpoint.
    ///
    /// - Parameter endpoint: Which one.
    /// - Returns: The number; those that an injected fault kept away are not counted.
    public func count(at endpoint: Endpoint) -> Int {
        requests(at: endpoint).count { $0.outcome != .unreachable }
    }

    /// All codes, tokens and client secrets ever issued, for tests that look for them where they must not be.
    public var issuedSecrets: [String] { read { $0.secrets } }

    /// How many refresh tokens are good now, those in their grace window not counted.
    public var activeRefreshTokenCount: Int {
        read { state in state.families.count { $0.end == nil && $0.current != nil } }
    }

    /// How many sign-ins were ended because a code or a refresh token was shown again.
    public var sessionsEndedByReuse: Int {
        read { state in state.families.count { $0.end == .codeReused || $0.end == .refreshTokenReused } }
    }

    /// How many sign-ins there were.
    public var signInCount: Int { read { $0.families.count } }

    /// How many refreshes replaced tokens; answers given again within the grace window are not counted.
    public var refreshCount: Int { read { state in state.families.reduce(0) { $0 + $1.refreshes } } }
}
