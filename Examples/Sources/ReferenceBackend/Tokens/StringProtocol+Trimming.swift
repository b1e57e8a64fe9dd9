// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
    /// The text without surrounding white space.
    var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
