// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import TerminalShell
internal import UmuveBrands

/// The customer's app in a terminal.
@main
struct UmuveCommand: AsyncParsableCommand {
    static let configuration = ShellProgram.configuration("umuve", of: .customer)

    @OptionGroup var options: ShellOptions

    static func main() async { await ShellProgram.main(Self.self) }

    func run() async throws { try await ShellProgram.run(.customer, options) }
}
