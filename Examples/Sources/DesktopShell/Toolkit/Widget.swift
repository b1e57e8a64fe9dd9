// SPDX-License-Identifier: Apache-2.0

import CAdwaita

/// A part of a screen.
protocol View {
    var widget: Widget { get }
}

/// A widget of GTK.
///
/// Its container keeps it; a widget without a container lives until it gets one.
@safe
struct Widget: View {
    let pointer: UnsafeMutablePointer<GtkWidget>

    init(_ pointer: UnsafeMutablePointer<GtkWidget>) {
        unsafe self.pointer = unsafe pointer
    }

    /// Wraps the result of a constructor of GTK, which is never null.
    @safe
    init(new pointer: UnsafeMutablePointer<GtkWidget>?) {
        guard let pointer = unsafe pointer else { preconditionFailure("GTK made no widget.") }
        unsafe self.init(pointer)
    }

    var widget: Widget { self }

    /// Hides the widget from screen readers, or shows it to them.
    func setAccessibilityHidden(_ isHidden: Bool) {
        unsafe desktop_set_accessible_hidden(pointer, isHidden ? 1 : 0)
    }

    /// The widget as a type whose members Swift doesn't know.
    var opaque: OpaquePointer { unsafe OpaquePointer(pointer) }

    /// Returns the widget as a type whose members Swift knows.
    func cast<Kind>(to kind: Kind.Type = Kind.self) -> UnsafeMutablePointer<Kind> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: kind)
    }
}

extension View {
    /// Adds a class of the style sheet.
    func style(_ names: String...) -> Widget {
        for name in names { unsafe gtk_widget_add_css_class(widget.pointer, name) }
        return widget
    }

    /// Sets the space around.
    func padding(_ length: Int32 = 24) -> Widget {
        unsafe gtk_widget_set_margin_top(widget.pointer, length)
        unsafe gtk_widget_set_margin_bottom(widget.pointer, length)
        return padding(horizontal: length)
    }

    /// Sets the space at the left and the right.
    func padding(horizontal length: Int32) -> Widget {
        unsafe gtk_widget_set_margin_start(widget.pointer, length)
        unsafe gtk_widget_set_margin_end(widget.pointer, length)
        return widget
    }

    /// Takes all the space that is left.
    func expanded() -> Widget {
        unsafe gtk_widget_set_hexpand(widget.pointer, 1)
        unsafe gtk_widget_set_vexpand(widget.pointer, 1)
        return widget
    }

    /// Takes all the width that is left.
    func expandedSideways() -> Widget {
        unsafe gtk_widget_set_hexpand(widget.pointer, 1)
        return widget
    }

    /// Hides the widget while a condition holds, and keeps its place.
    func hiddenInPlace(_ condition: @escaping () -> Bool) -> Widget {
        widget.following {
            unsafe gtk_widget_set_opacity($0.pointer, condition() ? 0 : 1)
            unsafe gtk_widget_set_sensitive($0.pointer, condition() ? 0 : 1)
            $0.setAccessibilityHidden(condition())
        }
    }

    /// Sets the place at the side of a wider container.
    func aligned(_ place: GtkAlign) -> Widget {
        unsafe gtk_widget_set_halign(widget.pointer, place)
        return widget
    }

    /// Sets the name that a screen reader says.
    func accessibilityLabel(_ text: String) -> Widget {
        unsafe desktop_set_name(widget.pointer, text)
        return widget
    }

    /// Hides a decoration from screen readers.
    func accessibilityHidden() -> Widget {
        widget.setAccessibilityHidden(true)
        return widget
    }

    /// Shows the widget while a condition holds.
    func shown(_ condition: @escaping () -> Bool) -> Widget {
        widget.following { unsafe gtk_widget_set_visible($0.pointer, condition() ? 1 : 0) }
    }

    /// Lets the user use the widget unless a condition holds.
    func disabled(_ condition: @escaping () -> Bool) -> Widget {
        widget.following { unsafe gtk_widget_set_sensitive($0.pointer, condition() ? 0 : 1) }
    }

    /// Gives the widget the keyboard's focus when its screen appears.
    func focused() -> Widget {
        widget.on("map") { unsafe _ = gtk_widget_grab_focus($0.pointer) }
    }
}
