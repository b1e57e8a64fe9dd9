internal import Crypto
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

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
        let hidden = request.formFields.map { field in
            "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(escape(field.value))\">"
        }.joined(separator: "\n")
        let body = """
            <p><strong>\(escape(request.clientID))</strong> wants to know who you are.</p>
            <form method="post" action="/auth/authorize">
            \(hidden)
            <label for="email">E-mail</label>
            <input id="email" name="email" type="email" value="person@example.com" autocomplete="off" required>
            <label for="name">Name</label>
            <input id="name" name="name" type="text" value="Example Person" autocomplete="off">
            <button type="submit" name="action" value="continue">Continue</button>
            <button type="submit" name="action" value="cancel" formnovalidate>Cancel</button>
            </form>
            """
        return page(status: .ok, body: body, formTarget: request.redirectURI)
    }

    /// Returns the error page for a request that can't be redirected.
    static func refusal(_ message: String) -> Response {
        page(status: .badRequest, body: "<p>\(escape(message))</p>", formTarget: nil)
    }

    private static func page(status: HTTPResponse.Status, body: String, formTarget: String?) -> Response {
        let html = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>STAND-IN FOR APPLE - not Apple</title><style>\(style)</style></head>
            <body><main><h1 class="warning">STAND-IN FOR APPLE - not Apple</h1>
            <p>This page is part of a test server. Never type a real password into it.</p>
            \(body)
            </main></body></html>
            """
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .cacheControl: "no-store",
            .contentSecurityPolicy: policy(formTarget: formTarget),
            .xContentTypeOptions: "nosniff",
        ]
        if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "no-referrer" }
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: html)))
    }

    private static func policy(formTarget: String?) -> String {
        let hash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
        // Browsers apply `form-action` to the redirect after the form too, so the app's address must be listed. An IPv6
        // address is not a valid source, so its scheme is listed instead.
        var target = ""
        if let formTarget, let parts = URLComponents(string: formTarget), let host = parts.host {
            let port = parts.port.map { ":\($0)" } ?? ""
            target = host.contains(":") ? " http:" : " http://\(host)\(port)"
        }
        return "default-src 'none'; style-src 'sha256-\(hash)'; form-action 'self'\(target); "
            + "base-uri 'none'; frame-ancestors 'none'"
    }

    private static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }
}
