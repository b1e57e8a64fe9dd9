// SPDX-License-Identifier: Apache-2.0

import AuthSession
import AuthUI

#if canImport(UIKit)
/// The request for background time during a refresh.
@MainActor
enum BackgroundTime {
    /// The request to UIKit.
    static var assertion: (any BackgroundAssertion)? { BackgroundTaskAssertion() }
}
#else
/// The request for background time during a refresh, which a Mac doesn't need.
@MainActor
enum BackgroundTime {
    /// Nil.
    static var assertion: (any BackgroundAssertion)? { nil }
}
#endif
