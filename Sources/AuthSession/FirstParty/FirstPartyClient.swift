import APIClient
import AuthCore
import HTTPTypes
import Logging

/// The calls to a first-party backend that are about the session itself.
///
/// They go past the layer that authenticates and retries, or a refresh would wait for itself.
struct FirstPartyClient: Sendable {
    let client: APIClient
    let clock: SessionClock

    init(
        _ backend: SessionBackend,
        transport: (any Transport)?,
        timeout: Duration,
        clock: SessionClock,
        logger: Logger
    ) {
        var configuration = APIClient.Configuration()
        configuration.timeout = timeout
        configuration.clock = clock.awake
        configuration.now = clock.date
        configuration.logger = logger
        client = APIClient(
            baseURL: backend.baseURL,
            apiKey: backend.apiKey,
            transport: transport,
            configuration: configuration
        )
        self.clock = clock
    }

    /// Calls the backend.
    ///
    /// - Parameters:
    ///   - path: Below the backend's address.
    ///   - json: What to send; nil for no body.
    ///   - secrets: The secrets in it, which no error may repeat.
    ///   - bearer: The access token; nil for none.
    ///   - isInTime: Asked when the request is about to leave; nil for always.
    /// - Returns: The response's value.
    /// - Throws: `APIError`; `CancellationError`.
    func call<Answer: Decodable & Sendable>(
        _ path: String,
        json: (any Encodable & Sendable)? = nil,
        hiding secrets: [String] = [],
        bearer: AccessToken? = nil,
        leavingWhile isInTime: (@Sendable () -> Bool)? = nil
    ) async throws -> Answer {
        var endpoint: Endpoint<Answer> = try endpoint(path, json, bearer)
        endpoint.secrets = secrets
        if let isInTime { endpoint.body = endpoint.body.leaving(while: isInTime) }
        return try await client.send(endpoint)
    }

    /// A call whose answer also tells how far the server's clock is ahead of this device's.
    func answer<Answer: Decodable & Sendable>(
        _ path: String,
        json: (any Encodable & Sendable)? = nil,
        hiding secrets: [String] = [],
        bearer: AccessToken? = nil
    ) async throws -> (value: Answer, offset: ClockOffset) {
        let sent = clock.moment()
        var endpoint: Endpoint<Answer> = try endpoint(path, json, bearer)
        endpoint.secrets = secrets
        let answered = try await client.send(endpoint.withHead)
        // By the wall clock as it was then: somebody may set it while the answer is on its way.
        let received = sent.date(at: clock.uptime())
        let offset = answered.head.headerFields[.date].flatMap {
            ClockOffset(dateField: $0, sent: sent.date, received: received)
        }
        return (answered.value, offset ?? .zero)
    }

    func tell(
        _ path: String,
        json: any Encodable & Sendable,
        hiding secrets: [String],
        bearer: AccessToken
    ) async throws {
        var endpoint = try Endpoint<Void>.post(path, json: json, options: options(bearer))
        endpoint.secrets = secrets
        try await client.send(endpoint)
    }

    private func endpoint<Answer: Decodable & Sendable>(
        _ path: String,
        _ json: (any Encodable & Sendable)?,
        _ bearer: AccessToken?
    ) throws -> Endpoint<Answer> {
        try .post(path, json: json, options: options(bearer))
    }

    private func options(_ bearer: AccessToken?) -> EndpointOptions {
        var options = EndpointOptions.anonymous
        if let bearer { options.headers.append(BearerCredential(bearer).field) }
        return options
    }
}

/// Turns what a server sent into tokens, or refuses it.
enum ReceivedToken {
    static func access(_ text: String) throws(AuthSessionError) -> AccessToken {
        do { return try AccessToken(text) } catch { throw AuthSessionError(.unsafeAnswer, underlying: error) }
    }

    static func refresh(_ text: String) throws(AuthSessionError) -> RefreshToken {
        do { return try RefreshToken(text) } catch { throw AuthSessionError(.unsafeAnswer, underlying: error) }
    }
}
