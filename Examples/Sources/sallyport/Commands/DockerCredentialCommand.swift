// SPDX-License-Identifier: Apache-2.0

import APIClient
import ArgumentParser
import AuthCore

/// `sallyport docker-credential`: hands the access token to Docker and other clients of container registries.
///
/// Wire: Docker's credential helper protocol.
/// [Credential helper protocol](https://github.com/docker/docker-credential-helpers#development).
struct DockerCredentialCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docker-credential",
        abstract: "Give Docker the access token, as a credential helper.",
        usage: "sallyport docker-credential --for URL [--username NAME] [options] get|store|erase|list",
        discussion: """
            For a registry that credHelpers in ~/.docker/config.json gives to "sallyport", Docker runs \
            docker-credential-sallyport from the PATH. Make that a script, with mode 755:

              #!/bin/sh
              exec sallyport docker-credential --for https://registry.example.com "$@"

            Any other registry gets no credential. The command asks for nothing: a session in the encrypted file needs \
            SALLYPORT_PASSPHRASE.
            """,
        examples: [
            Example("Answer Docker as it asks a helper", "docker-credential --for https://registry.example.com get"),
            Example(
                "Answer with the token of another session",
                "docker-credential --profile work --for https://cr.example.com get"
            ),
        ]
    )

    @OptionGroup var servers: CredentialOptions

    @Option(
        name: .long,
        help: "The user name that the registry expects; <token> for one that takes the token as a refresh token."
    )
    var username = "oauth2"

    @Argument(help: "The operation: get, store, erase or list. store and erase do nothing.")
    var operation: String

    @OptionGroup var global: GlobalOptions

    private struct Credential: Encodable {
        private enum CodingKeys: String, CodingKey {
            case server = "ServerURL"
            case username = "Username"
            case secret = "Secret"
        }

        let server: String
        let username: String
        /// The access token.
        let secret: String
    }

    func run() async throws {
        let scopes = try servers.scopes(noting: operation == "get")
        // The helper keeps no credential that Docker could list.
        if operation == "list" { return Terminal.result("{}") }
        guard operation == "get" else { return }
        let text = try StandardInput.readFirstLine()
        // Docker names most registries without a scheme. Plain http is for loopback alone.
        let addresses = text.contains("://") ? [text] : ["https://" + text, "http://" + text]
        // An encoded host would be decoded, and is no host to Docker.
        let server = (text.contains("%") ? [] : addresses).compactMap { try? BaseURL($0) }
            .first { server in scopes.contains { $0.contains(server, path: server.pathPrefix) } }
        guard let server else {
            // The text by which Docker knows that there is no credential, and goes on without one.
            Terminal.result("credentials not found in native keychain")
            throw ExitStatus.failed
        }
        let token = try await global.bearerToken(for: "Docker", at: server).token.unredacted
        try JSONOutput.print(Credential(server: text, username: username, secret: token))
    }
}
