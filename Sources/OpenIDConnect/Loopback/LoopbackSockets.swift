// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
/// The listener's sockets: 127.0.0.1 and [::1] on one port, as far as both are available and safe.
///
/// [RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
struct LoopbackSockets: Sendable {
    let port: Int
    /// The listener's host, as written in a URL.
    let host: String
    let listening: [Descriptor]

    /// Binds both addresses to the first possible port, 0 for any free one; nil if none is possible.
    ///
    /// Tests change the addresses to simulate machines that lack one.
    init?(ports: [Int], name: LoopbackRedirect.Host, v4: String = "127.0.0.1", v6: String = "::1") {
        // Held until the end, so that the system doesn't offer the same free port again.
        var refused: [Descriptor?] = []
        for port in ports {
            let (v4, v4Failed) = Descriptor.listening(on: v4, port)
            let (v6, v6Failed) = Descriptor.listening(on: v6, v4?.own?.port ?? port)
            // With `localhost` the browser may connect to either address: the process that holds the other one would
            // get the code.
            if !v4Failed, !v6Failed || name == .address, let port = (v4 ?? v6)?.own?.port {
                (self.port, host) = (port, v4 == nil ? "[::1]" : "127.0.0.1")
                listening = [v4, v6].compactMap(\.self)
                return
            }
            refused += [v4, v6]
        }
        return nil
    }
}
#endif
