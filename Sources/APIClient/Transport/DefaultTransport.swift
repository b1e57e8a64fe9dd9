// SPDX-License-Identifier: Apache-2.0

/// The transport of everything that was not given one.
package enum DefaultTransport {
    /// URLSession on Apple systems, libcurl on Linux, for the life of the process.
    package static let shared: any Transport = make()

    #if canImport(Darwin)
    private static func make() -> any Transport { URLSessionTransport() }
    #elseif Curl
    private static func make() -> any Transport {
        do {
            return try CurlTransport(settings: TransportSettings())
        } catch {
            return UnavailableTransport(reason: error)
        }
    }
    #else
    private static func make() -> any Transport { UnavailableTransport(reason: nil) }
    #endif
}

#if !canImport(Darwin)
/// A transport that sends nothing: the `Curl` trait is off, or the environment's settings can't be used.
private struct UnavailableTransport: Transport {
    let reason: (any Error)?

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        throw TransportError(.failed, mayHaveReachedServer: false, underlying: reason)
    }
}
#endif
