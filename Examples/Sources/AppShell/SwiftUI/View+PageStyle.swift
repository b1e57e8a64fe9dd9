// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI) && !os(macOS)
import SwiftUI

extension View {
    /// Shows the pages of a tab view beside each other, to swipe, with dots below.
    func pageStyle() -> some View {
        // The dots are white: on a white screen only their background makes them visible.
        tabViewStyle(.page(indexDisplayMode: .always))
            .indexViewStyle(.page(backgroundDisplayMode: .always))
    }
}
#elseif canImport(SwiftUI)
import SwiftUI

extension View {
    /// Returns the view unchanged: a Mac has tabs with their pages' titles in place of dots.
    func pageStyle() -> some View {
        self
    }
}
#endif
