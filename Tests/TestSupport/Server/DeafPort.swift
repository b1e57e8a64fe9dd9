// SPDX-License-Identifier: Apache-2.0

/// A port that never accepts a connection: its queue is full, and no thread accepts from it.
package final class DeafPort: Sendable {
    package let port: Int
    private let descriptors: [Int32]

    package init() throws {
        let (listener, port) = try LoopbackSocket.openListener(backlog: 0)
        self.port = port
        // More than any system queues for a backlog of zero.
        descriptors = try [listener] + (0..<8).map { _ in try LoopbackSocket.openConnection(port: port, waits: false) }
    }

    deinit {
        for descriptor in descriptors { LoopbackSocket.release(descriptor) }
    }
}
