// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import Glibc
import SharedTestSupport
import Synchronization

/// The processes that share one session.
final class WorkerGroup: Sendable {
    /// An event of a worker group.
    enum Event: Sendable {
        case reported(Int, WorkerLine)
        /// A process has ended.
        case exited(Int)
        /// The requested time is over.
        case tick
    }

    private struct Members {
        var living: [Int: Worker] = [:]
        var started = 0
        var figures: [Int: WorkerFigures] = [:]
    }

    let session: ReliabilityStage.Session
    let events: AsyncStream<Event>
    private let stage: ReliabilityStage
    private let span: Duration
    private let continuation: AsyncStream<Event>.Continuation
    private let members = Mutex(Members())

    init(_ session: ReliabilityStage.Session, on stage: ReliabilityStage, for span: Duration) {
        self.session = session
        self.stage = stage
        self.span = span
        (events, continuation) = AsyncStream.makeStream()
    }

    /// Starts more processes.
    ///
    /// - Returns: The number of the last process.
    @discardableResult
    func start(_ count: Int = 1) throws -> Int {
        var number = 0
        for _ in 0..<count {
            number = members.withLock { members in
                members.started += 1
                return members.started
            }
            let worker = try stage.caller(session, for: span) { [number] in self.receive($0, from: number) }
            members.withLock { $0.living[number] = worker }
        }
        return number
    }

    private func receive(_ line: WorkerLine?, from number: Int) {
        guard let line else { return _ = continuation.yield(.exited(number)) }
        if let figures = line.figures { members.withLock { $0.figures[number] = figures } }
        continuation.yield(.reported(number, line))
    }

    /// Kills a process, and waits for its end.
    ///
    /// - Returns: Whether the process was alive.
    @discardableResult
    func kill(_ number: Int) async -> Bool {
        guard let worker = members.withLock({ $0.living.removeValue(forKey: number) }) else { return false }
        worker.process.send(SIGKILL)
        await worker.process.end()
        return true
    }

    /// Kills all processes at once.
    ///
    /// - Returns: The number of processes that were alive.
    @discardableResult
    func killAll() async -> Int {
        let all = members.withLock { members in
            defer { members.living = [:] }
            return members.living.values
        }
        for worker in all { worker.process.send(SIGKILL) }
        for worker in all { await worker.process.end() }
        return all.count
    }

    /// The numbers of the processes that have not been killed, in order.
    var living: [Int] { members.withLock { $0.living.keys.sorted() } }

    /// Sends one tick to `events` later.
    func tick(after span: Duration) {
        // The moment is random, so there is no event to wait for.
        Task {
            try? await Task.sleep(for: span)
            continuation.yield(.tick)
        }
    }

    /// The figures of all processes; those of a killed process up to its last report.
    var figures: WorkerFigures {
        members.withLock { $0.figures.values.reduce(into: WorkerFigures()) { $0 += $1 } }
    }
}
