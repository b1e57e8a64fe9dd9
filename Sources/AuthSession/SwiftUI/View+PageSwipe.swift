#if canImport(SwiftUI) && !os(tvOS)
import SwiftUI

extension View {
    /// Lets the person swipe from page to page.
    func onPageSwipe(back: @escaping () -> Void, next: @escaping () -> Void) -> some View {
        // Farther than a tap that slips.
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
    /// Nothing: where there is a remote control, the buttons have the focus.
    func onPageSwipe(back: @escaping () -> Void, next: @escaping () -> Void) -> some View {
        self
    }
}
#endif
