import AuthCore
import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What all calls of a client work with.
struct CallTools: Sendable {
    let source: (any AccessTokenSource)?
    /// The same one, where it says without waiting what it has.
    let freshSource: (any FreshAccessTokenSource)?
    let apiKey: APIKey?
    let transport: any Transport
    let budget: RetryBudget
    let clock: any Clock<Duration>
    let random: @Sendable () -> Double
    let now: @Sendable () -> Date
    let logger: Logger
}
