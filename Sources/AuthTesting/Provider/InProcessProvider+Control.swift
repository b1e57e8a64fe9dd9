extension InProcessProvider {
    /// What it is and what it insists on.
    public var configuration: Configuration {
        get { read { $0.configuration } }
        set { change { $0.configuration = newValue } }
    }

    /// Who signs in when a browser comes; nil for a person who refuses.
    public var person: Person? {
        get { read { $0.configuration.person } }
        set { change { $0.configuration.person = newValue } }
    }

    /// How far the provider's clock is wrong: ahead, or behind where negative.
    ///
    /// All that it says and judges goes by the wrong clock: the `Date` field, claims, and what has expired.
    public var clockOffset: Duration {
        get { read { $0.clockOffset } }
        set { change { $0.clockOffset = newValue } }
    }

    /// The address of an endpoint.
    ///
    /// - Parameter endpoint: Which one.
    /// - Returns: The address, as the discovery document has it.
    public func url(of endpoint: Endpoint) -> String { read { $0.address.url(endpoint) } }

    /// Makes a client known, in place of one with the same ID.
    ///
    /// - Parameter client: The client.
    public func register(_ client: Client) { change { $0.add(client) } }

    /// Makes new signing keys, with new key IDs.
    ///
    /// - Parameter keepingOld: Whether the old ones stay published, as they do while tokens are under way.
    public func rotateKeys(keepingOld: Bool = false) {
        let algorithms = configuration.signingAlgorithms
        // Made outside the lock: RSA takes long.
        let fresh = KeySet(algorithms)
        change { $0.keys = fresh.following($0.keys, keepingOld: keepingOld) }
    }

    /// Lets no access token be good any more, as if all were revoked; refresh tokens stay.
    public func invalidateAccessTokens() { change { $0.accessTokens = [:] } }

    /// Ends all sign-ins, as an administrator does: every access token and refresh token is refused.
    public func endAllSessions() {
        change { state in
            for index in state.families.indices { state.end(index, because: .revoked) }
        }
    }

    /// Makes a new DPoP nonce; the old one is refused from now on, where one is required.
    public func rotateDPoPNonce() { change { $0.dpop.rotateNonce() } }

    /// Lets faults happen to the next requests, one entry a request.
    ///
    /// Faults of one call happen together, those of several calls one after another; each endpoint has its own queue.
    /// What changes an answer waits for one that succeeds; what stands in its way does not.
    ///
    /// - Parameters:
    ///   - faults: What happens.
    ///   - times: To how many requests; `.max` for all.
    public func inject(_ faults: Fault..., times: Int = 1) { change { $0.faults.append(faults, times: times) } }

    /// Takes back all faults that have not happened.
    public func clearFaults() { change { $0.faults = FaultQueue() } }
}

extension InProcessProvider {
    /// Lets the person allow a device what it asked for, or refuse where nobody signs in (``person`` is nil).
    ///
    /// - Parameter userCode: What the device showed; case and dashes do not matter.
    /// - Returns: Whether a device waited with this code.
    @discardableResult
    public func approveDevice(userCode: String) -> Bool { decide(userCode, isApproved: true) }

    /// Lets the person refuse a device.
    ///
    /// - Parameter userCode: What the device showed; case and dashes do not matter.
    /// - Returns: Whether a device waited with this code.
    @discardableResult
    public func denyDevice(userCode: String) -> Bool { decide(userCode, isApproved: false) }
}
