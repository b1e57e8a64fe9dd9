// SPDX-License-Identifier: Apache-2.0

import CAdwaita

/// A closure that GTK keeps for a signal.
final class Handler {
    private let body: () -> Bool

    private init(_ body: @escaping () -> Bool) {
        self.body = body
    }

    /// Calls a closure at each signal of an object, whatever its arguments, until the object goes.
    ///
    /// - Parameter body: Returns whether the signal is handled, for signals that ask.
    static func connect(_ object: UnsafeMutableRawPointer, _ signal: String, _ body: @escaping () -> Bool) {
        unsafe desktop_connect(
            object,
            signal,
            { data in
                guard let data = unsafe data else { return 0 }
                return unsafe Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().body() ? 1 : 0
            },
            Unmanaged.passRetained(Handler(body)).toOpaque(),
            { data, _ in unsafe data.map { unsafe Unmanaged<Handler>.fromOpaque($0).release() } }
        )
    }

    /// Calls a closure for a key, for example `<Control>q`, in a widget or within it.
    static func connect(key: String, of widget: Widget, _ body: @escaping () -> Void) {
        let action = unsafe gtk_callback_action_new(
            { _, _, data in
                guard let data = unsafe data else { return 0 }
                return unsafe Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().body() ? 1 : 0
            },
            Unmanaged.passRetained(
                Handler {
                    body()
                    return true
                }
            ).toOpaque(),
            { data in unsafe data.map { unsafe Unmanaged<Handler>.fromOpaque($0).release() } }
        )
        let controller = unsafe gtk_shortcut_controller_new()
        let shortcut = unsafe gtk_shortcut_new(gtk_shortcut_trigger_parse_string(key), action)
        unsafe gtk_shortcut_controller_add_shortcut(controller, shortcut)
        unsafe gtk_widget_add_controller(widget.pointer, controller)
    }
}

extension View {
    /// Calls a closure at each signal of the widget.
    @discardableResult
    func on(_ signal: String, _ body: @escaping (Widget) -> Void) -> Widget {
        let widget = widget
        unsafe Handler.connect(widget.pointer, signal) {
            body(widget)
            return false
        }
        return widget
    }

    /// Calls a closure for a key while the screen shows.
    func onKey(_ key: String, _ body: @escaping () -> Void) -> Widget {
        Handler.connect(key: key, of: widget, body)
        return widget
    }
}
