// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension BaseURL {
    /// Whether the host is `localhost`, a name below it, or an address that the internet does not route: a loopback,
    /// private, link-local, unspecified, shared, benchmarking, multicast or reserved one
    /// ([RFC 6761, 6.3](https://www.rfc-editor.org/rfc/rfc6761#section-6.3),
    /// [RFC 6890, 2.2](https://www.rfc-editor.org/rfc/rfc6890#section-2.2)).
    ///
    /// A malformed IPv6 address counts as one. Other names are not resolved.
    package var isLocal: Bool {
        if host.contains(":") { return Self.isLocal(ipv6: host) }
        // A dot at the end changes neither a name nor an address.
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        return name == "localhost" || name.hasSuffix(".localhost") || Self.ipv4(name).map(Self.isLocal(ipv4:)) ?? false
    }

    private static func isLocal(ipv4 address: UInt32) -> Bool {
        switch (address >> 24, address >> 16 & 0xFF) {
        case (0, _), (10, _), (100, 64...127), (127, _), (169, 254), (172, 16...31), (192, 168), (198, 18...19): true
        case (224..., _): true
        default: false
        }
    }

    private static func isLocal(ipv6 host: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard unsafe inet_pton(AF_INET6, host, &bytes) == 1 else { return true }
        if embeddingPrefixes.contains(Array(bytes.prefix(12))) {
            return isLocal(ipv4: bytes.suffix(4).reduce(0) { $0 << 8 | UInt32($1) })
        }
        // fc00::/7, ff00::/8, fe80::/10, and fec0::/10, which was private before.
        return bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFF || bytes[0] == 0xFE && bytes[1] & 0x80 == 0x80
    }

    /// The prefixes before an IPv4 address: `::/96` with `::` and `::1`, `::ffff:0:0/96`, and `64:ff9b::/96` (RFC 6052).
    private static let embeddingPrefixes: [[UInt8]] = [
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF],
        [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0],
    ]

    /// Reads an IPv4 address as resolvers and browsers do: up to four numbers, of which the last fills the rest
    /// ([URL Standard, 3.5](https://url.spec.whatwg.org/#concept-ipv4-parser)).
    ///
    /// 127.0.0.1 is also `127.1`, `2130706433`, `0x7f.1` and `0177.0.0.1`.
    private static func ipv4(_ host: Substring) -> UInt32? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 4 else { return nil }
        let numbers = parts.compactMap(number)
        guard numbers.count == parts.count, let last = numbers.last, numbers.dropLast().allSatisfy({ $0 <= 0xFF }),
            last < UInt64(1) << (8 * (5 - parts.count))
        else { return nil }
        return numbers.dropLast().enumerated().reduce(UInt32(last)) { address, number in
            address | UInt32(number.element) << (24 - 8 * number.offset)
        }
    }

    private static func number(_ part: Substring) -> UInt64? {
        let isHexadecimal = part.hasPrefix("0x")
        let digits = isHexadecimal ? part.dropFirst(2) : part
        // `UInt64` accepts a sign. To browsers `0x` is 0.
        guard !digits.utf8.contains(where: "+-".utf8.contains) else { return nil }
        if isHexadecimal, digits.isEmpty { return 0 }
        return UInt64(digits, radix: isHexadecimal ? 16 : digits.hasPrefix("0") ? 8 : 10)
    }
}
