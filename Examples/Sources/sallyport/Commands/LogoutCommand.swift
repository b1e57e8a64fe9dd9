import ArgumentParser
import AuthSession
import SecureStore

/// `sallyport logout`: ends the session here and, where it can be, at the server.
struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "End the session here and, where it can be, at the server."
    )

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let session: AuthSession
        do {
            session = try await global.storedSession()
        } catch let error as SessionRecordError {
            // Nobody can be signed out of a record that can't be read, but it goes away when the person asks.
            try await AuthSession.removeStored(in: try global.openStore())
            Terminal.note("\(error.description) It was removed.")
            return
        }
        let result = await session.signOut()
        if let error = result.storeError { throw error }
        switch result.server {
        case .told: Terminal.note("Signed out, here and at the server.")
        case .nothingToTell: Terminal.note("Signed out.")
        case .notTold: Terminal.note("Signed out here. The server could not be told; its side ends by itself in time.")
        }
    }
}
