// SPDX-License-Identifier: Apache-2.0

import CAdwaita
import UmuveBrands

/// The brand's wordmark, with its symbol beside it if it has one.
struct Wordmark: View {
    let widget: Widget

    init(_ brand: Brand) {
        widget = HStack {
            if let symbol = brand.symbolName, let picture = SymbolPicture(symbol, color: brand.palette.accent) {
                picture
            }
            Text(brand.wordmark, role: GTK_ACCESSIBLE_ROLE_HEADING).style("wordmark")
        }
        .aligned(GTK_ALIGN_CENTER)
    }
}
