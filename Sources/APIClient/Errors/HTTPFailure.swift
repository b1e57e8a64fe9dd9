// SPDX-License-Identifier: Apache-2.0

/// The one table of HTTP statuses that report a transient failure.
package enum HTTPFailure {
    /// Whether the same request may succeed later without any change.
    ///
    /// A server that responds with 408, 425 or 429 asks the client to try again. A server that responds with 500 or
    /// more has failed: it has not judged the request. So these statuses decide nothing and don't end a session. They
    /// don't say either whether the request was carried out.
    ///
    /// - Parameter status: The response's status.
    /// - Returns: True if a later request may succeed.
    ///
    /// [RFC 9110, 15.5.9 and 15.6](https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9),
    /// [RFC 8470, 5.2](https://www.rfc-editor.org/rfc/rfc8470#section-5.2),
    /// [RFC 6585, 4](https://www.rfc-editor.org/rfc/rfc6585#section-4).
    package static func isRetryable(status: Int) -> Bool { [408, 425, 429].contains(status) || status >= 500 }

    /// Whether the client itself sends a repeatable request again, within the same call.
    ///
    /// Of the 5xx statuses it retries 502, 503 and 504, which say that the server is unavailable now. The others can be
    /// a fault that each repetition meets again.
    ///
    /// - Parameter status: The response's status.
    /// - Returns: True if the client sends the request again.
    ///
    /// [RFC 9110, 15.6.3 to 15.6.5](https://www.rfc-editor.org/rfc/rfc9110#section-15.6.3).
    static func isRetriedWithinCall(status: Int) -> Bool {
        isRetryable(status: status) && (status < 500 || (502...504).contains(status))
    }
}
