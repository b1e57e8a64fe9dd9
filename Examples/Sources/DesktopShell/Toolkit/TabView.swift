// SPDX-License-Identifier: Apache-2.0

import CAdwaita

/// A tab: its title, the name of its icon in the desktop's theme, and its content.
struct Tab {
    let title: String
    let icon: String
    let content: Widget

    init(_ title: String, _ icon: String, _ content: some View) {
        (self.title, self.icon, self.content) = (title, icon, content.widget)
    }
}

/// Tabs, with a bar of buttons below them.
struct TabView: View {
    let widget: Widget

    init(_ tabs: [Tab]) {
        let stack = Widget(new: unsafe adw_view_stack_new()).expanded()
        for tab in tabs {
            let page = unsafe adw_view_stack_add_titled(stack.opaque, tab.content.pointer, tab.title, tab.title)
            unsafe adw_view_stack_page_set_icon_name(page, tab.icon)
        }
        // A screen reader reads the tab that shows, and only that.
        func hideOthers() {
            let shown = unsafe adw_view_stack_get_visible_child(stack.opaque)
            for tab in tabs { tab.content.setAccessibilityHidden(unsafe tab.content.pointer != shown) }
        }
        hideOthers()
        stack.on("notify::visible-child") { _ in hideOthers() }
        let bar = Widget(new: unsafe adw_view_switcher_bar_new())
        unsafe adw_view_switcher_bar_set_stack(bar.opaque, stack.opaque)
        unsafe adw_view_switcher_bar_set_reveal(bar.opaque, 1)
        widget =
            VStack(spacing: 0) {
                stack
                bar
            }
            .widget
    }
}

/// Rows of a list.
struct Rows: View {
    let widget = Widget(new: unsafe gtk_list_box_new()).style("boxed-list")

    init(_ rows: [Widget]) {
        unsafe gtk_list_box_set_selection_mode(widget.opaque, GTK_SELECTION_NONE)
        for view in rows {
            let row = Widget(new: unsafe gtk_list_box_row_new())
            unsafe gtk_list_box_row_set_child(row.cast(), view.padding(12).pointer)
            unsafe gtk_list_box_row_set_activatable(row.cast(), 0)
            unsafe gtk_list_box_append(widget.opaque, row.pointer)
            // A row goes with its text.
            unsafe _ = g_object_bind_property(view.pointer, "visible", row.pointer, "visible", G_BINDING_SYNC_CREATE)
        }
    }
}
