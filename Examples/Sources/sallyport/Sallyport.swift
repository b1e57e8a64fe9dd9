import ArgumentParser

/// The command-line tool, which signs in, keeps the session in the system's keyring and calls APIs with it.
@main
struct Sallyport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sallyport",
        abstract: "Sign in once, stay signed in, call APIs.",
        discussion: """
            The session is kept in the system's keyring and survives restarts, expired tokens and network failures.

            Exit codes: 0 done; 1 failed; 2 wrong arguments; 3 not signed in; 4 the session has ended, sign in again; \
            5 the store can't be used now, or the removal of a session is pending; 6 the network or the server can't be \
            reached now, or another process keeps the session from being refreshed; 7 the server's response was refused \
            as unsafe; 130 cancelled.
            """,
        version: "0.1.0",
        subcommands: [
            LoginCommand.self, StatusCommand.self, TokenCommand.self, APICommand.self, RefreshCommand.self,
            UserInfoCommand.self, ExchangeCommand.self, RevokeCommand.self, LogoutCommand.self, DecodeCommand.self,
            DoctorCommand.self,
        ]
    )

    static func main() async {
        ExitStatus.exit(
            await Interrupt.watching {
                let status = await run()
                PendingSignOut.reportFinished()
                do { try await OpenSessions.settle() } catch { if status == .done { return tell(error) } }
                return status
            }
        )
    }

    private static func tell(_ error: any Error) -> ExitStatus {
        guard let failure = Failure(error) else { return .failed }
        Terminal.note(failure.sentences)
        return failure.status
    }

    private static func run() async -> ExitStatus {
        do {
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
            if let failure = Failure(error) {
                Terminal.note(failure.sentences)
                return failure.status
            }
            // An error of the parser: help and version go to standard output, errors to standard error.
            let text = fullMessage(for: error)
            switch exitCode(for: error) {
            case .success:
                Terminal.result(text)
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
