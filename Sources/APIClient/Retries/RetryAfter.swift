import AuthCore
package import HTTPTypes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// How long a server asks to wait.
///
/// Wire: `Retry-After`, in seconds or as a moment.
/// [RFC 9110, 10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3).
package enum RetryAfter {
    private static let longest = 86_400

    /// Reads an answer.
    ///
    /// A moment is counted from the answer's own `Date` where it has one, so that a wrong clock here does no harm.
    ///
    /// - Parameters:
    ///   - fields: The answer's fields. The server's word.
    ///   - now: What this device's clock shows.
    /// - Returns: The span, never negative and a day at most; nil where nothing was asked that can be read.
    package static func duration(in fields: HTTPFields, now: Date) -> Duration? {
        guard let text = fields[.retryAfter] else { return nil }
        if let seconds = Int(text) { return .seconds(min(max(0, seconds), longest)) }
        guard let moment = HTTPDate.parse(text, now: now) else { return nil }
        let sent = fields[.date].flatMap { HTTPDate.parse($0, now: now) } ?? now
        return .seconds(min(max(0, moment.timeIntervalSince(sent)), Double(longest)))
    }
}
