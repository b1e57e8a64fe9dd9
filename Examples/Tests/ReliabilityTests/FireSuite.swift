import TestSupport
import Testing

/// Real processes on a real keyring, against the backend that rotates refresh tokens and takes reuse for theft.
///
/// The short forms run always; `SALLYPORT_LONG=1` makes them the long ones.
@Suite(
    "The session under fire",
    .serialized,
    .enabled(if: PrivateKeyring.isAvailable, "needs gnome-keyring-daemon and dbus-daemon; Tests/run installs them")
)
enum FireSuite {}
