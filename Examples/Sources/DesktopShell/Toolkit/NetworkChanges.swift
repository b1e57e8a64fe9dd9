// SPDX-License-Identifier: Apache-2.0

import CAdwaita

/// The changes of the network, from GLib's monitor.
enum NetworkChanges {
    /// Returns whether the network is available, at first and after each change.
    ///
    /// For one call a process: the monitor keeps the handler.
    static func stream() -> AsyncStream<Bool> {
        let (changes, changed) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        guard let monitor = unsafe g_network_monitor_get_default() else { return changes }
        func tell() -> Bool {
            changed.yield(unsafe g_network_monitor_get_network_available(monitor) != 0)
            return false
        }
        _ = tell()
        unsafe Handler.connect(UnsafeMutableRawPointer(monitor), "network-changed", tell)
        return changes
    }
}
