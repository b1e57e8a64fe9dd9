internal import ArgumentParser
internal import ReferenceBackend

/// Adds an account that signs in with a password.
struct AddAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-account",
        abstract: "Add an account, or give one a new password.",
        discussion: "The password is read as one line from standard input, where no process list shows it."
    )

    @Option(help: "The database; made when absent.")
    var database = "sallyport-backend.sqlite"
    @Option(help: "The account's e-mail address.")
    var email: String
    @Option(help: "The account's name.")
    var name: String?

    func run() async throws {
        guard let password = readLine(strippingNewline: true), !password.isEmpty else {
            throw ValidationError("No password came on standard input.")
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
