// SPDX-License-Identifier: Apache-2.0

import CAdwaita
import Observation

/// An update of a widget, which runs again after each change of what it has read.
private final class Following {
    private let widget: Widget
    private let update: (Widget) -> Void

    init(_ widget: Widget, _ update: @escaping (Widget) -> Void) {
        (self.widget, self.update) = (widget, update)
    }

    func run() {
        withObservationTracking {
            update(widget)
        } onChange: { [weak self] in
            // Called before the change; the task runs after it.
            Task { @MainActor in self?.run() }
        }
    }
}

extension Widget {
    /// Runs an update now, and after each change of an observable property that it reads, until the widget goes.
    @discardableResult
    func following(_ update: @escaping (Widget) -> Void) -> Widget {
        let following = Following(self, update)
        following.run()
        unsafe g_object_weak_ref(
            cast(),
            { following, _ in unsafe following.map { unsafe Unmanaged<Following>.fromOpaque($0).release() } },
            Unmanaged.passRetained(following).toOpaque()
        )
        return self
    }
}
