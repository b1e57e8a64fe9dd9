// SPDX-License-Identifier: Apache-2.0

/// A pattern that inverts codewords, to avoid shapes that confuse a reader (7.8.2).
package enum Mask: Int, Sendable, CaseIterable {
    case pattern000
    case pattern001
    case pattern010
    case pattern011
    case pattern100
    case pattern101
    case pattern110
    case pattern111

    /// Whether it inverts a module.
    func inverts(_ row: Int, _ column: Int) -> Bool {
        let (sum, product) = (row + column, row * column)
        return switch self {
        case .pattern000: sum % 2 == 0
        case .pattern001: row % 2 == 0
        case .pattern010: column % 3 == 0
        case .pattern011: sum % 3 == 0
        case .pattern100: (row / 2 + column / 3) % 2 == 0
        case .pattern101: product % 2 + product % 3 == 0
        case .pattern110: (product % 2 + product % 3) % 2 == 0
        case .pattern111: (sum % 2 + product % 3) % 2 == 0
        }
    }
}
