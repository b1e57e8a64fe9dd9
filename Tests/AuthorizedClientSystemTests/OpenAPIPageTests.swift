// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct OpenAPIPageTests {
    @Test func `the page shows the middleware that is tested`() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let page = "../../Sources/APIClient/APIClient.docc/UsingAnotherHTTPClient.md"
        let shown = try String(contentsOf: tests.appending(path: page), encoding: .utf8)
        let tested = try String(
            contentsOf: tests.appending(path: "Clients/OpenAPIMiddleware.swift"),
            encoding: .utf8
        )
        let start = try #require(tested.range(of: "struct AuthorizationMiddleware"))
        // The page breaks lines differently.
        #expect(bare(shown).contains(bare(String(tested[start.lowerBound...]))))
    }

    private func bare(_ code: String) -> String { code.filter { !$0.isWhitespace } }
}
