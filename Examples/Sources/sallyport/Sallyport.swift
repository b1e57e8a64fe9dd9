// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command-line tool, which signs in, keeps the session in the system's keyring and calls APIs with it.
@main
struct Sallyport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sallyport",
        abstract: "Sign in once, stay signed in, call APIs.",
        usage: "sallyport COMMAND",
        discussion: Example.section(
            examples,
            after: """
                The session is kept in the system's keyring and survives restarts, expired tokens and network failures.

                \(ExitStatus.summary)
                """
        ),
        version: "0.1.0",
        subcommands: [
            LoginCommand.self, StatusCommand.self, TokenCommand.self, APICommand.self, RefreshCommand.self,
            UserInfoCommand.self, ExchangeCommand.self, ExecCommand.self, GitCredentialCommand.self,
            KubernetesCredentialCommand.self, DockerCredentialCommand.self, BazelCredentialCommand.self,
            ProfilesCommand.self, RevokeCommand.self, LogoutCommand.self, DecodeCommand.self, DoctorCommand.self,
            CompletionsCommand.self, ParseCommand.self,
        ]
    )

    static let examples = [
        Example("Sign in at GitHub on another device", "login github --client-id ID --device"),
        Example("Call an API with the session's access token", "api GET https://api.github.com/user"),
        Example("Find out what is wrong", "doctor"),
    ]

    static func main() async {
        if RefreshProcess.isThis { await RefreshProcess.run() }
        let status = await Interrupt.watching {
            let status = await run()
            PendingSignOut.reportFinished()
            do { try await OpenSessions.settle() } catch {
                // A failure of the store has said already that new tokens are not saved.
                guard status != .storeUnavailable else { return status }
                let unsaved = await tell(error) ?? .failed
                if status == .done { return unsaved }
            }
            if status == .done, let sentence = Terminal.resultFailure {
                Terminal.note(sentence)
                return .failed
            }
            // From here on, signals are for the command of `sallyport exec`, and no longer cancel the work.
            if status == .done, PreparedCommand.next != nil { ForwardedSignals.receive() }
            return status
        }
        guard status == .done, let command = PreparedCommand.next else { ExitStatus.exit(status) }
        ExitStatus.exit(command.run())
    }

    /// Tells the user of a failure, and returns its status; nil for an error of the parser, which is not told.
    private static func tell(_ error: any Error) async -> ExitStatus? {
        guard let failure = await OpenSessions.failure(error) else { return nil }
        Terminal.note(failure.sentences)
        return failure.status
    }

    /// Throws if `sallyport help` is asked about an unknown command, for which the parser shows the general help.
    private static func checkTopic() throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.first == "help", let topic = words.dropFirst().first, !topic.hasPrefix("-"), topic != "help",
            !configuration.subcommands.contains(where: { $0.configuration.commandName == topic })
        else { return }
        throw ValidationError("There is no command \(Terminal.shown(topic) ?? "of that name").")
    }

    private static func run() async -> ExitStatus {
        do {
            try checkTopic()
            if let help = HelpScreen.all(CommandLine.arguments.dropFirst()) {
                Terminal.result(help)
                return .done
            }
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return .done
        } catch let status as ExitStatus {
            return status
        } catch {
            if let status = await tell(error) { return status }
            // An error of the parser: help and version go to standard output, errors to standard error.
            let text = fullMessage(for: error)
            switch exitCode(for: error) {
            case .success:
                Terminal.result(HelpScreen.replacing(text) ?? text)
                return .done
            case .validationFailure:
                Terminal.note(text)
                return .wrongArguments
            default:
                Terminal.note(text)
                return .failed
            }
        }
    }
}
