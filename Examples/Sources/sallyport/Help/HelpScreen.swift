// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The help of the tool and of `login` on one screen of 24 lines and 80 columns, in place of the parser's.
///
/// The parser's help, with every command and option, is that of `--help-all`.
enum HelpScreen {
    /// Returns the screen that replaces a text of the parser's; nil for any other text.
    static func replacing(_ text: String) -> String? {
        switch text {
        case Sallyport.helpMessage(): sallyport
        case Sallyport.helpMessage(for: LoginCommand.self): login
        default: nil
        }
    }

    /// Returns the parser's help if the arguments are a command and `--help-all`, or `--help-all` alone; otherwise nil.
    static func all(_ words: some BidirectionalCollection<String>) -> String? {
        // What follows `--` is another program's.
        guard words.last == "--help-all", !words.contains("--") else { return nil }
        let command = Sallyport.configuration.subcommands.first { $0.configuration.commandName == words.first }
        if let command { return Sallyport.helpMessage(for: command) }
        return words.count == 1 ? Sallyport.helpMessage() : nil
    }

    private static let sallyport =
        Example.section(
            Array(Sallyport.examples.prefix(2)),
            after: """
                Sign in once, stay signed in, call APIs. Usage: sallyport COMMAND

                SIGN IN:
                  login                 Sign in: sallyport login github, or an address
                  status, profiles      Show the signed-in user; list all sessions
                  logout, revoke        End the session here, and at the provider
                USE:
                  api, token            Call an API; print an access token or ID token
                  exec                  Run a command with the access token in its environment
                  git-credential, docker-credential, bazel-credential,
                  kubernetes-credential Give that program a token
                  userinfo, exchange    Print the user's claims; a token for another API
                LOOK AFTER:
                  doctor, refresh       Find out what is wrong; refresh the token now
                  decode, completions   Show a JWT's claims; print a shell's completions
                """
        ) + "\n\nsallyport COMMAND --help shows a command, sallyport --help-all everything."

    private static let login = Example.section(
        Array(LoginCommand.examples.prefix(2)),
        after: """
            Sign in at a provider or at an app's own backend. Usage: sallyport login NAME

            NAME is \(ProviderName.list),
            the address of a provider or a backend, or an account: a file NAME.json in
            \(NamedAccount.folders).
            Without NAME, login repeats the profile's last sign-in.

            OPTIONS:
              --client-id ID             The client ID at the provider; "" registers one
              --client-secret-file FILE  The client secret, on the first line of FILE
              --scope "SCOPES"           The scopes to request
              --device                   Sign in on another device, with a code
              --paste                    Sign in with a browser on another machine
              --email ADDRESS            At a backend: sign in with a password
              --apple                    At a backend: sign in with Apple
              --profile NAME             Keep a session of its own
              --json                     Print the signed-in user as JSON
              --help-all                 Show all options
            """
    )
}
