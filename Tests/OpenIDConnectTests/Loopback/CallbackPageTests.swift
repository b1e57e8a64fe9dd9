// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
import Crypto
import Foundation
import Testing

@testable import OpenIDConnect

struct CallbackPageTests {
    private static let kinds: [CallbackPage.Kind] = [
        .done(.signIn), .done(.signOut), .failed(.signIn), .failed(.signOut), .over(.signIn), .over(.signOut),
        .nothingHere, .anotherUser, .tooLarge,
    ]

    private static func html(_ kind: CallbackPage.Kind, appName: String? = nil) -> String {
        CallbackPage(kind: kind, appName: appName).html
    }

    /// A wrong hash leaves the page without style.
    @Test(arguments: kinds)
    func `the policy allows the page's own style`(kind: CallbackPage.Kind) throws {
        let html = Self.html(kind)
        let start = try #require(html.firstRange(of: "<style>")).upperBound
        let end = try #require(html.firstRange(of: "</style>")).lowerBound
        let hash = Data(SHA256.hash(data: Data(html[start..<end].utf8))).base64EncodedString()
        #expect(CallbackPage.contentSecurityPolicy.contains("style-src 'sha256-\(hash)';"))
    }

    @Test(arguments: kinds)
    func `a page contains no script, link, form or external resource`(kind: CallbackPage.Kind) {
        let html = Self.html(kind, appName: "Recipes").lowercased()
        for part in ["<script", "href", "src=", "url(", "@import", "<form", "<img", "<link", "http", "style="] {
            #expect(!html.contains(part), "\(part)")
        }
        #expect(html.matches(of: /\son[a-z]+=/).isEmpty)
    }

    @Test(arguments: kinds)
    func `a page supports phones and screens in light and dark mode`(kind: CallbackPage.Kind) {
        let html = Self.html(kind)
        #expect(html.contains(#"<meta name="viewport" content="width=device-width"#))
        #expect(html.contains(#"<meta name="color-scheme" content="light dark">"#))
        #expect(html.contains("prefers-color-scheme:dark"))
    }

    @Test func `a page names the app`() {
        #expect(Self.html(.done(.signIn), appName: "Recipes").contains("go back to Recipes."))
        #expect(Self.html(.done(.signIn)).contains("go back to the app."))
    }

    @Test func `the app's name is escaped`() {
        let html = Self.html(.done(.signIn), appName: "<b onclick=\"x\">'&\u{202E}\u{0}\n")
        #expect(html.contains("go back to &lt;b onclick=&quot;x&quot;&gt;&#39;&amp;."))
    }

    @Test func `a long name is truncated`() {
        let html = Self.html(.done(.signIn), appName: String(repeating: "a", count: 1_000))
        #expect(html.contains("back to \(String(repeating: "a", count: 64))."))
    }
}
#endif
