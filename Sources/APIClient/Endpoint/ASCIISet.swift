/// Some ASCII characters, one bit each.
struct ASCIISet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Makes a set.
    ///
    /// - Parameter characters: Its characters; what is not ASCII is left out.
    init(_ characters: StaticString) {
        add(characters)
    }

    /// The same with some more.
    func adding(_ characters: StaticString) -> ASCIISet {
        var result = self
        result.add(characters)
        return result
    }

    private mutating func add(_ characters: StaticString) {
        for byte in "\(characters)".utf8 where byte < 0x80 {
            if byte < 64 { low |= 1 << byte } else { high |= 1 << (byte - 64) }
        }
    }

    /// Whether a byte is one of them.
    func contains(_ byte: UInt8) -> Bool {
        if byte < 64 { return low & (1 << byte) != 0 }
        return byte < 0x80 && high & (1 << (byte - 64)) != 0
    }
}
