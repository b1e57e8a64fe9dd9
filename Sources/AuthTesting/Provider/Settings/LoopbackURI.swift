// SPDX-License-Identifier: Apache-2.0

/// A redirect URI on the loopback interface, without its port.
struct LoopbackURI: Equatable {
    let host: String
    /// The path and the query.
    let target: String

    /// Parses a redirect URI; nil if it is not on the loopback interface.
    init?(_ uri: String) {
        guard uri.hasPrefix("http://"), !uri.contains("#") else { return nil }
        let rest = uri.dropFirst("http://".count)
        for host in ["127.0.0.1", "[::1]", "localhost"] where rest.hasPrefix(host) {
            var behind = rest.dropFirst(host.count)
            if behind.first == ":" {
                let port = behind.dropFirst().prefix { $0.isASCII && $0.isNumber }
                guard UInt16(port) != nil else { return nil }
                behind = behind.dropFirst(port.count + 1)
            }
            guard behind.isEmpty || behind.first == "/" || behind.first == "?" else { return nil }
            (self.host, target) = (host, String(behind))
            return
        }
        return nil
    }
}
