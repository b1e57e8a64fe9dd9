// SPDX-License-Identifier: Apache-2.0

import AppShell
import AuthSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A stand-in for a push service, which names this device by a random token and delivers nothing.
///
/// The token of a profile is kept beside the app's settings. It is not secret, and differs from machine to machine.
struct StandInPushService: Sendable {
    /// The name of this device, as a push service would give it.
    let token: String

    /// Reads the profile's token, or creates it.
    ///
    /// - Parameters:
    ///   - app: The app's bundle identifier.
    ///   - profile: The profile's name.
    ///   - isKept: Whether the token is kept for the next launch, if it can be written.
    init(app: String, profile: String, isKept: Bool) {
        let made = UUID().uuidString.lowercased()
        guard isKept else {
            token = made
            return
        }
        let folder = ConfigurationFolder.url(of: app)
        let file = folder.appending(path: "device-token.\(profile)")
        if let text = try? String(contentsOf: file, encoding: .utf8), let known = UUID(uuidString: text) {
            token = known.uuidString.lowercased()
            return
        }
        token = made
        // If this fails, the next launch has another token, as after a reinstallation.
        try? FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try? Data(made.utf8).write(to: file, options: .atomic)
    }

    /// Returns the options of a session that registers this device after each sign-in and each restore.
    func options(for registration: DeviceRegistration) -> SessionOptions {
        var options = SessionOptions()
        options.didSignIn = { [token] _ in await registration.register(token) }
        options.didRestore = { [token] _ in await registration.register(token) }
        options.didSignOut = { _ in await registration.forget() }
        return options
    }
}
