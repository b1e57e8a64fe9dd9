// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `sallyport parse`: checks the arguments of another command and runs nothing, for tests of the examples.
struct ParseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parse",
        abstract: "Check a command's arguments without running it.",
        shouldDisplay: false
    )

    @Argument(parsing: .captureForPassthrough, help: "The command and its arguments.")
    var words: [String] = []

    func run() throws {
        let command = try Sallyport.parseAsRoot(words)
        // The parser leaves a name that it can't resolve to the command's `run()`.
        if var login = command as? LoginCommand { try login.resolveName() }
    }
}
