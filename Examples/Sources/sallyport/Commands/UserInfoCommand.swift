import ArgumentParser
import AuthCore
import AuthSession
import OpenIDConnect

/// `sallyport userinfo`: the provider's claims about the person.
struct UserInfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "userinfo",
        abstract: "Print the provider's claims about the person, as JSON."
    )

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let session = try await global.storedProviderSession()
        let info = try await session.userInfo()
        try await session.finish()
        try JSONOutput.print(info.claims)
    }
}
