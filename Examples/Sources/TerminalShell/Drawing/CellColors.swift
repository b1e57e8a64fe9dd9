// SPDX-License-Identifier: Apache-2.0

import AppShell

/// The colours of a cell of a picture.
struct CellColors: Sendable, Hashable {
    let foreground: SRGBColor
    let background: SRGBColor
}
