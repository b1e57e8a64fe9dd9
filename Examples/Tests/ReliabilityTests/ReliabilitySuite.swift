// SPDX-License-Identifier: Apache-2.0

import SharedTestSupport
import Testing

/// Real processes on a real keyring, against the backend that rotates refresh tokens and treats reuse as theft.
///
/// The short variants always run; `SALLYPORT_LONG=1` runs the long ones instead, which want `--no-parallel`.
@Suite(
    "The reliability of a session",
    .enabled(if: PrivateKeyring.isAvailable, "needs gnome-keyring-daemon and dbus-daemon; Tests/run installs them")
)
enum ReliabilitySuite {}
