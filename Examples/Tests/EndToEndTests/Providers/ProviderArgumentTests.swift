// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

@Suite("The tool's arguments for a known provider")
struct ProviderArgumentTests {
    private func run(_ arguments: [String]) async throws -> Command.Output {
        try await Tool.runAlone(["login", "--store", "memory", "--client-id", "native"] + arguments)
    }

    @Test(arguments: [
        (["--provider", "yahoo"], "yahoo"), (["--provider", "okta"], "has no address of its own"),
        (["--provider", "google", "--issuer", "https://gitlab.com"], "are not for gitlab"),
        (["--provider", "google", "--tenant", "common"], "--tenant is for Microsoft."),
        (
            ["--provider", "microsoft", "--issuer", "https://login.microsoftonline.com/a/v2.0", "--tenant", "b"],
            "a tenant already"
        ),
        (["--issuer", "https://id.example.com", "--param", "a"], "--param takes NAME=VALUE"),
        (["--issuer", "https://id.example.com", "--param", "=a"], "--param takes NAME=VALUE"),
        (["--issuer", "https://id.example.com", "--param", "state=a"], "--param can't set state"),
        (["--issuer", "https://id.example.com", "--param", "redirect_uri=a"], "--param can't set redirect_uri"),
        (["--issuer", "https://id.example.com", "--param", "a=1", "--param", "a=2"], "is given twice"),
        (["--issuer", "https://id.example.com", "--audience", "b", "--param", "audience=c"], "is given twice"),
        (["--issuer", "https://id.example.com", "--token-endpoint", "https://a"], "--token-endpoint needs --oauth."),
        (["--oauth"], "--oauth needs --issuer URL"),
        (["--oauth", "--token-endpoint", "https://a"], "Give both"),
        (["--oauth", "--issuer", "https://a", "--device-endpoint", "https://b"], "--device-endpoint needs"),
        (["--issuer", "https://id.example.com", "--paste", "--device"], "--paste can't be used with --device."),
        (
            ["--oauth", "--authorization-endpoint", "http://a.example", "--token-endpoint", "https://b.example"],
            "plain http"
        ),
    ])
    func `wrong arguments end with exit code 2 before anything is sent`(more: [String], sentence: String) async throws {
        let output = try await run(more)
        #expect(output.exitCode == 2, "\(output.errorText)")
        #expect(output.text.isEmpty)
        #expect(output.errorText.localizedCaseInsensitiveContains(sentence), "\(output.errorText)")
    }
}
