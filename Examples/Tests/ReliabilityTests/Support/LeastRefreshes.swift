// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The minimum number of refreshes that keep a session in valid access tokens.
///
/// Two limits end a token's use. The client treats so short a token as expired a tenth of its lifetime early: it renews
/// a token of 2 seconds 1.8 seconds after its request. The server counts in whole seconds and refuses the token from
/// `floor(issued) + 2` on: a token issued at x.9 lasts for 1.1 seconds. So the earliest moment at which a token issued
/// at `t` must be renewed is `min(t + 1.8, floor(t) + 2)`. This function never decreases with `t`. So a run that always
/// has a valid token can't have fewer refreshes than this chain, in which each is made at the last moment and answered
/// at once: about 2 in 3 seconds, 80 in two minutes.
enum LeastRefreshes {
    /// Returns the minimum number of refreshes.
    ///
    /// - Parameters:
    ///   - first: The time of the first refresh, which counts.
    ///   - last: The time of the last refresh.
    ///   - lifetime: The lifetime of a token, in whole seconds.
    /// - Returns: The length of the chain between the two.
    static func count(from first: Date, to last: Date, lifetime: Double) -> Int {
        var (count, moment) = (0, first.timeIntervalSince1970)
        while moment <= last.timeIntervalSince1970 {
            count += 1
            moment = min(moment + lifetime * 0.9, moment.rounded(.down) + lifetime)
        }
        return count
    }
}
