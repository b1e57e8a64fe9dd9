// SPDX-License-Identifier: Apache-2.0

#if Metrics || Tracing
import HTTPTypes

/// The attributes that metrics and traces record of a call, by OpenTelemetry's names, and no others.
enum CallAttributes {
    /// Returns the attributes that are known when a call begins.
    ///
    /// - Parameters:
    ///   - request: The call's request.
    ///   - baseURL: The client's base address.
    /// - Returns: The names and values.
    static func of(_ request: HTTPRequest, baseURL: BaseURL) -> [(String, String)] {
        // A URL from a response is untrusted: each new host would be a new series of measurements.
        let isOurs = request.scheme == baseURL.scheme && request.authority == baseURL.authority
        return [
            ("http.request.method", request.method.rawValue),
            ("server.address", isOurs ? baseURL.host : "elsewhere"),
        ]
    }

    /// Returns the kind of an error, never its text.
    ///
    /// - Parameter error: The error that a call ended with.
    /// - Returns: The code of an ``APIError``, else the type's name.
    static func type(of error: any Error) -> String {
        if let error = error as? APIError { return "\(error.code)" }
        return String(describing: Swift.type(of: error))
    }
}
#endif
