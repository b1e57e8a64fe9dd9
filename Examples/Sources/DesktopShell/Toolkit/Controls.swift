// SPDX-License-Identifier: Apache-2.0

import AppShell
import CAdwaita

/// A text, which wraps.
struct Text: View {
    let widget: Widget

    init(_ text: String, role: GtkAccessibleRole = GTK_ACCESSIBLE_ROLE_LABEL) {
        self.init(role: role) { text }
    }

    /// Creates a text that changes, and that is hidden while it is nil.
    init(role: GtkAccessibleRole = GTK_ACCESSIBLE_ROLE_LABEL, _ text: @escaping () -> String?) {
        widget = Widget(new: unsafe desktop_label_new(role))
        widget.following { label in
            let text = text()
            unsafe gtk_label_set_text(label.opaque, text ?? "")
            unsafe gtk_widget_set_visible(label.pointer, text == nil ? 0 : 1)
        }
    }

    /// Lets the user select and copy the text.
    func selectable() -> Widget {
        unsafe gtk_label_set_selectable(widget.opaque, 1)
        return widget
    }

    /// Aligns the lines at the start.
    func leading() -> Widget {
        unsafe gtk_label_set_justify(widget.opaque, GTK_JUSTIFY_LEFT)
        unsafe gtk_label_set_xalign(widget.opaque, 0)
        return widget
    }
}

/// A button.
struct Button: View {
    let widget: Widget

    init(_ title: String, _ action: @escaping () -> Void) {
        self.init({ title }, action)
    }

    /// Creates a button whose title changes.
    init(_ title: @escaping () -> String, _ action: @escaping () -> Void) {
        widget = Widget(new: unsafe gtk_button_new_with_label(title()))
        // With large text a title may be wider than the window.
        unsafe gtk_label_set_wrap(Widget(new: gtk_button_get_child(widget.cast())).opaque, 1)
        widget.following { unsafe gtk_button_set_label($0.cast(), title()) }
        widget.on("clicked") { _ in action() }
    }
}

/// A spinner with what the user waits for.
struct ProgressView: View {
    let widget: Widget

    init(_ text: String) {
        self.init { text }
    }

    /// Creates a spinner whose text changes.
    init(_ text: @escaping () -> String) {
        let spinner = Widget(new: unsafe gtk_spinner_new()).accessibilityHidden()
        unsafe gtk_spinner_start(spinner.opaque)
        widget = HStack {
            spinner
            Text { text() }
        }
        .aligned(GTK_ALIGN_CENTER)
    }
}

/// A field for a line of text, with its label above it.
struct TextField: View {
    let widget: Widget
    private let entry: Widget

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - label: The label.
    ///   - isSecret: Whether the text is shown as dots, and kept in memory that is not swapped out.
    ///   - purpose: What on-screen keyboards offer.
    ///   - submit: The action of the Enter key.
    init(
        _ label: String,
        isSecret: Bool = false,
        purpose: GtkInputPurpose = GTK_INPUT_PURPOSE_FREE_FORM,
        submit: @escaping () -> Void
    ) {
        entry = Widget(new: isSecret ? unsafe gtk_password_entry_new() : unsafe gtk_entry_new())
        if isSecret {
            unsafe gtk_password_entry_set_show_peek_icon(entry.opaque, 1)
        } else {
            unsafe gtk_entry_set_input_purpose(entry.cast(), purpose)
        }
        entry.accessibilityLabel(label).on("activate") { _ in submit() }
        widget =
            VStack(spacing: 6) { [entry] in
                Text(label).leading().accessibilityHidden()
                entry
            }
            .widget
    }

    /// The text.
    var text: String {
        get { unsafe String(cString: gtk_editable_get_text(entry.opaque)) }
        nonmutating set { unsafe gtk_editable_set_text(entry.opaque, newValue) }
    }

    /// The text without space around it and with single spaces in it; nil if it is empty.
    var value: String? {
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    func onChange(_ action: @escaping () -> Void) -> TextField {
        entry.on("changed") { _ in action() }
        return self
    }

    func focus() {
        unsafe _ = gtk_widget_grab_focus(entry.pointer)
    }
}

/// A box to check.
struct Toggle: View {
    let widget: Widget

    init(_ title: String, isOn: Bool) {
        widget = Widget(new: unsafe gtk_check_button_new_with_label(title))
        self.isOn = isOn
    }

    var isOn: Bool {
        get { unsafe gtk_check_button_get_active(widget.cast()) != 0 }
        nonmutating set { unsafe gtk_check_button_set_active(widget.cast(), newValue ? 1 : 0) }
    }
}

/// An icon of the desktop's theme, as a decoration.
struct Icon: View {
    let widget: Widget

    init(_ name: String) {
        widget = Widget(new: unsafe gtk_image_new_from_icon_name(name)).accessibilityHidden()
    }
}
