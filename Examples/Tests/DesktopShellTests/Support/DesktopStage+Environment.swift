// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport

extension DesktopStage {
    /// Returns the environment of an app without a keyring.
    static func environment(on bus: PrivateBus, in folder: URL, home: URL) -> [String: String] {
        let own = [
            "HOME": home.path(), "XDG_CONFIG_HOME": home.appending(path: ".config").path(),
            "XDG_RUNTIME_DIR": folder.path(), "DBUS_SESSION_BUS_ADDRESS": bus.address,
        ]
        return base.merging(own) { _, new in new }
    }

    /// Returns the environment of an app with a keyring: the way to the keyring, and no variable that leads elsewhere.
    static func environment(of keyring: PrivateKeyring) -> [String: String] {
        let own = keyring.environment.filter { name, _ in
            name == "HOME" || name == "TMPDIR" || name == "DBUS_SESSION_BUS_ADDRESS" || name.hasPrefix("XDG_")
        }
        return base.merging(own) { _, new in new }
    }

    /// Runs a test with the environment of another device: a home folder and a bus of its own.
    func withSecondDevice(_ test: ([String: String]) async throws -> Void) async throws {
        let (run, home) = (try folder.folder("second-run"), try folder.folder("second-home"))
        let bus = try await PrivateBus(in: run)
        do {
            try await test(Self.environment(on: bus, in: run, home: home))
        } catch {
            await bus.stop()
            throw error
        }
        await bus.stop()
    }

    /// The script that plays the user at the stand-in for Apple.
    static var browser: String {
        URL(filePath: #filePath).appending(path: "../../../../Support/browser").standardizedFileURL.path()
    }

    private static var base: [String: String] {
        ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "BROWSER": browser]
    }
}
