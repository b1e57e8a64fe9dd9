// SPDX-License-Identifier: Apache-2.0

import CAdwaita

/// The views of a container, in order.
@resultBuilder
enum ViewBuilder {
    static func buildExpression(_ view: some View) -> [Widget] { [view.widget] }
    static func buildBlock(_ views: [Widget]...) -> [Widget] { views.flatMap(\.self) }
    static func buildOptional(_ views: [Widget]?) -> [Widget] { views ?? [] }
    static func buildEither(first views: [Widget]) -> [Widget] { views }
    static func buildEither(second views: [Widget]) -> [Widget] { views }
    static func buildArray(_ views: [[Widget]]) -> [Widget] { views.flatMap(\.self) }
}

/// Views below each other.
struct VStack: View {
    let widget: Widget

    init(spacing: Int32 = 12, @ViewBuilder _ views: () -> [Widget]) {
        widget = .box(GTK_ORIENTATION_VERTICAL, spacing, views())
    }
}

/// Views beside each other.
struct HStack: View {
    let widget: Widget

    init(spacing: Int32 = 12, @ViewBuilder _ views: () -> [Widget]) {
        widget = .box(GTK_ORIENTATION_HORIZONTAL, spacing, views())
    }
}

/// Space that grows.
struct Spacer: View {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, 0, []).expanded()
}

/// A screen, which scrolls if it is higher than the window, for example with large text.
struct Screen: View {
    let widget: Widget

    init(spacing: Int32 = 24, @ViewBuilder _ views: () -> [Widget]) {
        let column = VStack(spacing: spacing, views).padding()
        let clamp = Widget(new: unsafe adw_clamp_new())
        unsafe adw_clamp_set_child(clamp.opaque, column.pointer)
        widget = Widget(new: unsafe gtk_scrolled_window_new()).expanded()
        unsafe gtk_scrolled_window_set_policy(widget.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        unsafe gtk_scrolled_window_set_child(widget.opaque, clamp.pointer)
    }
}

/// A view that is made anew whenever a value changes.
struct Switched: View {
    let widget = Widget(new: unsafe adw_bin_new())

    init<Value: Equatable>(_ value: @escaping () -> Value, _ view: @escaping (Value) -> any View) {
        var shown: Value?
        widget.following { bin in
            let next = value()
            guard next != shown else { return }
            shown = next
            unsafe adw_bin_set_child(bin.cast(), view(next).widget.pointer)
        }
    }
}

extension Widget {
    fileprivate static func box(_ orientation: GtkOrientation, _ spacing: Int32, _ views: [Widget]) -> Widget {
        let box = Widget(new: unsafe gtk_box_new(orientation, spacing))
        for view in views { unsafe gtk_box_append(box.cast(), view.pointer) }
        return box
    }
}
