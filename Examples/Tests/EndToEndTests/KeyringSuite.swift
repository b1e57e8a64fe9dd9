import TestSupport
import Testing

/// Tests with a keyring of their own, on a ``Stage``.
@Suite(
    "The tool with a keyring and a backend",
    .enabled(if: PrivateKeyring.isAvailable, "needs gnome-keyring-daemon and dbus-daemon; Tests/run installs them")
)
enum KeyringSuite {}
