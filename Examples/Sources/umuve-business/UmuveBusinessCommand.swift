// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import TerminalShell
internal import UmuveBrands

/// The business customers' app in a terminal.
@main
struct UmuveBusinessCommand: AsyncParsableCommand {
    static let configuration = ShellProgram.configuration("umuve-business", of: .business)

    @OptionGroup var options: ShellOptions

    static func main() async { await ShellProgram.main(Self.self) }

    func run() async throws { try await ShellProgram.run(.business, options) }
}
