import OpenIDConnect

/// Whether a browser can be opened.
enum BrowserCheckup {
    static func finding() -> Finding {
        if let opener = SystemBrowser.opener {
            return Finding(subject: "Browser", sentence: "Opened with \(Terminal.shown(opener) ?? "a program").")
        }
        // No fault: the address is printed then, and the person opens it.
        return Finding(
            subject: "Browser",
            sentence: "There is no opener here; a sign-in prints its address instead.",
            advice: "Install xdg-utils, or name a program in BROWSER."
        )
    }
}
