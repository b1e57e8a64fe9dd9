// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import UmuveBrands

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The common part of the brands' executables.
public enum ShellProgram {
    /// Returns the configuration of a brand's command.
    ///
    /// - Parameters:
    ///   - name: The executable's name.
    ///   - brand: The app's brand.
    /// - Returns: The configuration.
    public static func configuration(_ name: String, of brand: Brand) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name,
            abstract: "\(brand.name) in a terminal.",
            usage: "\(name) [<options>]",
            discussion: """
                Keys: the arrows turn pages and change tabs, Tab moves to another button, Enter presses it, r asks the \
                server again, q quits. The mouse clicks, and swipes with its button down. On a terminal that can't draw, \
                the app works line by line, as with --plain. If NO_COLOR is set, there are no colours.

                BROWSER names the browser; the default is the system's. UMUVE_API_KEY is the API key of the backend that \
                --backend names, if it requires one. Exit codes: 0 quit, 1 failed, 2 wrong arguments, 128 and more ended \
                by a signal.
                """
        )
    }

    /// Runs the program to its end.
    ///
    /// Exit codes: 0 if the user quit; 1 if it failed; 2 if the arguments are invalid; 128 plus the number of the
    /// signal that ended it.
    ///
    /// - Parameter command: The executable's command.
    public static func main(_ command: (some AsyncParsableCommand).Type) async {
        do {
            var parsed = try command.parseAsRoot()
            if var parsed = parsed as? any AsyncParsableCommand { try await parsed.run() } else { try parsed.run() }
        } catch {
            let isArgument = command.exitCode(for: error) == .validationFailure
            guard isArgument || !(error is ExitCode) && command.exitCode(for: error) == .failure else {
                command.exit(withError: error)
            }
            let text = command.fullMessage(for: error)
            StandardError.write(text)
            exit(isArgument ? 2 : 1)
        }
    }

    /// Shows the app until the user quits.
    ///
    /// - Parameters:
    ///   - brand: The app's brand.
    ///   - options: The command-line options.
    /// - Throws: `ValidationError` if an option is invalid; `ExitCode`.
    @MainActor
    public static func run(_ brand: Brand, _ options: ShellOptions) async throws {
        let account = try account(brand, options)
        let model = ShellModel(
            brand: brand,
            isOnboardingCompleted: account.isOnboardingCompleted,
            place: account.place.sentence
        )
        let shell = Shell(
            model,
            on: screen(brand, options),
            services: account.services,
            checkInterval: .seconds(options.checkEvery)
        )
        let code = await shell.run()
        if code != 0 { throw ExitCode(code) }
    }

    @MainActor
    private static func account(_ brand: Brand, _ options: ShellOptions) throws -> ShellAccount {
        do {
            return try ShellAccount(brand, options)
        } catch let error as ValidationError {
            throw error
        } catch {
            throw ValidationError("\(error)")
        }
    }

    @MainActor
    private static func screen(_ brand: Brand, _ options: ShellOptions) -> any ShellScreen {
        let environment = TerminalSurroundings.current
        guard !options.plain, environment.isDrawable else { return PlainScreen() }
        return CursesScreen(brand, environment) ?? PlainScreen()
    }
}
