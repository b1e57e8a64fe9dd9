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

    /// An addition to bash's script.
    ///
    /// bash splits words at `:` and `=`. The parser's script takes the parts of an address for arguments, and then offers
    /// nothing. This joins the parts.
    private static let joiningWords = #"""

        _sallyport_joining_words() {
            local rest="${COMP_LINE}" word
            local -a words=()
            local -i last=-1 is_joined=0
            for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
                if ((last >= 0)) && [[ -n "${word}" && "${rest}" == "${word}"* ]]; then
                    words[last]+="${word}"
                    is_joined=1
                else
                    words[++last]="${word}"
                    is_joined=0
                fi
                rest="${rest#*"${word}"}"
            done
            # bash would replace only the last part.
            ((is_joined)) && return
            local -a COMP_WORDS=("${words[@]}")
            local -i COMP_CWORD=last
            _sallyport "${1}" "${2}" "${COMP_WORDS[last - 1]}"
        }

        complete -o filenames -F _sallyport_joining_words sallyport
        """#
}
