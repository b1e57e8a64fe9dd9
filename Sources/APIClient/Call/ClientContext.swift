// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The dependencies that all calls of a client share, by reference and not as copies.
final class ClientContext: Sendable {
    let source: (any AccessTokenSource)?
    let apiKey: APIKey?
    let transport: any Transport
    let budget: RetryBudget
    let clock: MonotonicClock
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
        self.apiKey = apiKey
        self.transport = transport
        budget = RetryBudget()
        clock = MonotonicClock(configuration.clock)
        random = configuration.random
        now = configuration.now
        logger = configuration.logger
    }
}
