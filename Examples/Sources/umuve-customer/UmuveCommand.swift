// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DesktopShell
internal import UmuveBrands

/// The customer's app.
@main
struct UmuveCommand: DesktopCommand {
    static let configuration = DesktopProgram.configuration("umuve", of: .customer)

    @OptionGroup var options: DesktopOptions

    @MainActor
    static func main() { DesktopProgram.main("umuve", .customer, Self.self) }
}
