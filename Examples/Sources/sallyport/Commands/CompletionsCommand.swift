// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `sallyport completions`: prints the script that completes the tool's arguments in a shell.
struct CompletionsCommand: ParsableCommand {
    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash
        case zsh
        case fish

        var completionShell: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print the completion script of a shell.",
        usage: "sallyport completions bash|zsh|fish",
        discussion: """
            bash reads the script from ~/.local/share/bash-completion/completions/sallyport, fish from \
            ~/.config/fish/completions/sallyport.fish, and zsh from a file named _sallyport in a folder of its fpath. \
            A package of the tool has the scripts already.
            """,
        examples: [
            Example("Write the script for bash", "completions bash >sallyport"),
            Example("Complete in the current fish", "completions fish | source"),
        ]
    )

    @Argument(help: "The shell.")
    var shell: Shell

    func run() {
        Terminal.result(Sallyport.completionScript(for: shell.completionShell))
    }
}
