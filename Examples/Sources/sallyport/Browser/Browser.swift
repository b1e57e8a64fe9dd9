import OpenIDConnect

/// Opens the person's browser, or shows the address where none opens.
enum Browser {
    /// Opens an address; where no browser opens, shows it.
    static func open(_ url: String) {
        if SystemBrowser.open(url) {
            Terminal.note("Waiting for the browser. If none opened, open this address:\n\(url)")
        } else {
            show(url)
        }
    }

    /// Shows an address for the person to open.
    static func show(_ url: String) {
        Terminal.note("Open this address in a browser:\n\(url)")
    }

    /// The browser of a sign-in, and where it comes back to.
    static func forSignIn(to redirect: LoopbackRedirect, opens: Bool, patience: Duration) -> SignInBrowser {
        .browser(redirect: redirect, patience: patience) { url in
            if opens { open(url) } else { show(url) }
        }
    }
}
