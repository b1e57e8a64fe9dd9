// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import OpenIDConnect

/// A second reading of a query, by its bytes and with Foundation's decoder.
struct ReferenceQuery {
    /// The names and values; nil if an escape is broken.
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
        let text = String(decoding: part.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self)
        // Foundation replaces some invalid UTF-8 by U+FFFD; a replacement that the text didn't contain reveals it.
        let given = replacements(in: text) + text.lowercased().components(separatedBy: "%ef%bf%bd").count - 1
        return text.removingPercentEncoding.flatMap { replacements(in: $0) == given ? $0 : nil }
    }

    private static func replacements(in text: String) -> Int { text.unicodeScalars.count { $0 == "\u{FFFD}" } }

    var isReadable: Bool { items != nil }

    /// Returns all values of a name.
    func values(_ name: String) -> [String] {
        (items ?? []).filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }

    /// Returns whether the query answers a request with a code.
    func isValid(for request: AuthorizationRequest) -> Bool {
        guard let items, length <= 8_192 else { return false }
        // Two names that differ only in how an accent is encoded are refused as duplicates, which does no harm.
        let names = items.map(\.name)
        guard Set(names).count == names.count, values("state") == [CallbackOracle.state], values("error").isEmpty,
            let code = values("code").first, !code.isEmpty
        else { return false }
        switch values("iss").first {
        case let issuer?: return issuer.utf8.elementsEqual(request.provider.issuer.identifier.utf8)
        case nil: return !request.provider.authorizationResponseIssParameterSupported
        }
    }
}
