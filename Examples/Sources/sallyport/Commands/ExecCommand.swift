// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthSession

/// `sallyport exec`: runs a command with the access token in its environment.
struct ExecCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec",
        abstract: "Run a command with the access token in its environment.",
        usage: "sallyport exec [--env NAME] [options] -- COMMAND...",
        discussion: """
            Ends as the command does: with its exit code, or 128 and the number of the signal that ended it. 127 if the \
            command is not found, 126 if it can't be executed. Without a token the command is not started, and the exit \
            code is that of sallyport token. SALLYPORT_PASSPHRASE and SALLYPORT_API_KEY are not handed on.

            The token stays as it is while the command runs. A command that outlives it calls sallyport token itself.
            """,
        examples: [
            Example("Call an API from a script", "exec -- ./deploy.sh"),
            Example("Name the variable as the command expects it", "exec --env VAULT_TOKEN -- vault kv list secret"),
        ]
    )

    @Option(name: .customLong("env"), help: ArgumentHelp("The variable for the token.", valueName: "name"))
    var variable = "SALLYPORT_TOKEN"

    @Argument(parsing: .postTerminator, help: "The command and its arguments, after --.")
    var command: [String]

    @OptionGroup var global: GlobalOptions

    mutating func validate() throws {
        guard CommandEnvironment.isName(variable) else {
            throw ValidationError("--env takes letters, digits and underscores, and no digit first.")
        }
        guard !command.isEmpty else { throw ValidationError("Give the command after --.") }
    }

    func run() async throws {
        let descriptors = InheritedDescriptors()
        let session = try await global.storedSession()
        let token = try await session.currentToken(validFor: .zero).token
        try await session.finish()
        if await session.isSenderConstrained {
            Terminal.note(boundTokenNote)
        }
        PreparedCommand.next = PreparedCommand(
            words: command,
            variable: variable,
            token: token,
            descriptors: descriptors
        )
    }
}
