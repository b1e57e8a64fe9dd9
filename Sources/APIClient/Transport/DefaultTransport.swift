// SPDX-License-Identifier: Apache-2.0

/// The transport of everything that was not given one.
package enum DefaultTransport {
    /// URLSession on Apple systems, libcurl on Linux, for the life of the process.
    package static let shared: any Transport = make()

    private static func make() -> any Transport {
        #if canImport(Darwin)
        URLSessionTransport()
        #elseif Curl
        CurlTransport()
        #else
        UnavailableTransport()
        #endif
    }
}

#if !canImport(Darwin) && !Curl
/// A transport that sends nothing, because the trait `Curl` is off.
private struct UnavailableTransport: Transport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        throw TransportError(.failed, mayHaveReachedServer: false)
    }
}
#endif
