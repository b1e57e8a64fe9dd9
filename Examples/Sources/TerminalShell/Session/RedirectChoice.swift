// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser

/// A way in which the browser comes back to the shell.
public enum RedirectChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// A listener on the loopback interface.
    case loopback
    /// The app's own URL scheme, which the system opens the app with.
    case scheme
}
