// SPDX-License-Identifier: Apache-2.0

/// A line of a refresh worker's output: one JSON object.
///
/// Holds no secret.
public struct WorkerLine: Codable, Sendable, Equatable {
    /// The event of a line.
    public enum Event: String, Codable, Sendable {
        /// The first call succeeded: the worker sees a valid session.
        case called
        /// A refresh is about to be sent; its journal is written.
        case sending
        /// The refresh succeeded; its tokens are not written yet.
        case answered
        /// A second has passed.
        case report
        /// The user is signed out; ``WorkerLine/reason`` tells the reason. The last line.
        case ended
        /// The time is up; the last line.
        case done
    }

    /// The event.
    public let event: Event
    /// The name of the session's sign-out reason.
    public let reason: String?
    /// The figures since the start; with `report`, `ended` and `done`.
    public let figures: WorkerFigures?

    /// Creates a line.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - reason: The name of the session's sign-out reason.
    ///   - figures: The figures since the start.
    public init(_ event: Event, reason: String? = nil, figures: WorkerFigures? = nil) {
        self.event = event
        self.reason = reason
        self.figures = figures
    }
}

/// The figures of a refresh worker since its start.
public struct WorkerFigures: Codable, Sendable, Equatable {
    /// The number of successful calls.
    public var calls = 0
    /// The number of successful refreshes.
    public var refreshes = 0
    /// The number of failed calls, by error code.
    public var errors: [String: Int] = [:]
    /// The longest duration of a call, in seconds.
    public var longestCall = 0.0
    /// The start of that call, in seconds since the worker's start.
    public var longestCallBegan = 0.0
    /// The number of calls that took longer than a second.
    public var slowCalls = 0
    /// Whether the user is signed in.
    public var isSignedIn = true

    /// Creates figures that are all zero.
    public init() {}

    /// Adds the figures of another worker; the user is signed in only if both workers say so.
    ///
    /// - Parameters:
    ///   - sum: The figures to add to.
    ///   - more: The figures to add.
    public static func += (sum: inout Self, more: Self) {
        sum.calls += more.calls
        sum.refreshes += more.refreshes
        sum.errors.merge(more.errors, uniquingKeysWith: +)
        if more.longestCall > sum.longestCall {
            (sum.longestCall, sum.longestCallBegan) = (more.longestCall, more.longestCallBegan)
        }
        sum.slowCalls += more.slowCalls
        sum.isSignedIn = sum.isSignedIn && more.isSignedIn
    }
}
