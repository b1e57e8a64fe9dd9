// SPDX-License-Identifier: Apache-2.0

import APIClient
import ArgumentParser
import AuthCore
import AuthSession
import FoundationEssentials
import HTTPTypes
import OpenIDSession

/// `sallyport token`: prints an access token or the ID token, alone on standard output.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print a valid access token or ID token, refreshed if necessary.",
        usage: "sallyport token [--min-ttl SECONDS] [--id] [--json | --header | --headers-json] [options]",
        discussion: """
            With --dpop at the sign-in, the access token is bound to a key: only sallyport api can use it, and the one \
            request of --proof-for. The ID token is for programs that accept it in place of an access token. \
            --resource, --audience and --scope print an access token for another API, which the session's refresh \
            token gets, or in a session without a user the grant of the sign-in. It is kept with the session until it \
            is due.
            """,
        examples: [
            Example("Print a token that lasts five minutes", "token --min-ttl 300"),
            Example("Show the claims of the ID token", "token --id | sallyport decode -"),
            Example("Give an MCP client the header fields of a session", "token --profile mcp --headers-json"),
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

    @Flag(name: .customLong("headers-json"), help: "Print the header fields as one JSON object, for MCP clients.")
    var headersJSON = false

    @Option(
        help: ArgumentHelp(
            """
            The request that --headers-json is for, such as "POST https://mcp.example.com/mcp". Adds the proof that a \
            token bound to a key needs (DPoP), good for that request alone.
            """,
            valueName: "request"
        )
    )
    var proofFor: String?

    @Flag(name: .long, help: "Print the ID token instead of the access token.")
    var id = false

    @OptionGroup(title: "Another API") var api: TargetOptions

    @OptionGroup var global: GlobalOptions

    mutating func validate() throws {
        guard (0...31_536_000).contains(minimumSeconds) else {
            throw ValidationError("--min-ttl takes 0 to 31536000 seconds.")
        }
        guard [json, header, headersJSON].count(where: \.self) <= 1 else {
            throw ValidationError("Give one of --json, --header and --headers-json.")
        }
        if proofFor != nil {
            guard headersJSON, !id, api.given.isEmpty else {
                throw ValidationError("--proof-for needs --headers-json, and the session's own access token.")
            }
            guard proofRequest != nil else {
                throw ValidationError("--proof-for takes a method and a URL, with one space between them.")
            }
        }
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
        let fields = headersJSON ? try await headerFields(token, of: session) : [:]
        try await session.finish()
        if json {
            try JSONOutput.print(token)
        } else if headersJSON {
            try JSONOutput.print(fields)
        } else {
            Terminal.result(header ? "Authorization: \(token.tokenType) \(token.text)" : token.text)
        }
        if let end = token.expiresAt, end <= Date() {
            Terminal.note(AuthSessionError(.expiredOnArrival).description)
        }
        if token.isBound, !headersJSON {
            Terminal.note(
                isForAnotherAPI
                    ? "This token is bound to the session's key (DPoP)."
                    : boundTokenNote
            )
        }
    }

    /// The method and the URL of `--proof-for`; nil if it is absent or malformed.
    private var proofRequest: (method: HTTPRequest.Method, url: String)? {
        let words = (proofFor ?? "").split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 2, words[1].contains("://"), let method = HTTPRequest.Method(words[0]) else { return nil }
        return (method, words[1])
    }

    /// Returns the header fields that send a token, by name; secret.
    ///
    /// - Throws: ``Failure`` if the token is bound and no request is named, and as ``KeptSession/checkScheme(of:)``;
    ///   `BaseURLError`; `APIError` (`invalidRequest`); the errors of the session.
    private func headerFields(_ token: PrintedToken, of session: any KeptSession) async throws -> [String: String] {
        guard let (method, url) = proofRequest else {
            guard !token.isBound else {
                throw Failure(
                    .failed,
                    "The access token is bound to the session's key (DPoP), so each request needs a proof of its own.",
                    "Name the request with --proof-for \"METHOD URL\", or sign in without --dpop."
                )
            }
            return ["Authorization": "\(token.tokenType) \(token.text)"]
        }
        let server = try BaseURL(originOf: url)
        try session.checkScheme(of: server)
        // The user names the server, as with git-credential --for.
        var authorizer = RequestAuthorizer(APICommand.allowing(server, session), for: [server])
        var request = HTTPRequest(method: method, scheme: nil, authority: nil, path: nil)
        try await authorizer.authorize(&request, at: url)
        return Dictionary(uniqueKeysWithValues: request.headerFields.map { ($0.name.rawName, $0.value) })
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
