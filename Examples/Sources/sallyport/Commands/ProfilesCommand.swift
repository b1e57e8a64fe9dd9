// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `sallyport profiles`: lists the sessions that are kept.
struct ProfilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles",
        abstract: "List the profiles with a session: the user, the server, the store and the state.",
        usage: "sallyport profiles [--json] [options]",
        discussion: """
            Asks no server and prompts for nothing. The state is signed-in, ended, locked or damaged. A session in the \
            encrypted file is locked unless SALLYPORT_PASSPHRASE or --key-file opens it.
            """,
        examples: [
            Example("List all sessions", "profiles"),
            Example("Ask the server about one of them", "status --profile work"),
        ]
    )

    @Flag(name: .long, help: "Print one JSON array, sorted by name.")
    var json = false

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        var list = ProfileList(fileSecret: global.fileSecret)
        let entries = try await list.read()
        if json {
            try JSONOutput.print(entries)
        } else if entries.isEmpty {
            Terminal.note("No session is kept. Sign in with: \(Failure.signIn)")
        } else {
            Terminal.result(ProfileTable.text(entries))
        }
    }
}
