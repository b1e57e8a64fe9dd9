// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Dispatch
public import Foundation
internal import Synchronization

/// All lines that a process prints, in their order.
public final class Transcript: Sendable {
    private struct Waiter {
        let isSatisfied: @Sendable ([String]) -> Bool
        let continuation: CheckedContinuation<[String], any Error>
    }

    private struct State {
        var lines: [String] = []
        var rest = Data()
        var hasEnded = false
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private let state = Mutex(State())

    /// Starts reading.
    ///
    /// - Parameter output: The open end of the process's standard output.
    public init(of output: FileHandle) {
        // Doesn't use a `readabilityHandler`: its dispatch source may outlive the descriptor, and libdispatch then
        // crashes (swift-corelibs-foundation 3276).
        Thread.detachNewThread { [weak self] in
            while true {
                let read = output.availableData
                self?.append(read)
                if read.isEmpty { return }
            }
        }
    }

    /// The lines received so far.
    public var lines: [String] { state.withLock { $0.lines } }

    /// Waits until the lines satisfy a condition.
    ///
    /// - Parameters:
    ///   - what: A description of the condition, for the error.
    ///   - timeout: The time after which waiting ends with an error.
    ///   - isSatisfied: The condition. It gets all lines received so far, each time that one arrives.
    /// - Returns: The lines that satisfied the condition.
    /// - Throws: ``TestSupportError`` if the process ends or the time runs out before the condition holds.
    @discardableResult
    public func wait(
        for what: String,
        timeout: Duration = .seconds(60),
        until isSatisfied: @escaping @Sendable ([String]) -> Bool
    ) async throws -> [String] {
        try await withCheckedThrowingContinuation { continuation in
            let number = state.withLock { state in
                state.lastWaiter += 1
                state.waiters[state.lastWaiter] = Waiter(isSatisfied: isSatisfied, continuation: continuation)
                return state.lastWaiter
            }
            let end = DispatchTime.now() + .milliseconds(Int(timeout / .milliseconds(1)))
            DispatchQueue.global().asyncAfter(deadline: end) { self.giveUp(number, on: what) }
            settle(what)
        }
    }

    private func append(_ read: Data) {
        state.withLock { state in
            state.rest.append(read)
            while let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
                state.lines.append(String(decoding: state.rest[..<end], as: UTF8.self))
                state.rest = Data(state.rest[state.rest.index(after: end)...])
            }
            if read.isEmpty { state.hasEnded = true }
        }
        settle("the expected lines")
    }

    /// Resumes the waiters whose condition holds, and all of them if the output has ended.
    private func settle(_ what: String) {
        let (lines, hasEnded, gone) = state.withLock { state in
            let gone = state.waiters.filter { state.hasEnded || $0.value.isSatisfied(state.lines) }
            for number in gone.keys { state.waiters[number] = nil }
            return (state.lines, state.hasEnded, gone.values)
        }
        for waiter in gone {
            if waiter.isSatisfied(lines) {
                waiter.continuation.resume(returning: lines)
            } else if hasEnded {
                waiter.continuation.resume(throwing: TestSupportError("ended without \(what): \(lines.suffix(20))"))
            }
        }
    }

    private func giveUp(_ number: Int, on what: String) {
        let (waiter, lines) = state.withLock { ($0.waiters.removeValue(forKey: number), $0.lines) }
        waiter?.continuation.resume(throwing: TestSupportError("no \(what) in time: \(lines.suffix(20))"))
    }
}
#endif
