import ArgumentParser
import AuthCore
import AuthSession

/// `sallyport token`: prints an access token, alone on standard output.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print a valid access token, refreshed if necessary.",
        discussion: "With --dpop at the sign-in, the token is bound to a key and only sallyport api can use it."
    )

    @OptionGroup var global: GlobalOptions

    @Option(name: .customLong("min-ttl"), help: "Minimum remaining lifetime of the token, in seconds.")
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
        if await session.isSenderConstrained {
            Terminal.note("This token is bound to the session's key. Only this command can use it: sallyport api")
        }
    }
}
