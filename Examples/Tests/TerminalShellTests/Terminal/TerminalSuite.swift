// SPDX-License-Identifier: Apache-2.0

import SharedTestSupport
import Testing

/// Tests with an app in a real terminal.
///
/// Serialized: each starts a terminal, an app and a backend.
@Suite(
    "The app in a real terminal",
    .serialized,
    .enabled(if: TerminalSession.isAvailable, "needs tmux; Tests/run installs it")
)
enum TerminalSuite {
    /// Tests that need a keyring as well.
    @Suite(
        "With a keyring",
        .enabled(if: PrivateKeyring.isAvailable, "needs gnome-keyring-daemon and dbus-daemon; Tests/run installs them")
    )
    enum Keyring {}
}
