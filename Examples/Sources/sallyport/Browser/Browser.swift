// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// The user's browser, or the address on the terminal if no browser opens.
enum Browser {
    /// Shows an address for the user to open.
    ///
    /// - Parameter hint: The hint for a user whose browser is on another machine.
    static func show(_ url: String, _ hint: String? = nil) {
        Terminal.note("Open this address in a browser:\n\(url)\(hint.map { "\n    \($0)" } ?? "")")
    }

    /// Returns the browser of a sign-in, with its redirect address, which shows the address in any case.
    ///
    /// - Parameter hint: The hint for a user whose browser is on another machine.
    static func forSignIn(
        to redirect: LoopbackRedirect,
        opens: Bool,
        timeout: Duration,
        hint: String
    ) -> ExternalUserAgent {
        .browser(redirect: redirect, timeout: timeout) { url in
            guard opens, SystemBrowser.open(url) else { return show(url, hint) }
            let isElsewhere = Machine.remoteness != nil
            Terminal.note(
                "Waiting for the browser. If none opened, open this address:\n\(url)\(isElsewhere ? "\n    \(hint)" : "")"
            )
        }
    }

    /// Returns the ways to sign in at a provider with a browser on another machine.
    static func ways(at provider: OpenIDProvider?) -> String {
        let hasDevice = provider?.metadata.deviceAuthorizationEndpoint != nil
        return "sign in with \(hasDevice ? "--device or " : "")--paste"
    }
}
