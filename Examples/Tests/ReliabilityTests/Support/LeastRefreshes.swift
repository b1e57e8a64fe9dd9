import Foundation

/// The least refreshes that keep a session in valid access tokens.
///
/// Two things end a token's use. The client takes it for expired a tenth of its life before its end, where it is as short
/// as this: a token of 2 seconds is renewed 1.8 seconds after it was asked for. And the server, which counts in whole
/// seconds, refuses it from `floor(issued) + 2` on: one that it issued at x.9 serves for 1.1 seconds. So the earliest
/// moment at which a token that was issued at `t` must be renewed is `min(t + 1.8, floor(t) + 2)`. That never falls as
/// `t` rises, so that no run that is never without a valid token gets by with fewer refreshes than this chain, each made
/// at the last moment and answered at once: about 2 in 3 seconds, 80 in two minutes.
enum LeastRefreshes {
    /// How many there are.
    ///
    /// - Parameters:
    ///   - first: When the first was made, which counts.
    ///   - last: When the last was made.
    ///   - lifetime: Of a token, in whole seconds.
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
