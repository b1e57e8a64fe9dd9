// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// The messages of a failure behind a proxy.
@Suite struct ProxyFailureTests {
    @Test func `a failure behind a proxy names the proxy and its variables, and no password`() async throws {
        let home = try TemporaryFolder()
        defer { home.remove() }
        var environment = ProcessInfo.processInfo.environment
        environment["HOME"] = home.url.path
        // Nothing listens at this port.
        for name in ["https_proxy", "HTTPS_PROXY"] { environment[name] = "http://ada:open-sesame@127.0.0.1:1" }
        for name in ["no_proxy", "NO_PROXY"] { environment[name] = nil }
        let words = ["login", "--issuer", "https://id.example.com", "--client-id", "a", "--store", "memory"]
        let login = try await Tool(in: environment).run(words)
        #expect(login.exitCode == 6)
        let said = "The metadata document can't be fetched: the server can't be reached (proxy 127.0.0.1:1)."
        #expect(login.notes.first == said)
        let advice = "Check the proxy of HTTPS_PROXY, HTTP_PROXY or ALL_PROXY (127.0.0.1:1), or "
        #expect(login.notes.last?.contains(advice) == true, "\(login.errorText)")
        #expect(!login.errorText.contains("open-sesame"))
    }
}
