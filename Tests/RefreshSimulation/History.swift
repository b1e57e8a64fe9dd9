// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The events of a schedule, and its faults.
final class History: Sendable {
    private struct Content {
        var lines: [String] = []
        var faults: [String] = []
    }

    private let isKept: Bool
    private let content = Mutex(Content())

    /// Creates a history.
    ///
    /// - Parameter isKept: Whether events are recorded. Faults always are.
    init(isKept: Bool) {
        self.isKept = isKept
    }

    func note(at time: Duration, _ text: @autoclosure () -> String) {
        guard isKept else { return }
        let line = "\(time) \(text())"
        content.withLock { $0.lines.append(line) }
    }

    func fault(_ text: String) {
        content.withLock {
            $0.faults.append(text)
            $0.lines.append("FAULT \(text)")
        }
    }

    var faults: [String] { content.withLock { $0.faults } }
    var lines: [String] { content.withLock { $0.lines } }
}
