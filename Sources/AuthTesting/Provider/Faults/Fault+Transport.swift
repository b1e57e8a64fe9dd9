// SPDX-License-Identifier: Apache-2.0

public import APIClient
import HTTPTypes

extension InProcessProvider.Fault {
    /// Loses the response after the request was carried out.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - code: The code of the sender's error, which says that the request may have reached the server.
    /// - Returns: The fault.
    public static func dropResponse(
        at endpoint: InProcessProvider.Endpoint,
        as code: TransportError.Code = .connectionClosed
    ) -> Self {
        Self(.responseLost(code), at: endpoint)
    }

    /// Delays the response after the request was carried out.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - wait: The function to await before the response arrives, such as a test clock's or a gate's. If it throws,
    ///     the sender gets its error instead.
    /// - Returns: The fault.
    public static func delayResponse(
        at endpoint: InProcessProvider.Endpoint,
        until wait: @escaping @Sendable () async throws -> Void
    ) -> Self {
        Self(.delayed(wait), at: endpoint)
    }

    /// Loses the request before it arrives; it is not carried out.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - code: The code of the sender's error, which says that the request has not reached the server.
    /// - Returns: The fault.
    public static func unreachable(
        at endpoint: InProcessProvider.Endpoint,
        as code: TransportError.Code = .connectionRefused
    ) -> Self {
        Self(.unreachable(code), at: endpoint)
    }

    /// Makes the provider respond with a status only, like an overloaded server: 429, 503.
    ///
    /// The request is not carried out.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - retryAfter: The value of `Retry-After`, in whole seconds; nil to omit the field.
    ///   - endpoint: The endpoint.
    /// - Returns: The fault.
    public static func status(
        _ status: Int,
        retryAfter: Duration? = nil,
        at endpoint: InProcessProvider.Endpoint
    ) -> Self {
        var response = EndpointResponse(status: status)
        if let retryAfter { response.fields[.retryAfter] = String(retryAfter.components.seconds) }
        return Self(.response(response), at: endpoint)
    }

    /// Makes the provider respond with a page instead of JSON, as captive portals and proxies do.
    ///
    /// The request is not carried out.
    ///
    /// - Parameters:
    ///   - status: The status code, which may be 200.
    ///   - endpoint: The endpoint.
    /// - Returns: The fault.
    public static func html(status: Int = 200, at endpoint: InProcessProvider.Endpoint) -> Self {
        let page = "<!doctype html><title>Welcome</title><p>Sign in to the network.</p>"
        return response(page, type: "text/html", status, endpoint)
    }

    /// Makes the provider respond with any text.
    ///
    /// The request is not carried out.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - type: The body's media type.
    ///   - status: The status code.
    ///   - endpoint: The endpoint.
    /// - Returns: The fault.
    public static func body(
        _ text: String,
        type: String = "application/json",
        status: Int = 200,
        at endpoint: InProcessProvider.Endpoint
    ) -> Self {
        response(text, type: type, status, endpoint)
    }

    private static func response(
        _ text: String,
        type: String,
        _ status: Int,
        _ endpoint: InProcessProvider.Endpoint
    ) -> Self {
        Self(.response(EndpointResponse(status: status, content: .text(text, type: type))), at: endpoint)
    }

    /// Redirects the request to another URL, to which a client must not send a secret.
    ///
    /// The request is not carried out.
    ///
    /// - Parameters:
    ///   - url: The target of the redirect.
    ///   - status: The status code: 307 to repeat the request at the target, 302 or 303 to fetch the target.
    ///   - endpoint: The endpoint.
    /// - Returns: The fault.
    public static func redirect(
        to url: String,
        status: Int = 307,
        at endpoint: InProcessProvider.Endpoint
    ) -> Self {
        Self(.response(EndpointResponse(status: status, fields: [.location: url])), at: endpoint)
    }

    /// Sets or removes a header field of the response.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The field's value; nil to remove the field.
    ///   - endpoint: The endpoint.
    /// - Returns: The fault.
    public static func headerField(
        _ name: String,
        _ value: String?,
        at endpoint: InProcessProvider.Endpoint
    ) -> Self {
        Self(.field(name, value), at: endpoint)
    }
}
