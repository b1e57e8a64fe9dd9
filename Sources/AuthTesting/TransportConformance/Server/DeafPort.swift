/// A port on which connections are asked for and never made: its queue is full, and nobody takes from it.
package final class DeafPort: Sendable {
    package let port: Int
    private let descriptors: [Int32]

    package init() throws {
        let (listener, port) = try LoopbackSocket.openListener(backlog: 0)
        self.port = port
        // More than any system keeps for a backlog of nothing.
        descriptors = try [listener] + (0..<8).map { _ in try LoopbackSocket.openConnection(port: port, waits: false) }
    }

    deinit {
        for descriptor in descriptors { LoopbackSocket.release(descriptor) }
    }
}
