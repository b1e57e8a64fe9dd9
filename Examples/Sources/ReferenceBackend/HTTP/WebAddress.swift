// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An address on the web, as Apple accepts it for a return URL.
enum WebAddress {
    /// Returns whether an address is https at a domain name: no IP address, not this machine, no query, no fragment.
    static func isPublic(_ text: String) -> Bool {
        guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let parts = URLComponents(string: text), parts.scheme == "https", parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil, let host = parts.host?.lowercased()
        else { return false }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        // The last label of a domain name begins with a letter; that of an IPv4 address is a number.
        return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty } && labels.last?.first?.isLetter == true
            && labels.last != "localhost" && host.utf8.allSatisfy(Self.isHostByte)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }
}
