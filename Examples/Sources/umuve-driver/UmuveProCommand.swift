// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import TerminalShell
internal import UmuveBrands

/// The driver's app in a terminal.
@main
struct UmuveProCommand: AsyncParsableCommand {
    static let configuration = ShellProgram.configuration("umuve-pro", of: .driver)

    @OptionGroup var options: ShellOptions

    static func main() async { await ShellProgram.main(Self.self) }

    func run() async throws { try await ShellProgram.run(.driver, options) }
}
