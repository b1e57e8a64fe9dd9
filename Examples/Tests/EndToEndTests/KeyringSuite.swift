// SPDX-License-Identifier: Apache-2.0

import SharedTestSupport
import Testing

/// Tests on a ``Stage``, each with a keyring of its own.
@Suite(
    "The tool with a keyring and a backend",
    .enabled(if: PrivateKeyring.isAvailable, "needs gnome-keyring-daemon and dbus-daemon; Tests/run installs them")
)
enum KeyringSuite {}
