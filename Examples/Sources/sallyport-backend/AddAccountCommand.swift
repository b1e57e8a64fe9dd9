internal import ArgumentParser
internal import ReferenceBackend

/// The command that adds an account with a password.
struct AddAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-account",
        abstract: "Add an account, or change its password.",
        discussion: "The password is one line of standard input, which no process list shows."
    )

    @Option(help: "The database file; created if it does not exist.")
    var database = "sallyport-backend.sqlite"
    @Option(help: "The account's e-mail address.")
    var email: String
    @Option(help: "The account's name.")
    var name: String?

    func run() async throws {
        guard let password = readLine(strippingNewline: true), !password.isEmpty else {
            throw ValidationError("Standard input contains no password.")
        }
        let id = try await ReferenceBackend.addAccount(
            email: email,
            password: password,
            name: name,
            databasePath: database
        )
        StandardOutput.write(id)
    }
}
