// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
    /// Whether the character may be shown within a line.
    ///
    /// False for control and format characters, line breaks, and code points without an assigned meaning.
    package var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
