// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

@Suite struct RedirectURITests {
    @Test(arguments: ["recipe://callback", "recipe:/callback", "RECIPE:callback", "recipe:"])
    func `a custom-scheme URI is matched by its scheme`(uri: String) {
        #expect(RedirectURI(uri) == .scheme("recipe"))
    }

    @Test(arguments: [
        ("https://app.example/callback", "app.example", "/callback"),
        ("HTTPS://App.Example/Callback/", "app.example", "/Callback/"),
        ("https://app.example", "app.example", "/"),
    ])
    func `an https URI is matched by its host and path`(uri: String, host: String, path: String) {
        #expect(RedirectURI(uri) == .page(host: host, path: path))
    }

    @Test(arguments: [
        "", "callback", ":callback", "/callback", "1recipe://callback", "re cipe://callback", "é://callback",
        "http://app.example/callback", "https:app.example", "https:///callback", "https://app.example:8443/callback",
        "https://me@app.example/callback", "https://[::1]/callback", "https://app.example?x=y",
        "https://app.example/callback?x=y", "https://app.example/callback#x",
    ])
    func `a URI that can't lead back to an app is rejected`(uri: String) {
        #expect(RedirectURI(uri) == nil)
    }
}
