// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// The user's browser, or the address on the terminal if no browser opens.
enum Browser {
    /// Opens an address, or shows it if no browser opens.
    static func open(_ url: String) {
        if SystemBrowser.open(url) {
            Terminal.note("Waiting for the browser. If none opened, open this address:\n\(url)")
        } else {
            show(url)
        }
    }

    /// Shows an address for the user to open.
    static func show(_ url: String) {
        Terminal.note("Open this address in a browser:\n\(url)")
    }

    /// Returns the browser of a sign-in, with its redirect address.
    static func forSignIn(to redirect: LoopbackRedirect, opens: Bool, timeout: Duration) -> ExternalUserAgent {
        .browser(redirect: redirect, timeout: timeout) { url in
            if opens { open(url) } else { show(url) }
        }
    }
}
