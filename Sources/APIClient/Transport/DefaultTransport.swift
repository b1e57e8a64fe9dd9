/// Which transport a client uses that was given none.
package enum DefaultTransport {
    /// AsyncHTTPClient on Linux; URLSession on Apple systems, and on Linux without the trait.
    package static func make() -> any Transport {
        #if AsyncHTTPClient && canImport(AsyncHTTPClient)
        AsyncHTTPClientTransport()
        #else
        URLSessionTransport()
        #endif
    }

    /// One for everything that was given none of its own, for as long as the process lives.
    package static let shared = make()

    /// The same with settings.
    ///
    /// - Parameter settings: Who is trusted, and which way requests go.
    /// - Returns: The transport.
    /// - Throws: ``TransportSettingsError`` (also `unsupported`: URLSession has neither authorities nor a proxy of its own).
    package static func make(_ settings: TransportSettings) throws -> any Transport {
        #if AsyncHTTPClient && canImport(AsyncHTTPClient)
        try AsyncHTTPClientTransport(settings: settings)
        #else
        try URLSessionTransport(settings: settings)
        #endif
    }
}
