#if LoopbackRedirect
/// What the browser shows when it comes back.
///
/// No script, nothing of the request.
enum CallbackPage {
    case signedIn
    case notSignedIn
    case unknown

    var html: String {
        """
        <!doctype html><html lang="en"><head><meta charset="utf-8"><title>\(title)</title>
        <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
        <style>body{font:18px/1.5 system-ui,sans-serif;display:grid;place-content:center;min-height:90vh;text-align:center}
        </style></head><body><main><h1>\(title)</h1><p>\(text)</p></main></body></html>
        """
    }

    private var title: String {
        switch self {
        case .signedIn: "Signed in"
        case .notSignedIn: "Not signed in"
        case .unknown: "Nothing here"
        }
    }

    private var text: String {
        switch self {
        case .signedIn: "You can close this window and go back to the app."
        case .notSignedIn: "The sign-in did not succeed. Go back to the app to see why."
        case .unknown: "This address only waits for a sign-in to come back."
        }
    }
}
#endif
