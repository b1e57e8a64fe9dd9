// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
import APIClient

/// The purpose of a callback, which determines the page that the browser shows.
package enum CallbackPurpose: Sendable {
    /// The sign-in of a user.
    case signIn
    /// The sign-out of a user at the provider.
    case signOut
}

/// The page that the browser shows at the callback: no script, no external resource, and no part of the request.
struct CallbackPage: Sendable {
    enum Kind: Sendable {
        case done(CallbackPurpose)
        case failed(CallbackPurpose)
        /// The sign-in or sign-out had ended before this request.
        case over(CallbackPurpose)
        /// The request is not the awaited callback.
        case nothingHere
        /// The browser runs as another user than the app.
        case anotherUser
        /// The request's head exceeds the limit.
        case tooLarge
    }

    let kind: Kind
    /// The app's name; nil for "the app".
    let appName: String?

    /// A policy that allows only the page's own style, by its SHA-256 hash, which the tests compare.
    static let contentSecurityPolicy = """
        default-src 'none'; style-src 'sha256-WifbpzqK+TTSsJP4f3jaOGQ6tuDRatRAOF18mh4d9Q8='; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    var html: String {
        let (title, text) = words
        // The mark is a check mark, an exclamation mark or a dash.
        let (look, mark) =
            switch kind {
            case .done: ("done", "M14 25l7 7 14-15")
            case .failed: ("failed", "M24 12v15m0 8v.1")
            default: ("plain", "M15 24h18")
            }
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <style>\(Self.style)</style>
            <body class="\(look)">
            <main>
            <svg viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="24"/><path d="\(mark)"/></svg>
            <h1>\(title)</h1>
            <p>\(text)</p>
            </main>
            </html>

            """
    }

    private var words: (title: String, text: String) {
        let finished = "You can close this window and go back to \(app)."
        let again = "Go back to \(app) to see why and to try again."
        switch kind {
        case .done(.signIn): return ("Signed in", finished)
        case .done(.signOut): return ("Signed out", finished)
        case .failed(.signIn): return ("Not signed in", again)
        case .failed(.signOut): return ("Sign-out not finished", again)
        case .over(.signIn): return ("Already done", "This sign-in is over. You can close this window.")
        case .over(.signOut): return ("Already done", "This sign-out is over. You can close this window.")
        case .nothingHere:
            return ("Nothing here", "This address only waits for your browser to come back to \(app).")
        case .anotherUser:
            let text = "Another user of this machine started \(app). Only that user's browser can come back to it."
            return ("Another user's address", text)
        case .tooLarge:
            let text = """
                The usual cause is that other programs have set too many cookies. Delete the cookies of 127.0.0.1 and \
                localhost, and load this page again: \(app) still waits for it.
                """
            return ("Request too large", text)
        }
    }

    private var app: String {
        guard let name = appName.flatMap({ DisplayText.clean($0, limit: 64) }) else { return "the app" }
        let escapes = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;")]
        return escapes.reduce(name) { $0.replacing($1.0, with: $1.1) }
    }

    private static let style = """
        :root{color-scheme:light dark;--back:#f4f5f7;--card:#fff;--edge:#e2e4e9;--text:#1b1d22;--soft:#555b66;\
        --done:#1a7f4b;--failed:#b3470f}
        @media(prefers-color-scheme:dark){:root{--back:#121417;--card:#1c1f24;--edge:#2c3037;--text:#f1f2f4;\
        --soft:#a9b0bb;--done:#2f9e66;--failed:#d9702e}}
        *{box-sizing:border-box}
        body{margin:0;min-height:100vh;min-height:100svh;display:flex;align-items:center;justify-content:center;\
        padding:1.5rem;background:var(--back);color:var(--text);font:1.0625rem/1.5 system-ui,sans-serif}
        main{width:100%;max-width:26rem;padding:2.5rem 2rem;border:1px solid var(--edge);border-radius:1rem;\
        background:var(--card);text-align:center;overflow-wrap:anywhere}
        svg{display:block;width:3.5rem;height:3.5rem;margin:0 auto 1.25rem;stroke:#fff;stroke-width:4;\
        stroke-linecap:round;stroke-linejoin:round;fill:none}
        circle{fill:#6b7280;stroke:none}.done circle{fill:var(--done)}.failed circle{fill:var(--failed)}
        h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25;font-weight:650;text-wrap:balance}
        p{margin:0;color:var(--soft);text-wrap:balance}
        """
}
#endif
