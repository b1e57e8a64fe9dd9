/// What a refresh worker says: one JSON object a line.
///
/// Holds no secret.
public struct WorkerLine: Codable, Sendable, Equatable {
    /// What has happened.
    public enum Event: String, Codable, Sendable {
        /// The first call was answered: the session stands, as seen from here.
        case called
        /// A refresh is about to leave; its journal is written.
        case sending
        /// The refresh was answered; its tokens are not written yet.
        case answered
        /// A second has passed.
        case report
        /// Nobody is signed in any more; ``WorkerLine/reason`` says why. The last line.
        case ended
        /// The time is up; the last line.
        case done
    }

    /// What has happened.
    public let event: Event
    /// Why nobody is signed in, by the name of the session's own reason.
    public let reason: String?
    /// What was done since the start; with `report`, `ended` and `done`.
    public let figures: WorkerFigures?

    /// Makes a line.
    ///
    /// - Parameters:
    ///   - event: What has happened.
    ///   - reason: Why nobody is signed in.
    ///   - figures: What was done since the start.
    public init(_ event: Event, reason: String? = nil, figures: WorkerFigures? = nil) {
        self.event = event
        self.reason = reason
        self.figures = figures
    }
}

/// What a refresh worker has done since its start.
public struct WorkerFigures: Codable, Sendable, Equatable {
    /// Calls that were answered with success.
    public var calls = 0
    /// Refreshes that were answered with success.
    public var refreshes = 0
    /// Calls that failed, by the error's code.
    public var errors: [String: Int] = [:]
    /// The longest wait for one call, in seconds.
    public var longestCall = 0.0
    /// Whether somebody is signed in.
    public var isSignedIn = true

    /// Begins with nothing.
    public init() {}

    /// Adds what another worker has done; signed in is who is so everywhere.
    ///
    /// - Parameters:
    ///   - sum: What is added to.
    ///   - more: What the other has done.
    public static func += (sum: inout Self, more: Self) {
        sum.calls += more.calls
        sum.refreshes += more.refreshes
        sum.errors.merge(more.errors, uniquingKeysWith: +)
        sum.longestCall = max(sum.longestCall, more.longestCall)
        sum.isSignedIn = sum.isSignedIn && more.isSignedIn
    }
}
