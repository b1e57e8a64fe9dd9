// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The stand-in's page, on which the user enters an identity and continues or cancels.
///
/// It has no script and no external resource, and every value is escaped.
enum SignInPage {
    private static let style = """
        body{font:1.1rem/1.5 sans-serif;max-width:32rem;margin:2rem auto;padding:0 1rem}
        .warning{border:.2rem solid #b00;padding:.5rem 1rem}label,input{display:block;font:inherit}
        input{width:100%;box-sizing:border-box;margin-bottom:1rem}button{font:inherit;padding:.4rem 1rem}
        """

    /// Returns the sign-in page.
    static func signIn(_ request: AuthorizationRequest) -> Response {
        let body = """
            <p><strong>\(HTMLPage.escape(request.clientID))</strong> wants to know who you are.</p>
            <form method="post" action="/auth/authorize">
            \(HTMLPage.hidden(request.formFields))
            <label for="email">E-mail</label>
            <input id="email" name="email" type="email" value="person@example.com" autocomplete="off" required>
            <label for="name">Name</label>
            <input id="name" name="name" type="text" value="Example Person" autocomplete="off">
            <button type="submit" name="action" value="continue">Continue</button>
            <button type="submit" name="action" value="cancel" formnovalidate>Cancel</button>
            </form>
            """
        return page(body, formAction: "'self'" + redirectSource(of: request)).response()
    }

    /// Returns the error page for a request that can't be redirected.
    static func refusal(_ error: String, _ message: String) -> Response {
        page("<p>\(HTMLPage.escape(error)): \(HTMLPage.escape(message))</p>", formAction: "'none'")
            .response(status: .badRequest)
    }

    /// Returns the page that posts a response to the client, by itself or with its button.
    ///
    /// [OAuth 2.0 Form Post Response Mode](https://openid.net/specs/oauth-v2-form-post-response-mode-1_0.html).
    ///
    /// - Parameters:
    ///   - address: The client's return URL, or the address on this machine that stands for it.
    ///   - fields: The response.
    /// - Returns: The page. The client redirects further, so its form may lead anywhere.
    static func post(to address: String, _ fields: [(name: String, value: String)]) -> Response {
        let body = """
            <form method="post" action="\(HTMLPage.escape(address))">
            \(HTMLPage.hidden(fields))
            <button type="submit">Back to the app</button>
            </form>
            """
        var page = page(body, formAction: nil)
        page.script = "document.forms[0].submit()"
        return page.response()
    }

    private static func page(_ body: String, formAction: String?) -> HTMLPage {
        let warning = """
            <h1 class="warning">STAND-IN FOR APPLE - not Apple</h1>
            <p>This page is part of a test server. Never type a real password into it.</p>
            """
        return HTMLPage(
            title: "STAND-IN FOR APPLE - not Apple",
            body: "\(warning)\n\(body)",
            style: style,
            formAction: formAction
        )
    }

    /// Returns the source for the redirect after the form, to which browsers apply `form-action` too.
    ///
    /// An IPv6 address is not a valid source, so its scheme is listed instead. A web client's response is posted from
    /// another page.
    private static func redirectSource(of request: AuthorizationRequest) -> String {
        guard case .native = request.kind, let parts = URLComponents(string: request.redirectURI),
            let host = parts.host
        else { return "" }
        let port = parts.port.map { ":\($0)" } ?? ""
        return host.contains(":") ? " http:" : " http://\(host)\(port)"
    }
}
