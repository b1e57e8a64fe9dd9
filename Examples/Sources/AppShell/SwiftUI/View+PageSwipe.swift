// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI) && !os(tvOS)
import SwiftUI

extension View {
    /// Calls a closure for each swipe to the previous or next page.
    func onPageSwipe(back: @escaping () -> Void, next: @escaping () -> Void) -> some View {
        // Longer than the slip of a tap.
        gesture(
            DragGesture(minimumDistance: 24).onEnded { drag in
                guard abs(drag.translation.width) > abs(drag.translation.height) else { return }
                drag.translation.width < 0 ? next() : back()
            }
        )
    }
}
#elseif canImport(SwiftUI)
import SwiftUI

extension View {
    /// Returns the view unchanged: a remote control moves the focus between the buttons.
    func onPageSwipe(back: @escaping () -> Void, next: @escaping () -> Void) -> some View {
        self
    }
}
#endif
