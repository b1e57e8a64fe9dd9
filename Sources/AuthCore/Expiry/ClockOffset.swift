// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The offset of a server's clock from this device's clock, learned from a response's `Date` field.
///
/// A token's `exp` is by the server's clock. A device whose clock is wrong would take a good token for an expired one,
/// or send an expired one. With the offset it does neither, and the app can tell the user.
/// [RFC 9110, 6.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-6.6.1).
public struct ClockOffset: Sendable, Hashable, CustomStringConvertible {
    /// The time by which the server's clock is ahead; negative if it is behind.
    public let duration: Duration

    /// The offset if the clocks agree, or if the server's clock is unknown.
    public static let zero = ClockOffset(duration: .zero)

    private init(duration: Duration) {
        self.duration = duration
    }

    /// Learns the offset from a response.
    ///
    /// The field counts whole seconds and the response takes time. A difference that these explain counts as zero.
    /// Returns nil if the field is not a date, if the device's clock went backwards between the two moments, or if
    /// a moment is more than three thousand years from 1970.
    ///
    /// - Parameters:
    ///   - field: The response's `Date`, in any of HTTP's three forms. Untrusted, and not from a cache.
    ///   - sent: The moment when the request was sent, by this device's clock.
    ///   - received: The moment when the response arrived, by this device's clock.
    public init?(dateField field: String, sent: Date, received: Date) {
        guard HTTPDate.isOfThisEra(sent), HTTPDate.isOfThisEra(received), received >= sent,
            let server = HTTPDate.parse(field, now: received)
        else { return nil }
        // The server wrote the field between the two moments. Its clock was then up to a second ahead of the field.
        let earliest = server.timeIntervalSince(received)
        let latest = server.timeIntervalSince(sent) + 1
        let seconds = earliest > 0 ? earliest : latest < 0 ? latest : 0
        self.init(duration: .seconds(seconds))
    }

    /// Converts a moment of the server's clock, such as a token's `exp`, to this device's clock.
    package func deviceTime(of moment: Date) -> Date {
        moment.addingTimeInterval(-duration.timeInterval)
    }

    /// Whether the app should tell the user: the offset is more than a minute either way.
    public var isNotable: Bool { abs(duration.timeInterval) > 60 }

    /// An English sentence for the user, in whole minutes, hours or days.
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
