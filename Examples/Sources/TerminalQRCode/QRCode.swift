/// A QR code of a short text: byte mode, versions 1 to 10, which hold an address.
///
/// ISO/IEC 18004:2015.
package struct QRCode: Sendable, Equatable {
    /// How much of a code may be damaged and it still reads.
    package enum Correction: Sendable, Hashable, CaseIterable {
        /// L: about 7 %.
        case low
        /// M: about 15 %.
        case medium
    }

    /// 1 to 10.
    package let version: Int
    /// Without the quiet zone.
    package let modules: ModuleGrid

    /// Makes the smallest code that holds a text; nil where it is too long: above 271 bytes with L, 213 with M.
    ///
    /// - Parameters:
    ///   - text: Its UTF-8 is what a reader gets.
    ///   - correction: How much of it may be damaged.
    ///   - mask: The mask; nil for the one that reads best (7.8.3).
    package init?(_ text: String, correction: Correction = .low, mask: Mask? = nil) {
        let bytes = Array(text.utf8)
        guard let version = CodeVersion.all.first(where: { $0.capacity(correction) >= bytes.count }) else { return nil }
        self.version = version.number
        let symbol = Symbol(version: version, codewords: Codewords.all(of: bytes, version, correction))
        let candidates = (mask.map { [$0] } ?? Mask.allCases).map { symbol.modules(mask: $0, correction) }
        guard let best = candidates.min(by: { Penalty.of($0) < Penalty.of($1) }) else { return nil }
        modules = best
    }
}
