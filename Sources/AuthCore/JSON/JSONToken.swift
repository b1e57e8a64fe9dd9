/// One value of a JSON text: what kind it is, and where it lies.
///
/// Only ever made by ``JSONScanner``, which has checked the text: reading one out of the same text can't fail.
struct JSONToken: Sendable, Hashable {
    enum Kind: UInt8, Sendable {
        case null
        case `false`
        case `true`
        /// A number without fraction and exponent.
        case integer
        case number
        /// A string in which every byte stands for itself, and all of them are ASCII.
        case plainString
        /// A string with escapes, or beyond ASCII.
        case string
        case array
        case object
    }

    let kind: Kind
    // As small as they may be: a decoded token holds two dozen of them. No text is longer, by ``JWTLimits``.
    private let first: UInt32
    private let behind: UInt32

    init(kind: Kind, start: Int, end: Int) {
        self.kind = kind
        first = UInt32(start)
        behind = UInt32(end)
    }

    /// Where it begins: for a string behind its opening quote.
    var start: Int { Int(first) }
    /// Where it ends: for a string before its closing quote.
    var end: Int { Int(behind) }

    var isString: Bool { kind == .plainString || kind == .string }
    var isNumber: Bool { kind == .integer || kind == .number }
}
