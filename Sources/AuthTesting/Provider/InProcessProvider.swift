public import APIClient
import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An OpenID provider that lives in the test's process: strict, deterministic, and faulty where a test says so.
///
/// Given to a relying party as its transport it answers for its issuer, and nothing goes over a network. Requests to
/// another origin throw ``TransportError`` `hostNotFound`. The browser is ``authorize(_:)`` and ``endSession(_:)``; what
/// an app calls with its access token is anything below `/api`.
///
///     let provider = InProcessProvider()
///     let callback = provider.authorize(authorizationURL).redirectURL
///
/// It says everything that it was sent and gave out, secrets included: it is for tests alone.
public final class InProcessProvider: Transport {
    /// The issuer identifier: what it answers for.
    public let issuer: String

    private let now: @Sendable () -> Date
    private let state: Mutex<ProviderState>

    /// Makes a provider with its own keys and no history.
    ///
    /// - Parameters:
    ///   - issuer: An https URL, with a path or without; also http where a test wants that.
    ///   - configuration: What it is and what it insists on.
    ///   - now: What its clock shows; asked once a request.
    public init(
        issuer: String = "https://provider.example",
        configuration: Configuration = Configuration(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.issuer = issuer
        self.now = now
        state = Mutex(ProviderState(issuer: issuer, configuration: configuration))
    }

    /// Carries out a request and answers it, unless an injected fault comes between.
    ///
    /// - Parameter request: What is sent.
    /// - Returns: The answer.
    /// - Throws: ``TransportError`` (`hostNotFound` for another origin; `responseTooLarge`; what a fault says);
    ///   `CancellationError`.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        var body: [UInt8] = []
        for try await chunk in try await request.body.chunks() { body += chunk }
        let delivery = exchange(ProviderRequest(request.head, body: body))
        for wait in delivery.delays { try await wait() }
        let answer = try delivery.result.get()
        guard answer.body.count <= request.maximumResponseSize else {
            throw TransportError(.responseTooLarge, mayHaveReachedServer: true)
        }
        return answer
    }

    /// One request from anywhere: a relying party, or the browser.
    func exchange(_ request: ProviderRequest) -> Delivery {
        let date = now()
        return state.withLock { $0.exchange(request, at: date) }
    }

    /// The person's decision about a device.
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
