import Synchronization

/// One life of a process, from its start to its end or its death.
///
/// Whatever it does to the world goes through ``pass()``: a dead process stops there and is never heard of again.
final class Life: Sendable {
    private struct Content {
        var isDead = false
        var isOver = false
        var graves: [CheckedContinuation<Void, Never>] = []
    }

    /// Counts the lives of a schedule.
    let number: Int
    private let content = Mutex(Content())

    init(number: Int) {
        self.number = number
    }

    var isDead: Bool { content.withLock { $0.isDead } }

    /// Goes on where the process lives; else waits until the schedule is over.
    func pass() async {
        await withCheckedContinuation { continuation in
            let goesOn = content.withLock { content in
                if content.isDead, !content.isOver {
                    content.graves.append(continuation)
                    return false
                }
                return true
            }
            if goesOn { continuation.resume() }
        }
    }

    /// The process dies, between two of its steps.
    func kill() {
        content.withLock { $0.isDead = true }
    }

    /// The schedule is over: what waits in the grave may end.
    func end() {
        let graves = content.withLock { content in
            (content.isDead, content.isOver) = (true, true)
            defer { content.graves = [] }
            return content.graves
        }
        for grave in graves { grave.resume() }
    }
}
