public import APIClient
import HTTPTypes

extension InProcessProvider.Fault {
    /// The request is carried out, and its answer is lost.
    ///
    /// - Parameters:
    ///   - endpoint: Where.
    ///   - code: What the sender is told; the request may have reached the server.
    /// - Returns: The fault.
    public static func dropReply(
        at endpoint: InProcessProvider.Endpoint,
        as code: TransportError.Code = .connectionClosed
    ) -> Self {
        Self(.replyLost(code), at: endpoint)
    }

    /// The request is carried out, and its answer is held back.
    ///
    /// - Parameters:
    ///   - endpoint: Where.
    ///   - wait: What is awaited before the answer arrives, a test clock or a gate; what it throws arrives instead.
    /// - Returns: The fault.
    public static func delayReply(
        at endpoint: InProcessProvider.Endpoint,
        until wait: @escaping @Sendable () async throws -> Void
    ) -> Self {
        Self(.delayed(wait), at: endpoint)
    }

    /// The request does not arrive and is not carried out.
    ///
    /// - Parameters:
    ///   - endpoint: Where.
    ///   - code: What the sender is told; the request has not reached the server.
    /// - Returns: The fault.
    public static func unreachable(
        at endpoint: InProcessProvider.Endpoint,
        as code: TransportError.Code = .connectionRefused
    ) -> Self {
        Self(.unreachable(code), at: endpoint)
    }

    /// An answer of a status alone, as of an overloaded server: 429, 503.
    ///
    /// The request is not carried out.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - retryAfter: When to come again, in whole seconds; nil to say nothing.
    ///   - endpoint: Where.
    /// - Returns: The fault.
    public static func status(
        _ status: Int,
        retryAfter: Duration? = nil,
        at endpoint: InProcessProvider.Endpoint
    ) -> Self {
        var answer = ProviderAnswer(status: status)
        if let retryAfter { answer.fields[.retryAfter] = String(retryAfter.components.seconds) }
        return Self(.answer(answer), at: endpoint)
    }

    /// A page instead of JSON, as captive portals and proxies send it.
    ///
    /// The request is not carried out.
    ///
    /// - Parameters:
    ///   - status: The status, 200 among them.
    ///   - endpoint: Where.
    /// - Returns: The fault.
    public static func html(status: Int = 200, at endpoint: InProcessProvider.Endpoint) -> Self {
        let page = "<!doctype html><title>Welcome</title><p>Sign in to the network.</p>"
        return answer(page, type: "text/html", status, endpoint)
    }

    /// Any text instead of the answer.
    ///
    /// The request is not carried out.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - type: Its media type.
    ///   - status: The status.
    ///   - endpoint: Where.
    /// - Returns: The fault.
    public static func body(
        _ text: String,
        type: String = "application/json",
        status: Int = 200,
        at endpoint: InProcessProvider.Endpoint
    ) -> Self {
        answer(text, type: type, status, endpoint)
    }

    private static func answer(
        _ text: String,
        type: String,
        _ status: Int,
        _ endpoint: InProcessProvider.Endpoint
    ) -> Self {
        Self(.answer(ProviderAnswer(status: status, content: .text(text, type: type))), at: endpoint)
    }

    /// The way to another address, which a secret must not take.
    ///
    /// The request is not carried out.
    ///
    /// - Parameters:
    ///   - url: Where to.
    ///   - status: 307 to send the same once more, 302 or 303 to fetch.
    ///   - endpoint: Where.
    /// - Returns: The fault.
    public static func redirect(
        to url: String,
        status: Int = 307,
        at endpoint: InProcessProvider.Endpoint
    ) -> Self {
        Self(.answer(ProviderAnswer(status: status, fields: [.location: url])), at: endpoint)
    }

    /// A header field of the answer with another value; nil to leave it out.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: Its value.
    ///   - endpoint: Where.
    /// - Returns: The fault.
    public static func headerField(
        _ name: String,
        _ value: String?,
        at endpoint: InProcessProvider.Endpoint
    ) -> Self {
        Self(.field(name, value), at: endpoint)
    }
}
