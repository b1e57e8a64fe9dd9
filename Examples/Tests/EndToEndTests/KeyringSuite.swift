import TestSupport
import Testing

/// Tests with a keyring of their own.
///
/// One at a time: each starts a bus, a keyring and a backend.
@Suite(
    "The tool with a keyring and a backend",
    .serialized,
    .enabled(if: PrivateKeyring.isAvailable, "needs gnome-keyring-daemon and dbus-daemon; Tests/run installs them")
)
enum KeyringSuite {}
