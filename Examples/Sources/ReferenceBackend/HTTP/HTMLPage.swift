// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A page for a browser, without any external resource.
struct HTMLPage {
    let title: String
    /// The content, in HTML: every value from outside is escaped.
    let body: String
    let style: String
    /// The script, if the page has one.
    var script: String?
    /// The sources of the policy's `form-action`; nil if a form may be sent anywhere.
    var formAction: String? = "'none'"

    /// Returns the page as a response that no cache stores and whose address no other site learns.
    func response(status: HTTPResponse.Status = .ok) -> Response {
        let code = script.map { "<script>\($0)</script>" } ?? ""
        let html = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>\(title)</title><style>\(style)</style></head>
            <body><main>\(body)</main>\(code)</body></html>
            """
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .cacheControl: "no-store",
            .contentSecurityPolicy: policy,
            .xContentTypeOptions: "nosniff",
        ]
        if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "no-referrer" }
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: html)))
    }

    private var policy: String {
        var policy = "default-src 'none'; style-src '\(Self.hash(style))'; "
        if let script { policy += "script-src '\(Self.hash(script))'; " }
        if let formAction { policy += "form-action \(formAction); " }
        return policy + "base-uri 'none'; frame-ancestors 'none'"
    }

    private static func hash(_ text: String) -> String {
        "sha256-" + Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
    }

    /// Returns a text with HTML's special characters escaped.
    static func escape(_ text: String) -> String {
        // By scalars: as a character, a quote and a combining accent after it are another one.
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            default: String(scalar)
            }
        }.joined()
    }

    /// Returns the hidden fields of a form.
    static func hidden(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\(escape($0.value))\">" }
            .joined(separator: "\n")
    }
}
