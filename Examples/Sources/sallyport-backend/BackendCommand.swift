// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import ReferenceBackend

/// The reference backend's command line.
@main
struct BackendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sallyport-backend",
        abstract: "A server that speaks both first-party contracts, for tests and demonstrations.",
        subcommands: [ServeCommand.self, AddAccountCommand.self],
        defaultSubcommand: ServeCommand.self
    )

    /// Runs the command and maps errors to exit codes: 0 success, 1 failure, 2 invalid arguments.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as BackendStartError {
            StandardError.write("sallyport-backend: \(error.description)")
            ProcessExit.failed.end()
        } catch let error as AccountError {
            StandardError.write("sallyport-backend: \(error.description)")
            ProcessExit.failed.end()
        } catch {
            let code = exitCode(for: error)
            guard code == .validationFailure else { exit(withError: error) }
            StandardError.write(fullMessage(for: error))
            ProcessExit.wrongArguments.end()
        }
    }
}
