// SPDX-License-Identifier: Apache-2.0

import AppShell
import SwiftUI
import UmuveBrands

/// The brand's wordmark, with its symbol beside it if it has one.
struct WordmarkView: View {
    let brand: Brand

    var body: some View {
        HStack(spacing: 12) {
            if let symbol = brand.symbolName {
                Image(systemName: symbol)
                    .accessibilityHidden(true)
            }
            Text(brand.wordmark)
        }
        .font(.largeTitle.weight(.heavy))
        .foregroundStyle(Color(brand.palette.accent))
    }
}
