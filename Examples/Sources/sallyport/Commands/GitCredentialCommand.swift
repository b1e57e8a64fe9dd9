// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthCore
import FoundationEssentials

/// `sallyport git-credential`: hands the access token to git.
///
/// Wire: git's credential helper protocol. [gitcredentials](https://git-scm.com/docs/gitcredentials#_custom_helpers).
struct GitCredentialCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "git-credential",
        abstract: "Give git the access token, as a credential helper.",
        usage: "sallyport git-credential --for URL [--username NAME] [options] get|store|erase",
        discussion: """
            To use it for a server, run these. The first keeps other helpers from writing the token to a file.

              git config --global credential.https://git.example.com.helper ''
              git config --global --add credential.https://git.example.com.helper \\
                '!sallyport git-credential --for https://git.example.com'

            A URL with a path needs git's setting credential.useHttpPath. Nothing is printed for another URL than those \
            of --for. The command asks for nothing: a session in the encrypted file needs SALLYPORT_PASSPHRASE.
            """,
        examples: [
            Example("Answer git as it asks a helper", "git-credential --for https://git.example.com get"),
            Example(
                "Answer for one group of repositories",
                "git-credential --for https://git.example.com/team get"
            ),
        ]
    )

    @OptionGroup var servers: CredentialOptions

    @Option(name: .long, help: "The user name for a server that takes the token as a password.")
    var username = "oauth2"

    @Argument(help: "The operation: get, store or erase. Others are ignored.")
    var operation: String

    @OptionGroup var global: GlobalOptions

    mutating func validate() throws {
        // A colon ends the user name in Basic authentication (RFC 7617, 2).
        guard !username.isEmpty, username.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ":") })
        else { throw ValidationError("--username takes a name without colons and control characters.") }
    }

    func run() async throws {
        let scopes = try servers.scopes(noting: operation == "get")
        guard ["get", "erase"].contains(operation) else { return }
        guard let request = GitCredentialRequest(try StandardInput.readAll()),
            scopes.contains(where: { $0.contains(request.server, path: request.path) })
        else { return }
        do {
            if operation == "get" { try await get(request) } else { try await erase(request) }
        } catch {
            guard let failure = Failure(error) else { throw error }
            // Git shows it among its own messages. Only an ended session needs the user at once.
            let advice = failure.status == .sessionEnded ? " \(failure.advice)." : ""
            Terminal.note("sallyport: \(failure.message)\(advice)")
            throw failure.status
        }
    }

    private func get(_ request: GitCredentialRequest) async throws {
        // The repository's URL names the user of another credential.
        guard request.username == nil || request.username == username else { return }
        let current = try await global.bearerToken(for: "git", at: request.server)
        let token = current.token.unredacted
        var lines: [String]
        if request.takesBearerToken {
            lines = ["capability[]=authtype", "authtype=Bearer", "credential=\(token)", "ephemeral=1"]
        } else {
            lines = ["username=\(username)", "password=\(token)"]
            if let end = current.expiresAt { lines.append("password_expiry_utc=\(Int(end.timeIntervalSince1970))") }
        }
        Terminal.result(lines.joined(separator: "\n"))
    }

    /// Makes the next command refresh, if the server refused the current token.
    ///
    /// Sends nothing, so that it works offline, and ends no session.
    private func erase(_ request: GitCredentialRequest) async throws {
        guard let rejected = request.accessToken else { return }
        do {
            try await global.storedSessionWithoutPrompt().invalidate(rejected)
        } catch let failure as Failure where failure.status == .notSignedIn {
            // There is no token to erase.
        }
    }
}
