// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// A session that was signed in with a client certificate, in commands with and without it.
@Suite(
    "A client with a certificate",
    .enabled(
        if: MisbehavingProvider.isAvailable && PrivateKeyring.isAvailable,
        "needs Python's cryptography, curl and gnome-keyring-daemon; Tests/run installs them"
    )
)
struct ClientCertificateLoginTests {
    /// A certificate and its key, made for tests alone.
    private static let pem = """
        -----BEGIN CERTIFICATE-----
        MIIBDDCBs6ADAgECAgEBMAoGCCqGSM49BAMCMA8xDTALBgNVBAMMBHRlc3QwIBcN
        MjYwMTAxMDAwMDAwWhgPMjEyNjAxMDEwMDAwMDBaMA8xDTALBgNVBAMMBHRlc3Qw
        WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASxNpjge8vPO9un/CmCnCKkMel3ib2Q
        dYca7YFz1QVYLJtyB6gAADf0B61q2koRORyfWK8Ue1YTQUkug5S760n+MAoGCCqG
        SM49BAMCA0gAMEUCIGQ9OOJjbu4K763wPj+zpcYQUlxfHDNpxDhLbyh6Eja9AiEA
        xjraF37yIDhwX3qZof+tU1vfX+Jx1jWbWlrXrTFEEzM=
        -----END CERTIFICATE-----
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1nIQnZXaYvTRm22X
        QgeR1wI9uvr0ewRN0vjrMJIuUKqhRANCAASxNpjge8vPO9un/CmCnCKkMel3ib2Q
        dYca7YFz1QVYLJtyB6gAADf0B61q2koRORyfWK8Ue1YTQUkug5S760n+
        -----END PRIVATE KEY-----

        """
    private static let advice = "Give --certificate FILE and --certificate-key FILE."

    /// Writes the certificate, and returns the options that name it.
    private func certificate(_ stage: OpenIDStage) throws -> [String] {
        let file = stage.folder.url.appending(path: "client.pem")
        try Data(Self.pem.utf8).write(to: file)
        return ["--certificate", file.path, "--certificate-key", file.path]
    }

    @Test func `a later command without it sends nothing, and one with it goes on`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let certificate = try certificate(stage)
            let login = try await stage.login(as: "public", certificate)
            try #require(login.exitCode == 0, "\(login.errorText)")
            let requests = try await stage.provider.log().count
            for command in ["refresh", "token", "userinfo", "revoke"] {
                let output = try await stage.tool(command)
                #expect(output.exitCode == 2, "\(command): \(output.errorText)")
                stage.expectTwoSentences(output)
                #expect(output.notes.last == Self.advice)
            }
            let status = try await stage.tool("status")
            #expect(status.exitCode == 0, "\(status.errorText)")
            #expect(status.text.contains("Signed in as  Jane Doe"), "\(status.text)")
            #expect(status.errorText.contains(Self.advice), "\(status.errorText)")
            #expect(try await stage.provider.log().count == requests)
            let refresh = try await stage.tool.run(["refresh"] + certificate)
            #expect(refresh.exitCode == 0, "\(refresh.errorText)")
        }
    }

    @Test func `a sign-out without it ends the session here, and the next command with it revokes the tokens`()
        async throws
    {
        try await OpenIDStage.runWithKeyring { stage in
            let certificate = try certificate(stage)
            try #require(try await stage.login(as: "public", certificate).exitCode == 0)
            let requests = try await stage.provider.log().count
            let logout = try await stage.tool("logout", "--no-browser")
            #expect(logout.exitCode == 0, "\(logout.errorText)")
            #expect(logout.errorText.contains(Self.advice), "\(logout.errorText)")
            #expect(logout.errorText.contains("a later command of this profile revokes them"), "\(logout.errorText)")
            #expect(try await stage.tool("status").exitCode == 3)
            #expect(try await stage.provider.log().count == requests)
            #expect(try await stage.tool.run(["status"] + certificate).exitCode == 3)
            let revoked = try await stage.provider.log().filter { $0.path == "/revoke" && $0.status == 200 }
            #expect(revoked.count == 1)
            #expect(try await stage.keptItems().isEmpty)
        }
    }

    @Test func `a sign-out does not ask it of a session that has begun without it meanwhile`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let certificate = try certificate(stage)
            try #require(try await stage.login(as: "public", certificate).exitCode == 0)
            try await stage.provider.holdRevocations(true)
            async let logout = stage.tool.run(["logout", "--no-browser"] + certificate)
            try await waitUntil("the provider has the revocation") {
                try await stage.provider.log().contains { $0.path == "/revoke" }
            }
            // The sign-in tries to complete the revocation first.
            let login = try await stage.login(as: "public", ["--http-timeout", "3"])
            #expect(login.exitCode == 0, "\(login.errorText)")
            try await stage.provider.holdRevocations(false)
            #expect(try await logout.exitCode == 0)
            let refresh = try await stage.tool("refresh")
            #expect(refresh.exitCode == 0, "\(refresh.errorText)")
        }
    }

    @Test func `a program's session needs it too`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let certificate = try certificate(stage)
            let login = try await stage.login(as: "basic", certificate + ["--client-credentials"])
            try #require(login.exitCode == 0, "\(login.errorText)")
            let requests = try await stage.provider.log().count
            let refresh = try await stage.tool("refresh")
            #expect(refresh.exitCode == 2, "\(refresh.errorText)")
            #expect(refresh.notes.last == Self.advice)
            #expect(try await stage.tool("status").exitCode == 0)
            #expect(try await stage.tool("logout").exitCode == 0)
            #expect(try await stage.provider.log().count == requests)
            #expect(try await stage.keptItems().isEmpty)
        }
    }
}
