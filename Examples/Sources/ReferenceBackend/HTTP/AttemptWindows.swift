// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The counts of attempts by key, in windows that begin with a key's first attempt.
///
/// Holds a bounded number of windows. An expired window is removed. If all of them are still open, the oldest one
/// is replaced by that of a new key.
struct AttemptWindows<Key: Hashable & Sendable>: Sendable {
    private struct Window {
        let start: Date
        var attempts: Int
    }

    private let limit: SignInLimit
    private let capacity: Int
    private var windows: [Key: Window] = [:]
    /// The keys of all windows, the oldest window first.
    private var order: [Key] = []

    /// Creates empty counts.
    ///
    /// - Parameters:
    ///   - limit: The attempts that one key may make.
    ///   - capacity: The maximum number of keys counted at once.
    init(limit: SignInLimit, capacity: Int) {
        self.limit = limit
        self.capacity = capacity
    }

    /// The number of keys counted now.
    var count: Int { windows.count }

    /// Counts an attempt.
    ///
    /// - Returns: Nil if the attempt is within the limit; otherwise the seconds until the key's window ends.
    mutating func countAttempt(by key: Key, at now: Date) -> TimeInterval? {
        forgetWindowsThatAreOver(at: now)
        var window = Window(start: now, attempts: 0)
        if let known = windows[key], !isOver(known, at: now) { window = known }
        guard window.attempts < limit.attempts else {
            return limit.window.timeInterval - now.timeIntervalSince(window.start)
        }
        window.attempts += 1
        if windows[key] == nil {
            if order.count >= capacity { windows[order.removeFirst()] = nil }
            order.append(key)
        }
        windows[key] = window
        return nil
    }

    /// Resets a key's count.
    mutating func forgetAttempts(by key: Key) {
        windows[key]?.attempts = 0
    }

    private mutating func forgetWindowsThatAreOver(at now: Date) {
        let over = order.prefix { key in windows[key].map { isOver($0, at: now) } ?? true }
        guard !over.isEmpty else { return }
        for key in over { windows[key] = nil }
        order.removeFirst(over.count)
    }

    /// Returns whether a window has ended, or begins in the future because the clock was set back.
    private func isOver(_ window: Window, at now: Date) -> Bool {
        !(0..<limit.window.timeInterval).contains(now.timeIntervalSince(window.start))
    }
}
