import AuthCore
import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What all calls of a client work with: one for all, which a call keeps and does not copy.
final class CallTools: Sendable {
    let source: (any AccessTokenSource)?
    /// The same one, where it says without waiting what it has.
    let freshSource: (any FreshBearerSource)?
    /// The same one, where its tokens may be bound to a key.
    let boundSource: (any BoundTokenSource)?
    let apiKey: APIKey?
    let transport: any Transport
    let budget: RetryBudget
    let clock: CallClock
    let random: @Sendable () -> Double
    let now: @Sendable () -> Date
    let logger: Logger

    init(
        source: (any AccessTokenSource)?,
        apiKey: APIKey?,
        transport: any Transport,
        configuration: APIClient.Configuration
    ) {
        self.source = source
        freshSource = source as? any FreshBearerSource
        boundSource = source as? any BoundTokenSource
        self.apiKey = apiKey
        self.transport = transport
        budget = RetryBudget()
        clock = CallClock(configuration.clock)
        random = configuration.random
        now = configuration.now
        logger = configuration.logger
    }
}
