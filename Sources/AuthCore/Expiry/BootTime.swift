// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A moment by the clock that starts with the machine, counts while it sleeps, and can't be set.
///
/// All processes share it, until the machine restarts.
package struct BootTime: Sendable, Hashable, Codable {
    /// The identifier of the machine's start.
    package let bootID: UUID
    /// The time since the start, in seconds.
    package let seconds: Double

    package init(bootID: UUID, seconds: Double) { (self.bootID, self.seconds) = (bootID, seconds) }

    /// Returns the moment some seconds earlier; nil if the machine had not started yet.
    package func earlier(by span: Double) -> BootTime? {
        span <= seconds ? BootTime(bootID: bootID, seconds: seconds - span) : nil
    }

    /// Returns the seconds since an earlier moment.
    ///
    /// Nil if the machine has restarted since, or if the moment is not a past one: a stored number may be any.
    package func seconds(since earlier: BootTime?) -> Double? {
        guard let earlier, earlier.bootID == bootID, earlier.seconds >= 0, earlier.seconds <= seconds else {
            return nil
        }
        return seconds - earlier.seconds
    }
}
