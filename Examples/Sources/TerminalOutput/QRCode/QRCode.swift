// SPDX-License-Identifier: Apache-2.0

/// A QR code of a short text, such as an address: byte mode, versions 1 to 10.
///
/// ISO/IEC 18004:2015.
package struct QRCode: Sendable, Equatable {
    /// The share of a code that may be damaged.
    package enum Correction: Sendable, Hashable, CaseIterable {
        /// L: about 7 %.
        case low
        /// M: about 15 %.
        case medium
    }

    /// The version: 1 to 10.
    package let version: Int
    /// The modules, without the quiet zone.
    package let modules: ModuleGrid

    /// Creates the smallest code that holds a text.
    ///
    /// Returns nil if the text is longer than 271 bytes with L, or 213 with M.
    ///
    /// - Parameters:
    ///   - text: The text, encoded as UTF-8.
    ///   - correction: The share of the code that may be damaged.
    ///   - mask: The mask; nil for the one with the lowest penalty (7.8.3).
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
