// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
import AppShell
import Foundation
import SwiftUI
import UIKit

extension PushService {
    /// The system's service.
    ///
    /// A device token needs no permission. To show alerts, the app also asks the user, with `UNUserNotificationCenter`.
    static let system = PushService(
        requestToken: { UIApplication.shared.registerForRemoteNotifications() },
        endDelivery: { UIApplication.shared.unregisterForRemoteNotifications() }
    )
}

/// The app's delegate, which passes the device's token to the registration.
@MainActor
final class PushDelegate: NSObject, UIApplicationDelegate {
    var registration: DeviceRegistration?

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        registration?.register(AppModel.text(of: deviceToken))
    }
}

typealias PushDelegateAdaptor = UIApplicationDelegateAdaptor<PushDelegate>
#elseif canImport(AppKit)
import AppKit
import AppShell
import Foundation
import SwiftUI

extension PushService {
    /// The system's service.
    static let system = PushService(
        requestToken: { NSApplication.shared.registerForRemoteNotifications() },
        endDelivery: { NSApplication.shared.unregisterForRemoteNotifications() }
    )
}

/// The app's delegate, which passes the device's token to the registration.
@MainActor
final class PushDelegate: NSObject, NSApplicationDelegate {
    var registration: DeviceRegistration?

    func application(
        _ application: NSApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        registration?.register(AppModel.text(of: deviceToken))
    }
}

typealias PushDelegateAdaptor = NSApplicationDelegateAdaptor<PushDelegate>
#endif
