// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// Tests with an app on a real display.
///
/// Two at a time for each processor: each starts a display, an app and a backend, and waits for them.
@Suite(
    "The app on a desktop",
    TestLimit(2 * ProcessInfo.processInfo.activeProcessorCount),
    .enabled(if: DesktopApp.isAvailable, "needs Xvfb, at-spi2-core and python3-gi; Tests/run installs them")
)
enum DesktopSuite {
    /// Tests that need a keyring as well.
    @Suite(
        "With a keyring",
        .enabled(if: PrivateKeyring.isAvailable, "needs gnome-keyring-daemon and dbus-daemon; Tests/run installs them")
    )
    enum Keyring {}
}

/// A limit on the number of a suite's tests that run at the same time.
private struct TestLimit: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true
    private let turnstile: Turnstile

    init(_ places: Int) {
        turnstile = Turnstile(places: places)
    }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await turnstile.pass { try await function() }
    }
}
