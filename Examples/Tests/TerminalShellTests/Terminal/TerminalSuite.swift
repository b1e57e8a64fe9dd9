// SPDX-License-Identifier: Apache-2.0

import SharedTestSupport
import Testing

/// Tests with an app in a real terminal.
///
/// Two at a time: each starts a terminal, an app and a backend.
@Suite(
    "The app in a real terminal",
    TestLimit(2),
    .enabled(if: TerminalSession.isAvailable, "needs tmux; Tests/run --all installs it")
)
enum TerminalSuite {
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
