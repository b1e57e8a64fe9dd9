// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The address on this machine that stands for the origin of a return URL which exists in no name server.
///
/// A backend that registers itself at its stand-in has no public address and no certificate. The stand-in then checks
/// the return URL as Apple does, and lets the page post to this address instead.
final class DeliveryAddress: Sendable {
    private struct Delivery {
        let publicOrigin: String
        let origin: String
    }

    private let delivery = Mutex<Delivery?>(nil)

    /// Sets the address.
    func set(_ origin: String, for publicOrigin: String) {
        delivery.withLock { $0 = Delivery(publicOrigin: publicOrigin, origin: origin) }
    }

    /// Returns the address to post to for a return URL.
    func address(for returnURL: String) -> String {
        guard let known = delivery.withLock({ $0 }), returnURL.hasPrefix(known.publicOrigin + "/") else {
            return returnURL
        }
        return known.origin + returnURL.dropFirst(known.publicOrigin.count)
    }
}
