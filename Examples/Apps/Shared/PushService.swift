// SPDX-License-Identifier: Apache-2.0

/// The system's push service, as far as the app's model uses it.
struct PushService: Sendable {
    /// Asks for this device's token, which arrives at the app's delegate.
    var requestToken: @MainActor @Sendable () -> Void = {}
    /// Ends the delivery of notifications to this app.
    var endDelivery: @MainActor @Sendable () -> Void = {}
}
