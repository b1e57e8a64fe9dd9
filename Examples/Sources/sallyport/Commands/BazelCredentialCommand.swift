// SPDX-License-Identifier: Apache-2.0

import APIClient
import ArgumentParser
import AuthCore
import FoundationEssentials

/// `sallyport bazel-credential`: hands the access token to Bazel and other clients of its credential helpers.
///
/// Wire: the credential helper protocol of Bazel.
/// [Credential Helper Specification](https://github.com/EngFlow/credential-helper-spec/blob/main/spec.md).
struct BazelCredentialCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bazel-credential",
        abstract: "Give Bazel the access token, as a credential helper.",
        usage: "sallyport bazel-credential --for URL [options] get",
        discussion: """
            Name a script, with mode 755, in .bazelrc: common --credential_helper=cache.example.com=/path/to/script

              #!/bin/sh
              exec sallyport bazel-credential --for https://cache.example.com "$@"

            Any other URL gets no header field, so that Bazel can still fetch it. The command asks for nothing: a \
            session in the encrypted file needs SALLYPORT_PASSPHRASE.
            """,
        examples: [
            Example("Answer Bazel as it asks a helper", "bazel-credential --for https://cache.example.com get"),
            Example("Answer for one path of a server", "bazel-credential --for https://example.com/cache get"),
        ]
    )

    @OptionGroup var servers: CredentialOptions

    @Argument(help: "The operation, which is get.")
    var operation: String

    @OptionGroup var global: GlobalOptions

    private struct Request: Decodable {
        let uri: String
    }

    private struct Response: Encodable {
        /// The values of each header field; secret.
        var headers: [String: [String]] = [:]
        /// The end of the token, after which Bazel asks again; nil if it is unknown.
        var expires: Date?
    }

    mutating func validate() throws {
        guard operation == "get" else { throw ValidationError("The operation is get.") }
    }

    func run() async throws {
        let scopes = try servers.scopes(noting: true)
        let input = Data(try StandardInput.readAll())
        // What can't be read names no server that gets the token. gRPC over TLS counts as https.
        guard let uri = try? JSONDecoder().decode(Request.self, from: input).uri.replacing(/^grpcs:/, with: "https:"),
            // An encoded host would be decoded, and is no host to Bazel.
            !uri.split(separator: "/", maxSplits: 2).dropFirst().prefix(1).contains(where: { $0.contains("%") }),
            let server = try? BaseURL(originOf: uri), let path = URL(string: uri)?.path(percentEncoded: true),
            scopes.contains(where: { $0.contains(server, path: path) })
        else { return try JSONOutput.print(Response()) }
        let current = try await global.bearerToken(for: "Bazel", at: server)
        let field = "Bearer \(current.token.unredacted)"
        try JSONOutput.print(Response(headers: ["Authorization": [field]], expires: current.expiresAt))
    }
}
