#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Duration {
    /// The duration in seconds, as dates count.
    var timeInterval: TimeInterval { self / .seconds(1) }

    /// The duration in whole seconds, as the wire says them.
    var wholeSeconds: Int { Int(components.seconds) }
}
