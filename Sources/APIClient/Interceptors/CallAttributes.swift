#if Metrics || Tracing
import HTTPTypes

/// What measurements say of a call, by OpenTelemetry's names, and all that they say.
enum CallAttributes {
    /// What is known of a call when it begins.
    ///
    /// - Parameters:
    ///   - request: The call.
    ///   - baseURL: Where the client's server lives.
    /// - Returns: Names and values.
    static func of(_ request: HTTPRequest, baseURL: BaseURL) -> [(String, String)] {
        // An address out of an answer is from outside: each new one would be a new series of measurements.
        let isOurs = request.scheme == baseURL.scheme && request.authority == baseURL.authority
        return [
            ("http.request.method", request.method.rawValue),
            ("server.address", isOurs ? baseURL.host : "elsewhere"),
        ]
    }

    /// The kind of an error, never its text.
    ///
    /// - Parameter error: What a call ended with.
    /// - Returns: The code of an ``APIError``, else the type's name.
    static func type(of error: any Error) -> String {
        if let error = error as? APIError { return "\(error.code)" }
        return String(describing: Swift.type(of: error))
    }
}
#endif
