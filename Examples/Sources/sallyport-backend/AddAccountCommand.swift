// SPDX-License-Identifier: Apache-2.0

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
    @Option(
        help: "The account's role, customer or driver. It never changes. (default: customer for a new account)",
        transform: Self.role
    )
    var role: AccountRole?

    func run() async throws {
        guard let password = readLine(strippingNewline: true), !password.isEmpty else {
            throw ValidationError("Standard input contains no password.")
        }
        let id = try await ReferenceBackend.addAccount(
            email: email,
            password: password,
            name: name,
            role: role,
            databasePath: database
        )
        StandardOutput.write(id)
    }

    private static func role(_ text: String) throws -> AccountRole {
        guard let role = AccountRole(rawValue: text) else {
            throw ValidationError("A role is customer or driver.")
        }
        return role
    }
}
