// SPDX-License-Identifier: Apache-2.0

public import APIClient
import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An OpenID provider in the test's process: strict, deterministic, and faulty on a test's request.
///
/// Pass it to a relying party as its transport: it responds for its issuer, without a network. Requests to another
/// origin throw `TransportError` `hostNotFound`. ``authorize(_:)`` and ``endSession(_:)`` act as the browser. Every
/// path below `/api` is a protected resource.
///
///     let provider = InProcessProvider()
///     let callback = provider.authorize(authorizationURL).redirectURL
///
/// It reveals all requests and all issued secrets. Use it only in tests.
///
/// It decodes forms and verifies signatures and DPoP proofs with code of its own: a second opinion, on purpose, so that
/// a mistake of the relying party does not agree with itself.
public final class InProcessProvider: Transport {
    /// The issuer identifier of the provider.
    public let issuer: String

    private let now: @Sendable () -> Date
    private let state: Mutex<ProviderState>

    /// Creates a provider with its own keys and no history.
    ///
    /// - Parameters:
    ///   - issuer: An https URL with or without a path; also http if a test needs it.
    ///   - now: The provider's clock, read once per request.
    public init(
        issuer: String = "https://provider.example",
        configuration: Configuration = Configuration(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.issuer = issuer
        self.now = now
        state = Mutex(ProviderState(issuer: issuer, configuration: configuration))
    }

    /// Carries out a request and returns the response, unless an injected fault prevents it.
    ///
    /// - Throws: `TransportError` (`hostNotFound` for another origin; `responseTooLarge`; `notSent`; the code of a fault);
    ///   `CancellationError`.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        try request.checkSendGuard()
        let delivery = exchange(ProviderRequest(request.head, body: request.body ?? []))
        for wait in delivery.delays { try await wait() }
        let response = try delivery.result.get()
        guard response.body.count <= request.maximumResponseSize else {
            throw TransportError(.responseTooLarge, mayHaveReachedServer: true)
        }
        return response
    }

    /// Carries out one request, from a relying party or the browser.
    func exchange(_ request: ProviderRequest) -> Delivery {
        let date = now()
        return state.withLock { $0.exchange(request, at: date) }
    }

    /// Records the user's decision about a device.
    func decide(_ userCode: String, isApproved: Bool) -> Bool {
        let date = now()
        return state.withLock { $0.decide(userCode, at: date, isApproved: isApproved) }
    }

    /// Reads the state.
    func read<Value: Sendable>(_ body: (ProviderState) -> Value) -> Value {
        state.withLock { body($0) }
    }

    /// Changes the state.
    func change<Value: Sendable>(_ body: (inout ProviderState) -> Value) -> Value {
        state.withLock { body(&$0) }
    }
}

extension InProcessProvider {
    /// The provider's clients, user and rules.
    public var configuration: Configuration {
        get { read { $0.configuration } }
        set { change { $0.configuration = newValue } }
    }

    /// The user of the browser; nil for a user that denies every request.
    public var user: User? {
        get { read { $0.configuration.user } }
        set { change { $0.configuration.user = newValue } }
    }

    /// The error of the provider's clock: ahead, or behind if negative.
    ///
    /// The wrong clock determines the `Date` field, the claims, and expiry.
    public var clockOffset: Duration {
        get { read { $0.clockOffset } }
        set { change { $0.clockOffset = newValue } }
    }

    /// Returns the URL of an endpoint, as in the discovery document.
    public func url(of endpoint: Endpoint) -> String { read { $0.address.url(endpoint) } }

    /// Registers a client, and replaces one with the same ID.
    public func register(_ client: Client) { change { $0.add(client) } }

    /// Creates new signing keys, with new key IDs.
    ///
    /// - Parameter keepingOld: Whether the old keys stay published, as they do while their tokens are in use.
    public func rotateKeys(keepingOld: Bool = false) {
        let algorithms = configuration.signingAlgorithms
        // Created outside the lock: an RSA key takes long.
        let fresh = KeySet(algorithms)
        change { $0.keys = fresh.following($0.keys, keepingOld: keepingOld) }
    }

    /// Revokes all access tokens; refresh tokens stay valid.
    public func invalidateAccessTokens() { change { $0.accessTokens = [:] } }

    /// Ends all sign-ins, as an administrator does: every access token and refresh token is refused.
    public func endAllSessions() {
        change { state in
            for index in state.families.indices { state.end(index, because: .revoked) }
        }
    }

    /// Creates a new DPoP nonce; if nonces are required, the old one is refused from now on.
    public func rotateDPoPNonce() { change { $0.dpopNonce = ProviderState.makeNonce() } }

    /// Injects faults into the next requests.
    ///
    /// Faults of one call apply together, those of several calls one after another; each endpoint has its own queue.
    /// A fault that changes a response waits for one that succeeds. A fault that replaces, loses or delays a response
    /// doesn't wait.
    ///
    /// - Parameter times: The number of requests that they apply to; `.max` for all.
    public func inject(_ faults: Fault..., times: Int = 1) { change { $0.faults.append(faults, times: times) } }

    /// Removes all faults that have not occurred.
    public func clearFaults() { change { $0.faults = FaultQueue() } }

    /// Approves a device's request for the user, or denies it if ``user`` is nil.
    ///
    /// - Parameter userCode: The code that the device showed; case and dashes are ignored.
    /// - Returns: Whether a device waited with this code.
    @discardableResult
    public func approveDevice(userCode: String) -> Bool { decide(userCode, isApproved: true) }

    /// Denies a device's request for the user.
    ///
    /// - Parameter userCode: The code that the device showed; case and dashes are ignored.
    /// - Returns: Whether a device waited with this code.
    @discardableResult
    public func denyDevice(userCode: String) -> Bool { decide(userCode, isApproved: false) }
}

extension InProcessProvider {
    /// Opens an authorization request as the user's browser does, and signs the user in or refuses.
    ///
    /// Checks the request as a strict provider does. Responds with a page if the client, the redirect URI or the pushed
    /// request is invalid or missing. Every other error goes to the callback.
    public func authorize(_ url: String) -> Navigation { browse(url, .authorization) }

    /// Opens an end-session request as the user's browser does.
    ///
    /// Responds with a page if the request has no redirect URI, or one that is not the client's.
    ///
    /// [OpenID Connect RP-Initiated Logout 1.0,
    /// 2](https://openid.net/specs/openid-connect-rpinitiated-1_0.html#RPLogout).
    public func endSession(_ url: String) -> Navigation { browse(url, .endSession) }

    private func browse(_ url: String, _ endpoint: Endpoint) -> Navigation {
        let request = ProviderRequest(browsing: url)
        guard read({ $0.address.url(endpoint) }) == request.url else { return .unreachable }
        switch exchange(request).result {
        case .failure:
            return .unreachable
        case .success(let response):
            if let location = response.head.headerFields[.location] { return .redirect(to: location) }
            return .page(status: response.head.status.code, text: String(decoding: response.body, as: UTF8.self))
        }
    }
}
