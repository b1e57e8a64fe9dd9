// SPDX-License-Identifier: Apache-2.0

import CAdwaita

/// Pages to swipe, with dots for their number and place.
struct Carousel: View {
    let widget: Widget
    /// The dots.
    let dots: Widget

    /// Creates a carousel.
    ///
    /// - Parameters:
    ///   - pages: The pages, first to last.
    ///   - index: The index of the page to show; read again after each change.
    ///   - turned: The closure to call once the user has swiped to a page.
    init(_ pages: [any View], index: @escaping () -> Int, turned: @escaping (Int) -> Void) {
        widget = Widget(new: unsafe adw_carousel_new()).expanded()
        dots = Widget(new: unsafe adw_carousel_indicator_dots_new()).accessibilityHidden()
        let pages = pages.map(\.widget)
        for page in pages { unsafe adw_carousel_append(widget.opaque, page.expanded().pointer) }
        unsafe adw_carousel_indicator_dots_set_carousel(dots.opaque, widget.opaque)
        widget.on("page-changed") { carousel in
            turned(Int(unsafe adw_carousel_get_position(carousel.opaque).rounded()))
        }
        widget.following { carousel in
            let page = pages[index()]
            // No motion if the desktop's animations are off.
            let isAnimated = unsafe adw_get_enable_animations(carousel.pointer)
            unsafe adw_carousel_scroll_to(carousel.opaque, page.pointer, isAnimated)
            // A screen reader reads the page that shows, and only that.
            for other in pages { other.setAccessibilityHidden(unsafe other.pointer != page.pointer) }
        }
    }
}
