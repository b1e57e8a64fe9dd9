import ArgumentParser
import AuthCore
import AuthSession

/// `sallyport token`: an access token, alone on standard output.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print an access token that is good now, renewed where it must be.",
        discussion: "One of a session made with --dpop is bound to a key and is of use to sallyport api alone."
    )

    @OptionGroup var global: GlobalOptions

    @Option(name: .customLong("min-ttl"), help: "How many seconds it must at least be good for.")
    var minimumSeconds = 0

    mutating func validate() throws {
        guard (0...31_536_000).contains(minimumSeconds) else {
            throw ValidationError("--min-ttl takes 0 to 31536000 seconds.")
        }
    }

    func run() async throws {
        let session = try await global.storedSession()
        let token = try await session.accessToken(validFor: .seconds(minimumSeconds))
        try await session.finish()
        Terminal.result(token.unredacted)
        if await session.isBoundToKey {
            Terminal.note("This token is bound to a key of the session; it is of use to: sallyport api")
        }
    }
}
