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
}
