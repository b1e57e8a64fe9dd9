// SPDX-License-Identifier: Apache-2.0

/// The kind and the position of one value in a JSON text.
///
/// Created only by ``JSONScanner``, which has checked the text: decoding the value from the same text can't fail.
struct JSONToken: Sendable, Hashable {
    enum Kind: UInt8, Sendable {
        case null
        case `false`
        case `true`
        /// A number without fraction and exponent.
        case integer
        case number
        /// A string of ASCII without escapes.
        case plainString
        /// A string with escapes, or with characters beyond ASCII.
        case string
        case array
        case object
    }

    let kind: Kind
    // As small as possible: a decoded token holds two dozen. ``JWTLimits`` keeps a token short enough.
    private let first: UInt32
    private let behind: UInt32

    init(kind: Kind, start: Int, end: Int) {
        self.kind = kind
        first = UInt32(start)
        behind = UInt32(end)
    }

    /// The offset of the value's first byte; in a string, after the opening quote.
    var start: Int { Int(first) }
    /// The offset after the value's last byte; in a string, before the closing quote.
    var end: Int { Int(behind) }

    var isString: Bool { kind == .plainString || kind == .string }
    var isNumber: Bool { kind == .integer || kind == .number }
}
