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
        let script = Sallyport.completionScript(for: shell.completionShell)
        Terminal.result(shell == .bash ? script + Self.joiningWords : script)
    }

    /// An addition to bash's script: bash takes the colons of an address for words, after which the script would offer
    /// nothing.
    private static let joiningWords = #"""

        _sallyport_joining_words() {
            local rest="${COMP_LINE:0:COMP_POINT}" word
            local -a words=()
            for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
                if ((${#words[@]})) && [[ "${rest}" == "${word}"* && "${rest}" != [[:space:]]* ]]; then
                    words[-1]+="${word}"
                else
                    words+=("${word}")
                fi
                rest="${rest#*"${word}"}"
            done
            local -a COMP_WORDS=("${words[@]}")
            local -i COMP_CWORD=$((${#words[@]} - 1))
            _sallyport "${1}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        }

        complete -o filenames -F _sallyport_joining_words sallyport
        """#
}
