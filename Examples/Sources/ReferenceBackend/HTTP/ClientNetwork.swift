// SPDX-License-Identifier: Apache-2.0

/// The network of a client: an IPv4 address, or the first 64 bits of an IPv6 address.
///
/// One machine can have a whole /64 of IPv6 to itself, so a limit per address would be useless.
/// [RFC 6177](https://www.rfc-editor.org/rfc/rfc6177).
struct ClientNetwork: Hashable, Sendable {
    private let prefix: [UInt8]

    /// Creates the network of an address; all clients without an IP address share one network.
    init(_ address: IPAddress?) {
        let bytes = address?.bytes ?? []
        prefix = bytes.count == 16 ? Array(bytes.prefix(8)) : bytes
    }
}
