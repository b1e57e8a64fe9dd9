import Foundation

@testable import OpenIDConnect

/// A query read a second time, by its bytes and with Foundation's decoder.
struct QueryReading {
    /// Names and values; nil where an escape is broken.
    private let items: [(name: String, value: String)]?
    private let length: Int

    init(_ query: String) {
        length = query.utf8.count
        var items: [(name: String, value: String)] = []
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(parts[0]), let value = parts.count > 1 ? Self.decoded(parts[1]) : "" else {
                self.items = nil
                return
            }
            items.append((name, value))
        }
        self.items = items
    }

    private static func decoded(_ part: some Sequence<UInt8>) -> String? {
        String(decoding: part.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self).removingPercentEncoding
    }

    var isReadable: Bool { items != nil }

    /// All values of a name.
    func values(_ name: String) -> [String] {
        (items ?? []).filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }

    /// Whether it answers a request with a code.
    func isRight(for request: AuthorizationRequest) -> Bool {
        guard let items, length <= 8_192 else { return false }
        // Two names that are one but for how an accent is written are refused as one: that is no harm.
        let names = items.map(\.name)
        guard Set(names).count == names.count, values("state") == [CallbackOracle.state], values("error").isEmpty,
            let code = values("code").first, !code.isEmpty
        else { return false }
        switch values("iss").first {
        case let issuer?: return issuer.utf8.elementsEqual(request.provider.issuer.identifier.utf8)
        case nil: return !request.provider.abilities.sendsIssuer
        }
    }
}
