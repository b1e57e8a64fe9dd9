import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A wall clock that stands still until a test moves it.
public final class TestClock: Sendable {
    private let moment: Mutex<Date>

    /// Makes a clock.
    ///
    /// - Parameter start: What it shows first.
    public init(_ start: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        moment = Mutex(start)
    }

    /// What it shows.
    public var now: Date { moment.withLock { $0 } }

    /// Moves it, forwards or backwards.
    ///
    /// - Parameter span: How far.
    public func advance(by span: Duration) {
        moment.withLock { $0 = $0.addingTimeInterval(span / .seconds(1)) }
    }
}
