// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// The credentials that the tool gives to Kubernetes clients.
@Suite(
    "The credentials that the tool gives to kubectl",
    .enabled(
        if: MisbehavingProvider.isAvailable && PrivateKeyring.isAvailable,
        "needs Python's cryptography, curl and gnome-keyring-daemon; Tests/run installs them"
    )
)
struct KubernetesCredentialTests {
    private static let group = "client.authentication.k8s.io"

    private func signedIn(_ options: [String] = [], _ test: (OpenIDStage) async throws -> Void) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let login = try await stage.login(as: "public", options)
            try #require(login.exitCode == 0, "\(login.errorText)")
            try await test(stage)
        }
    }

    private func credential(
        _ stage: OpenIDStage,
        _ options: [String] = [],
        info: String? = nil
    ) async throws -> Command.Output {
        var tool = stage.tool
        tool.environment["KUBERNETES_EXEC_INFO"] = info
        return try await tool.run(["kubernetes-credential"] + options)
    }

    @Test(
        arguments: [
            (nil, "v1"), ("", "v1"), (#"{"apiVersion": "client.authentication.k8s.io/v1"}"#, "v1"),
            (#"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","spec":{}}"#, "v1beta1"),
        ] as [(String?, String)]
    )
    func `the credential has the requested version, the ID token and its end`(
        info: String?,
        version: String
    ) async throws {
        try await signedIn { stage in
            let token = try await stage.tool("token", "--id").text.dropLast()
            let output = try await credential(stage, info: info)
            #expect(output.exitCode == 0, "\(output.errorText)")
            #expect(output.errorText.isEmpty)
            #expect(Set(output.object.keys) == ["apiVersion", "kind", "status"])
            #expect(output.object["apiVersion"] as? String == "\(Self.group)/\(version)")
            #expect(output.object["kind"] as? String == "ExecCredential")
            let status = try #require(output.object["status"] as? [String: String])
            #expect(Set(status.keys) == ["token", "expirationTimestamp"])
            #expect(status["token"] == String(token))
            let end = try #require(status["expirationTimestamp"])
            #expect(end.hasSuffix("Z"))
            let left = try Date(end, strategy: .iso8601).timeIntervalSinceNow
            #expect((3_500...3_600).contains(left), "\(left)")
        }
    }

    @Test func `the access token is given on request`() async throws {
        try await signedIn { stage in
            let token = try await stage.tool("token").text.dropLast()
            let output = try await credential(stage, ["--access-token"])
            let status = try #require(output.object["status"] as? [String: String])
            #expect(status["token"] == String(token))
            #expect(status["expirationTimestamp"] != nil)
        }
    }

    @Test func `an access token that is bound to a key is not given, and the ID token is`() async throws {
        try await signedIn(["--dpop"]) { stage in
            let refused = try await credential(stage, ["--access-token"])
            #expect(refused.exitCode == 1)
            stage.expectTwoSentences(refused)
            #expect(try await credential(stage).exitCode == 0)
        }
    }

    @Test(arguments: [
        "no JSON", "[]", "{\"apiVersion\": 1}", #"{"kind": "Pod"}"#, #"{"apiVersion": "v1"}"#,
        #"{"apiVersion": "client.authentication.k8s.io/v1alpha1"}"#, #"{"apiVersion": "\u001b[2J"}"#,
        String(repeating: "[", count: 100_000),
    ])
    func `a request that is hostile or of another version is refused`(info: String) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let output = try await credential(stage, info: info)
            #expect(output.exitCode == 2, "\(output.errorText)")
            stage.expectTwoSentences(output)
            #expect(output.errorText.contains("KUBERNETES_EXEC_INFO"))
            #expect(!output.errorText.contains("\u{1B}"))
        }
    }

    @Test func `no credential is given without a session, and none is prompted for`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let none = try await credential(stage)
            #expect(none.exitCode == 3)
            stage.expectTwoSentences(none)
            var tool = stage.tool
            tool.environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
            let client = MisbehavingProvider.publicClient
            let arguments = ["login", "--issuer", stage.provider.issuer, "--client-id", client, "--store", "file"]
            let login = try await tool.run(arguments)
            try #require(login.exitCode == 0, "\(login.errorText)")
            let locked = try await stage.tool.onTerminal("kubernetes-credential")
            #expect(locked.exitCode == 5, "\(locked.text)")
            #expect(locked.text.contains("SALLYPORT_PASSPHRASE is not set."))
            #expect(try await tool("kubernetes-credential").exitCode == 0)
        }
    }

    @Test(
        .enabled("needs a real kubectl") { try await KubernetesAPI.hasKubectl() },
        arguments: [("v1", []), ("v1beta1", ["--access-token"])] as [(String, [String])]
    )
    func `kubectl lists namespaces with the tool as its credential plugin`(
        version: String,
        options: [String]
    ) async throws {
        try await signedIn { stage in
            let token = try await stage.tool.run(["token"] + (options.isEmpty ? ["--id"] : [])).text.dropLast()
            let arguments = ["kubernetes-credential"] + options
            try await KubernetesAPI.run(accepting: String(token)) { api in
                let output = try await api.namespaces(version, arguments, environment: stage.tool.environment)
                #expect(output.exitCode == 0, "\(output.errorText)")
                #expect(output.text == "namespace/sally\n")
            }
            try await KubernetesAPI.run(accepting: "another") { api in
                let output = try await api.namespaces(version, arguments, environment: stage.tool.environment)
                #expect(output.exitCode == 1)
                #expect(!output.errorText.contains(token))
            }
        }
    }
}
