// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A channel that passes values from one task or callback to one task, in their order.
///
/// It ends once: the first end counts. If the sender or the receiver is cancelled, it ends for both.
final class AsyncChannel<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var end: Result<Void, any Error>?
        var taker: CheckedContinuation<Element?, any Error>?
        var sender: CheckedContinuation<Void, any Error>?
    }

    private let state = Mutex(State())

    /// Adds a value without waiting.
    ///
    /// A value after the end is dropped.
    func push(_ element: Element) {
        let taker = state.withLock { state -> CheckedContinuation<Element?, any Error>? in
            guard state.end == nil else { return nil }
            guard let taker = state.taker.take() else {
                state.waiting.append(element)
                return nil
            }
            return taker
        }
        taker?.resume(returning: element)
    }

    /// Adds a value and waits until it is taken.
    ///
    /// - Throws: The channel's error if it ends first; `CancellationError`, also if it ends first without an error.
    func send(_ element: Element) async throws {
        push(element)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if let end = state.end { return end.flatMap { .failure(CancellationError()) } }
                    if state.waiting.isEmpty { return .success(()) }
                    state.sender = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            finish(throwing: CancellationError(), dropping: true)
        }
    }

    /// Returns the total size of the values that were not taken yet.
    func waiting(_ size: (Element) -> Int) -> Int {
        state.withLock { $0.waiting.reduce(0) { $0 + size($1) } }
    }

    /// Takes the next value.
    ///
    /// - Returns: The value; nil at the end.
    /// - Throws: The channel's error; `CancellationError`; ``TransportError`` (`failed`: another task is waiting
    ///   already).
    func next() async throws -> Element? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (result, sender) = state.withLock { state in Self.take(&state, continuation) }
                sender?.resume()
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            finish(throwing: CancellationError(), dropping: true)
        }
    }

    /// Ends the channel.
    ///
    /// - Parameters:
    ///   - error: The error that the receiver gets instead of the end.
    ///   - dropping: Whether waiting values are discarded. Otherwise they are taken first.
    func finish(throwing error: (any Error)? = nil, dropping: Bool = false) {
        let (taker, sender, end) = state.withLock { state in
            if dropping, !state.waiting.isEmpty {
                // Values are lost: an earlier successful end no longer holds.
                state.waiting = []
                state.end = nil
            }
            guard state.end == nil else { return (nil, nil, Result<Void, any Error>.success(())) as Resumed }
            let end: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
            state.end = end
            return (state.taker.take(), state.sender.take(), end)
        }
        taker?.resume(with: end.map { nil })
        sender?.resume(with: end.flatMap { .failure(CancellationError()) })
    }

    private typealias Resumed = (
        taker: CheckedContinuation<Element?, any Error>?, sender: CheckedContinuation<Void, any Error>?,
        end: Result<Void, any Error>
    )

    private static func take(
        _ state: inout State,
        _ continuation: CheckedContinuation<Element?, any Error>
    ) -> (Result<Element?, any Error>?, CheckedContinuation<Void, any Error>?) {
        if !state.waiting.isEmpty {
            let element = state.waiting.removeFirst()
            return (.success(element), state.waiting.isEmpty ? state.sender.take() : nil)
        }
        if let end = state.end { return (end.map { nil }, nil) }
        // Only one receiver may wait: a second one would take the first one's place, and the first would wait for ever.
        guard state.taker == nil else { return (.failure(TransportError(.failed, mayHaveReachedServer: true)), nil) }
        state.taker = continuation
        return (nil, nil)
    }
}
