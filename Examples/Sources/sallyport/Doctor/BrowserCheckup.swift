// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import OpenIDConnect

/// The check for a program that opens the browser.
enum BrowserCheckup {
    static func finding() -> Finding {
        let elsewhere =
            "If the browser is on another machine, sign in with --paste, or with --device if the provider has it."
        let isNamed = ProcessInfo.processInfo.environment["BROWSER"]?.isEmpty == false
        if let opener = SystemBrowser.opener {
            // The command in BROWSER may contain a secret.
            let program = isNamed ? "the command in BROWSER" : Terminal.shown(opener) ?? "a program"
            return Finding(
                subject: "Browser",
                sentence: "Addresses are opened with \(program).",
                advice: Machine.remoteness.map { "This runs \($0). \(elsewhere)" }
            )
        }
        if isNamed {
            return Finding(
                subject: "Browser",
                sentence: "BROWSER names a program that can't be found; a sign-in prints its address instead.",
                advice: "Set BROWSER to an installed program, or unset it. \(elsewhere)"
            )
        }
        // Not an error: a sign-in prints the address, and the user opens it.
        return Finding(
            subject: "Browser",
            sentence: "No program opens a browser; a sign-in prints its address instead.",
            advice: "Install xdg-utils, or set BROWSER to a program. \(elsewhere)"
        )
    }
}
