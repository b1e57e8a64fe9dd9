// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Duration {
    /// The duration in seconds, for calculations with dates.
    var timeInterval: TimeInterval { self / .seconds(1) }

    /// The duration in whole seconds, for the wire.
    var wholeSeconds: Int { Int(components.seconds) }
}
