// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import TerminalShell
internal import UmuveBrands

/// The customer's app in a terminal.
@main
struct UmuveCommand: AsyncParsableCommand {
    static let configuration = ShellProgram.configuration("umuve", of: .customer, callback: Callback.self)

    @OptionGroup var options: ShellOptions

    static func main() async { await ShellProgram.main(Self.self) }

    func run() async throws { try await ShellProgram.run(.customer, options) }

    /// Takes an address that the system opens the app with.
    struct Callback: AsyncParsableCommand {
        static let configuration = ShellProgram.callbackConfiguration

        @OptionGroup var options: ShellOptions
        @Argument(help: "The address.") var address: String

        func run() async throws { try await ShellProgram.callback(.customer, options, address) }
    }
}
