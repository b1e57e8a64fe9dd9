// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

@Suite(
    "Clients that the tool registers",
    .enabled(if: MisbehavingProvider.isAvailable, "needs Python's cryptography and curl; Tests/run installs them")
)
struct RegisteredClientTests {
    @Test func `two issuers get two redirect paths, and the same issuer gets the same one again`() async throws {
        try await OpenIDStage.run { stage in
            let issuers = [stage.provider.issuer, stage.provider.other, stage.provider.issuer]
            for issuer in issuers {
                let login = try await stage.tool.run([
                    "login", "--store", "memory", "--issuer", issuer, "--client-id", "",
                ])
                #expect(login.exitCode == 0, "\(login.errorText)")
            }
            let paths = try stage.addresses.map { address in
                let items = try #require(URLComponents(string: address)?.queryItems)
                let redirect = try #require(items.first { $0.name == "redirect_uri" }?.value)
                return try #require(URL(string: redirect)).path
            }
            try #require(paths.count == 3, "\(paths)")
            #expect(paths[0] == paths[2] && paths[0] != paths[1])
            #expect(paths.allSatisfy { $0.wholeMatch(of: /\/[\w\-]{22}\/callback/) != nil }, "\(paths)")
        }
    }
}
