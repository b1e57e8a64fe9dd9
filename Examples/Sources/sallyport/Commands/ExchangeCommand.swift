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
        discussion: """
            The provider exchanges the session's access token. The session stays as it is, also if the provider refuses. \
            A token of a session with --dpop is bound to the session's key.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Option(name: .long, help: "The name that the provider knows the API by. May be given more than once.")
    var audience: [String] = []

    @Option(name: .long, help: "The API's URL. May be given more than once.")
    var resource: [String] = []

    @Option(name: .long, help: "The scope of the new token.")
    var scope: String?

    mutating func validate() throws {
        guard !(audience + resource).contains("") else {
            throw ValidationError("--audience and --resource take a value that is not empty.")
        }
        // RFC 8707, 2: an absolute URI without a fragment.
        guard resource.allSatisfy({ $0.contains("://") && !$0.contains("#") }) else {
            throw ValidationError("--resource takes an absolute URL without a fragment.")
        }
    }

    func run() async throws {
        let session = try await global.storedProviderSession()
        let target = TokenExchange(audiences: audience, resources: resource, scope: scope.map { Scope($0) })
        let token = try await session.exchangeAccessToken(for: target)
        try await session.finish()
        Terminal.result(token.accessToken.unredacted)
        if await session.isSenderConstrained {
            Terminal.note("This token is bound to the session's key (DPoP).")
        }
    }
}
