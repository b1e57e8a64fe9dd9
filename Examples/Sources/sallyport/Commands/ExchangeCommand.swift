// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthCore
import AuthSession
import OpenIDConnect
import OpenIDSession

/// `sallyport exchange`: prints an access token for another API, alone on standard output.
struct ExchangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exchange",
        abstract: "Print an access token for another API (RFC 8693).",
        usage: "sallyport exchange [--audience API] [--resource URL] [--scope SCOPES] [options]",
        discussion: """
            The provider exchanges the session's access token, which stays as it is, also if the provider refuses. The \
            new token is kept with a user's session until it is due. A token of a session with --dpop is bound to the \
            session's key. If the provider takes the API's name in a refresh, use sallyport token --resource.
            """,
        examples: [
            Example("Name the API as the provider does", "exchange --audience billing"),
            Example("Name the API by its URL", "exchange --resource https://billing.example.com --scope read"),
        ]
    )

    @OptionGroup(title: "API") var options: TargetOptions

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let session = try await global.storedSession()
        try GlobalOptions.requireProvider(session)
        let token = try await options.tokens(of: session, by: .tokenExchange).accessToken
        try await session.finish()
        Terminal.result(token.unredacted)
        if await session.isSenderConstrained {
            Terminal.note("This token is bound to the session's key (DPoP).")
        }
    }
}
