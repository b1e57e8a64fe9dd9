// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthCore
import AuthSession
import FoundationEssentials
import OpenIDSession

/// `sallyport kubernetes-credential`: hands a token to kubectl and other Kubernetes clients.
struct KubernetesCredentialCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kubernetes-credential",
        abstract: "Give kubectl the ID token, as a credential plugin.",
        usage: "sallyport kubernetes-credential [--access-token] [options]",
        discussion: """
            To use it, run this, and name the user "sallyport" in a context of the kubeconfig.

              kubectl config set-credentials sallyport --exec-command=sallyport \\
                --exec-arg=kubernetes-credential --exec-interactive-mode=Never \\
                --exec-api-version=client.authentication.k8s.io/v1

            The API server must accept the issuer and the client ID of the session. The command asks for nothing: a \
            session in the encrypted file needs SALLYPORT_PASSPHRASE.
            """,
        examples: [
            Example("Print the credential as kubectl gets it", "kubernetes-credential"),
            Example(
                "Give a cluster the access token of another session",
                "kubernetes-credential --profile work --access-token"
            ),
        ]
    )

    /// The minimum lifetime of the ID token, so that it is still valid when the API server verifies it.
    private static let minimumLifetime = Duration.seconds(10)

    @Flag(name: .long, help: "Give the access token instead of the ID token.")
    var accessToken = false

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let info = try KubernetesExecInfo(ProcessInfo.processInfo.environment["KUBERNETES_EXEC_INFO"])
        let session = try await global.storedSessionWithoutPrompt()
        let status = accessToken ? try await accessToken(of: session) : try await idToken(of: session)
        try await session.finish()
        try JSONOutput.print(KubernetesCredential(apiVersion: info.version, status: status))
    }

    private func idToken(of session: any KeptSession) async throws -> KubernetesCredential.Status {
        let token = try await session.idToken(validFor: Self.minimumLifetime)
        // The session has verified the token.
        let expiresAt = try UnverifiedJWT(token).claims.expiration
        return KubernetesCredential.Status(token: token.unredacted, expirationTimestamp: expiresAt)
    }

    private func accessToken(of session: any KeptSession) async throws -> KubernetesCredential.Status {
        let current = try await session.bearerToken(
            for: "a Kubernetes client",
            orAdvise: "Use the ID token, or sign in without --dpop."
        )
        return KubernetesCredential.Status(
            token: current.token.unredacted,
            expirationTimestamp: current.expiresAt
        )
    }
}
