// SPDX-License-Identifier: Apache-2.0

/// The transport of a client that was not given one.
package enum DefaultTransport {
    /// Creates a transport: AsyncHTTPClient on Linux; URLSession on Apple systems, and on Linux without the trait.
    package static func make() -> any Transport {
        #if AsyncHTTPClient && canImport(AsyncHTTPClient)
        AsyncHTTPClientTransport()
        #else
        URLSessionTransport()
        #endif
    }

    /// The transport that everything without one of its own shares, for the life of the process.
    package static let shared = make()

    /// Creates a transport with settings.
    ///
    /// - Parameter settings: The certificate authorities, the client certificate, the proxy and the connection timeout.
    /// - Returns: The transport.
    /// - Throws: ``TransportSettingsError`` (also `unsupported`: URLSession takes neither certificate authorities nor a
    ///   client certificate nor a proxy from the settings).
    package static func make(_ settings: TransportSettings) throws -> any Transport {
        #if AsyncHTTPClient && canImport(AsyncHTTPClient)
        try AsyncHTTPClientTransport(settings: settings)
        #else
        try URLSessionTransport(settings: settings)
        #endif
    }
}
