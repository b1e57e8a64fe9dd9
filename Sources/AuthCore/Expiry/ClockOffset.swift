#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How far a server's clock is ahead of this device's, as learned from an answer's `Date` field.
///
/// A token's `exp` is by the server's clock. A device whose clock is wrong would take a good token for an expired one,
/// or send an expired one; with the offset it does neither, and can tell the person.
/// [RFC 9110, 6.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-6.6.1).
public struct ClockOffset: Sendable, Hashable, CustomStringConvertible {
    /// How far the server's clock is ahead; negative where it is behind.
    public let duration: Duration

    /// The clocks agree, or nothing is known.
    public static let zero = ClockOffset(duration: .zero)

    private init(duration: Duration) {
        self.duration = duration
    }

    /// Learns the offset from an answer.
    ///
    /// The field counts whole seconds and the answer took its time, so what both can explain is no offset. Nil where
    /// the field is no date, or the device's clock went backwards meanwhile.
    ///
    /// - Parameters:
    ///   - field: The answer's `Date`, in any of HTTP's three forms. From outside, and not out of a cache.
    ///   - sent: When the request was sent, by this device's clock.
    ///   - received: When the answer came, by this device's clock.
    public init?(dateField field: String, sent: Date, received: Date) {
        guard HTTPDate.isOfThisEra(sent), HTTPDate.isOfThisEra(received), received >= sent,
            let server = HTTPDate.parse(field, now: received)
        else { return nil }
        // The server wrote it between the two moments, and then it was anything up to a second later than it says.
        let earliest = server.timeIntervalSince(received)
        let latest = server.timeIntervalSince(sent) + 1
        let seconds = earliest > 0 ? earliest : latest < 0 ? latest : 0
        self.init(duration: .seconds(seconds))
    }

    /// A moment of the server's clock, by this device's.
    ///
    /// - Parameter moment: By the server's clock: a token's `exp`.
    /// - Returns: When that is here.
    public func deviceTime(of moment: Date) -> Date {
        moment.addingTimeInterval(-duration.timeInterval)
    }

    /// Whether the person should be told: more than a minute either way.
    public var isNotable: Bool { abs(duration.timeInterval) > 60 }

    /// One English sentence for the person, in whole minutes, hours or days.
    public var description: String {
        guard isNotable else { return "This device's clock is right." }
        let seconds = abs(duration.timeInterval)
        let (unit, length): (String, Double) =
            seconds < 90 * 60 ? ("minute", 60) : seconds < 36 * 3_600 ? ("hour", 3_600) : ("day", 86_400)
        let count = Int64((seconds / length).rounded())
        let span = "\(count) \(unit)\(count == 1 ? "" : "s")"
        return "This device's clock is \(span) \(duration > .zero ? "slow" : "fast")."
    }
}
