// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthCore
import AuthSession
import FoundationEssentials
import OpenIDSession

/// `sallyport token`: prints an access token or the ID token, alone on standard output.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print a valid access token or ID token, refreshed if necessary.",
        usage: "sallyport token [--min-ttl SECONDS] [--id] [--json | --header] [options]",
        discussion: """
            With --dpop at the sign-in, the access token is bound to a key and only sallyport api can use it. The ID \
            token is for programs that accept it in place of an access token. --resource, --audience and --scope print \
            an access token for another API, which the session's refresh token gets, or in a session without a user \
            the grant of the sign-in. It is kept with the session until it is due.
            """,
        examples: [
            Example("Print a token that lasts five minutes", "token --min-ttl 300"),
            Example("Show the claims of the ID token", "token --id | sallyport decode -"),
            Example("Print the header field for another API", "token --resource https://billing.example.com --header"),
        ]
    )

    @Option(
        name: .customLong("min-ttl"),
        help: ArgumentHelp("Minimum remaining lifetime of the token.", valueName: "seconds")
    )
    var minimumSeconds = 0

    @Flag(name: .long, help: "Print one JSON object, with the token's type, expiry and scope.")
    var json = false

    @Flag(name: .long, help: "Print the header field that sends the token, for example to curl.")
    var header = false

    @Flag(name: .long, help: "Print the ID token instead of the access token.")
    var id = false

    @OptionGroup(title: "Another API") var api: TargetOptions

    @OptionGroup var global: GlobalOptions

    mutating func validate() throws {
        guard (0...31_536_000).contains(minimumSeconds) else {
            throw ValidationError("--min-ttl takes 0 to 31536000 seconds.")
        }
        guard !(json && header) else { throw ValidationError("Give either --json or --header.") }
        guard let option = api.given.first else { return }
        guard !id else { throw ValidationError("\(option) can't be used with --id.") }
        guard minimumSeconds == 0 else { throw ValidationError("\(option) can't be used with --min-ttl.") }
    }

    func run() async throws {
        let session = try await global.storedSession()
        let isForAnotherAPI = !api.given.isEmpty
        let token =
            if id {
                try await idToken(of: session)
            } else if isForAnotherAPI {
                try await otherAccessToken(of: session)
            } else {
                try await accessToken(of: session)
            }
        try await session.finish()
        if json {
            try JSONOutput.print(token)
        } else {
            Terminal.result(header ? "Authorization: \(token.tokenType) \(token.text)" : token.text)
        }
        if let end = token.expiresAt, end <= Date() {
            Terminal.note(AuthSessionError(.expiredOnArrival).description)
        }
        if token.isBound {
            Terminal.note(
                isForAnotherAPI
                    ? "This token is bound to the session's key (DPoP)."
                    : boundTokenNote
            )
        }
    }

    private func accessToken(of session: any KeptSession) async throws -> PrintedToken {
        let current = try await session.currentToken(validFor: .seconds(minimumSeconds))
        return PrintedToken(
            accessToken: current.token.unredacted,
            tokenType: await session.isSenderConstrained ? "DPoP" : "Bearer",
            expiresAt: current.expiresAt,
            scope: text(of: current.scope)
        )
    }

    private func otherAccessToken(of session: any KeptSession) async throws -> PrintedToken {
        try GlobalOptions.requireProvider(session)
        let tokens = try await api.tokens(of: session, by: .refreshToken)
        return PrintedToken(
            accessToken: tokens.accessToken.unredacted,
            tokenType: await session.isSenderConstrained ? "DPoP" : "Bearer",
            expiresAt: tokens.lifetime.expiresAt,
            scope: text(of: tokens.scope)
        )
    }

    private func idToken(of session: any KeptSession) async throws -> PrintedToken {
        let token = try await session.idToken(validFor: .seconds(minimumSeconds))
        // The session has verified the token.
        let expiresAt = try UnverifiedJWT(token).claims.expiration
        return PrintedToken(idToken: token.unredacted, tokenType: "Bearer", expiresAt: expiresAt)
    }

    /// Returns the scope as on the wire; nil if it is unknown or empty.
    private func text(of scope: Scope?) -> String? {
        guard let scope, !scope.values.isEmpty else { return nil }
        return scope.description
    }

    /// A token on standard output; a member that is unknown is left out.
    private struct PrintedToken: Encodable {
        private enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case idToken = "id_token"
            case tokenType = "token_type"
            case expiresAt = "expires_at"
            case scope
        }

        var accessToken: String?
        var idToken: String?
        var tokenType: String
        var expiresAt: Date?
        var scope: String?

        var text: String { accessToken ?? idToken ?? "" }
        var isBound: Bool { tokenType == "DPoP" }
    }
}
